import type { PlacedLine } from './paper-lines.ts'

export interface PrintedQuestion {
  id: string
  /** Levels joined by spaces: `2`, `1 c ii`, `2.1`. */
  number: string
  mainNumber: number
  /** `c ii`; null for a whole question. */
  part: string | null
  /** What leads into the parts, above the first of them; empty for a question without parts. */
  stem: PlacedLine[]
  /** The label and points still in them. */
  lines: PlacedLine[]
  /** Without labels. */
  stemTexts: string[]
  texts: string[]
  points: number | null
}

export interface SharedPoints {
  /** Null for a heading without a number. */
  number: string | null
  points: number
  ids: string[]
}
