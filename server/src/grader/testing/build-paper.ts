import type { Line, Page, Paper } from '@assay/shared/papers.ts'

const WIDTH = 595
const HEIGHT = 842
const STEP = 16

export type LineSpec = Partial<Omit<Line, 'text'>> & { text: string }

/** A4: one string is a line of 12 points, an empty one leaves room. Lines start 60 points from the top. */
export function buildPaper(...pages: (string | LineSpec)[][]): Paper {
  return { pages: pages.map((lines, i) => page(i + 1, lines)) }
}

function page(number: number, lines: (string | LineSpec)[]): Page {
  return {
    number,
    width: WIDTH,
    height: HEIGHT,
    lines: lines.flatMap((line, i): Line[] => {
      const given: LineSpec = typeof line === 'string' ? { text: line } : line
      if (given.text === '') return []
      const box = { x: 72, y: 60 + i * STEP, width: Math.min(450, given.text.length * 6), height: 12 }
      return [{ source: 'text', confidence: 1, box, ...given }]
    }),
  }
}
