import type { Box, HiddenReason, Line } from '@assay/shared/papers.ts'
import { union } from '../geometry/boxes.ts'

/** Consecutive letters that are all visible, or all hidden for the same reason. */
export interface TextFragment {
  /** Without spaces. */
  text: string
  box: Box
  hidden: HiddenReason | null
}

/**
 * Splits a line into its visible and its hidden part, or returns null when its pieces cannot be found in its text. The words of each part
 * stay in order.
 */
export function splitHiddenText(line: Line, pieces: readonly TextFragment[]): Line[] | null {
  const indexes = [...line.text].flatMap((letter, index) => (/\s/.test(letter) ? [] : [index]))
  const letters = indexes.map((index) => [...line.text][index]).join('')
  const hiddenLetters = new Set<number>()
  let reason: HiddenReason | null = null
  const expectedAt = (piece: TextFragment) =>
    ((piece.box.x - line.box.x) / Math.max(1, line.box.width)) * letters.length
  for (const piece of pieces) {
    if (!piece.hidden) continue
    reason ??= piece.hidden
    const from = nearestOccurrence(letters, piece.text, expectedAt(piece), hiddenLetters)
    if (from === null) return null
    for (let at = from; at < from + piece.text.length; at += 1) hiddenLetters.add(at)
  }
  if (!reason) return null
  const hiddenIndexes = new Set([...hiddenLetters].map((at) => indexes[at]))
  const textOf = (hidden: boolean) =>
    [...line.text]
      .map((letter, index) => (/\s/.test(letter) || hiddenIndexes.has(index) === hidden ? letter : ' '))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  const boxOf = (hidden: boolean) => {
    const own = pieces.filter((piece) => (piece.hidden !== null) === hidden).map((piece) => piece.box)
    return own.length > 0 ? own.reduce(union) : line.box
  }
  const [visibleText, hiddenText] = [textOf(false), textOf(true)]
  // Its cells hold the hidden words too.
  const { cells: _, ...plain } = line
  return [
    ...(visibleText === '' ? [] : [{ ...plain, text: visibleText, box: boxOf(false), whole: line.text }]),
    ...(hiddenText === '' ? [] : [{ ...plain, text: hiddenText, box: boxOf(true), hidden: reason }]),
  ]
}

/** The occurrence of a word in a text that is nearest to `expectedAt` and not taken; null when there is none. */
function nearestOccurrence(text: string, word: string, expectedAt: number, taken: ReadonlySet<number>): number | null {
  let best: number | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!taken.has(at) && (best === null || Math.abs(at - expectedAt) < Math.abs(best - expectedAt))) best = at
  return best
}
