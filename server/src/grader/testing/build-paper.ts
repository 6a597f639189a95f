import type { Line, Page, Paper } from '@assay/shared/papers.ts'

const WIDTH = 595
const HEIGHT = 842
const STEP = 16

/** A line at a place of its own: a form field, a note, something hidden, words read by OCR. */
export type LineOf = Partial<Omit<Line, 'text'>> & { text: string }

/**
 * A paper of A4 pages: one string is one line of 12 points, an empty string leaves a line of room. Lines start 60 points
 * from the top.
 */
export function paper(...pages: (string | LineOf)[][]): Paper {
  return { pages: pages.map((lines, i) => page(i + 1, lines)) }
}

function page(number: number, lines: (string | LineOf)[]): Page {
  return {
    number,
    width: WIDTH,
    height: HEIGHT,
    lines: lines.flatMap((line, i): Line[] => {
      const given: LineOf = typeof line === 'string' ? { text: line } : line
      if (given.text === '') return []
      const box = { x: 72, y: 60 + i * STEP, width: Math.min(450, given.text.length * 6), height: 12 }
      return [{ source: 'text', confidence: 1, box, ...given }]
    }),
  }
}
