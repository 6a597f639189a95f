import type { Level } from '@assay/shared/rubrics.ts'

export interface MarkingPoint {
  text: string
  expected: string
  alternatives: string[]
  points: number
  /** `M` for a method, `A` for a result, `B` for a statement; absent where the key has no codes. */
  code?: string
}

export interface KeyAnswer {
  expected: string
  alternatives: string[]
  /** Empty where the key just gives the answer. */
  criteria: MarkingPoint[]
  /** Points the key prints for the whole question. */
  points: number | null
  levels: Level[]
  /** For the marker: what to ignore, what not to accept. Students never see it. */
  notes: string[]
}
