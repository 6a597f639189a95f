import type { PlacedLine } from './paper-lines.ts'

export interface PrintedQuestion {
  id: string
  /** Levels joined by spaces: `2`, `1 c ii`, `2.1`. */
  number: string
  /** The whole question's number; parts share it. */
  mainNumber: number
  /** `c ii`; null for a whole question. */
  part: string | null
  /** What leads into it and is printed above its first sibling; empty for a question without parts. */
  stem: PlacedLine[]
  /** Its own lines in order, the label and points still in them. */
  lines: PlacedLine[]
  /** The same without labels: the stem's texts and its own. */
  stemTexts: string[]
  texts: string[]
  points: number | null
}

/** Points printed once for several questions. */
export interface SharedPoints {
  /** Of what they lead into; null for a heading without a number. */
  number: string | null
  points: number
  ids: string[]
}
