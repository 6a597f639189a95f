import type { Box } from '@assay/shared/papers.ts'
import { cellsOf, type PlacedLine } from './paper-lines.ts'

/** Rules and dots to write on, printed as letters. */
const FILL = /_{2,}|\.{4,}|…+|(?:\. ){3,}\.?|(?:_ ){2,}_?/g

/** Rough widths of letters, in ems of ordinary fonts. */
function widthOf(letter: string): number {
  if (/[iljtfrI.,:;'|!()[\]’]/.test(letter)) return 0.3
  if (letter === ' ') return 0.27
  if (letter === '_') return 0.53
  if (/[mwMW—…]/.test(letter)) return 0.85
  return /[\p{Lu}\d]/u.test(letter) ? 0.6 : 0.5
}

/** Where a printed line has letters: its cells without the room to write in between. Boxes in points. */
export function printedSpans(line: PlacedLine): { text: string; box: Box }[] {
  return cellsOf(line).flatMap(({ text, x, width }) => {
    const whole = widthUpTo(text, text.length)
    const at = (index: number) => x + (width * widthUpTo(text, index)) / Math.max(0.1, whole)
    const spans: { text: string; box: Box }[] = []
    let from = 0
    const add = (to: number) => {
      const words = text.slice(from, to)
      if (words.trim() !== '') {
        const start = from + (words.length - words.trimStart().length)
        const end = from + words.trimEnd().length
        spans.push({ text: words.trim(), box: { ...line.box, x: at(start), width: at(end) - at(start) } })
      }
    }
    for (const match of text.matchAll(FILL)) {
      add(match.index)
      from = match.index + match[0].length
    }
    add(text.length)
    return spans
  })
}

function widthUpTo(text: string, end: number): number {
  let width = 0
  for (let i = 0; i < end; i += 1) width += widthOf(text[i] ?? '')
  return width
}

/** Where each word of a line stands, by the rough widths of its letters. */
export function printedWords(line: Pick<PlacedLine, 'text' | 'box' | 'cells'>): { text: string; box: Box }[] {
  return cellsOf(line).flatMap(({ text, x, width }) => {
    const whole = Math.max(0.1, widthUpTo(text, text.length))
    return [...text.matchAll(/\S+/g)].map((match) => {
      const from = x + (width * widthUpTo(text, match.index)) / whole
      const to = x + (width * widthUpTo(text, match.index + match[0].length)) / whole
      return { text: match[0], box: { ...line.box, x: from, width: to - from } }
    })
  })
}
