import type { HiddenReason, Line } from '@assay/shared/papers.ts'
import { union } from '../geometry/boxes.ts'
import type { TextFragment } from './mark-hidden-lines.ts'

/**
 * Parts a line into what is seen of it and what is not, or null when its pieces cannot be found in its text. The seen part keeps
 * its words in order; the unseen part is one line after it.
 */
export function splitHiddenText(line: Line, pieces: readonly TextFragment[]): Line[] | null {
  const places = [...line.text].flatMap((letter, index) => (/\s/.test(letter) ? [] : [index]))
  const letters = places.map((index) => [...line.text][index]).join('')
  const unseen = new Set<number>()
  let reason: HiddenReason | null = null
  const across = (piece: TextFragment) => ((piece.box.x - line.box.x) / Math.max(1, line.box.width)) * letters.length
  for (const piece of pieces) {
    if (!piece.hidden) continue
    reason ??= piece.hidden
    const from = nearestOccurrence(letters, piece.text, across(piece), unseen)
    if (from === null) return null
    for (let at = from; at < from + piece.text.length; at += 1) unseen.add(at)
  }
  if (!reason) return null
  const isUnseen = new Set([...unseen].map((at) => places[at]))
  const take = (wanted: boolean) =>
    [...line.text]
      .map((letter, index) => (/\s/.test(letter) || isUnseen.has(index) === wanted ? letter : ' '))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  const boxOf = (hidden: boolean) => {
    const own = pieces.filter((piece) => (piece.hidden !== null) === hidden).map((piece) => piece.box)
    return own.length > 0 ? own.reduce(union) : line.box
  }
  const [seen, kept] = [take(false), take(true)]
  return [
    ...(seen === '' ? [] : [{ ...line, text: seen, box: boxOf(false) }]),
    ...(kept === '' ? [] : [{ ...line, text: kept, box: boxOf(true), hidden: reason }]),
  ]
}

/** Where a word stands in a text, the place nearest to `wished` that is not taken; null when nowhere. */
function nearestOccurrence(text: string, word: string, wished: number, taken: ReadonlySet<number>): number | null {
  let best: number | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!taken.has(at) && (best === null || Math.abs(at - wished) < Math.abs(best - wished))) best = at
  return best
}
