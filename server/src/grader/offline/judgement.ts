/** What stood out, for the feedback and the flags. */
export type Remark =
  | 'empty'
  | 'dont_know'
  | 'no_key'
  | 'exact_right'
  | 'exact_wrong'
  | 'unclear'
  | 'unit_missing'
  | 'unit_wrong'
  | 'verbatim'
  | 'keyword_list'
  | 'copied_key'

/** An answer judged against one criterion. */
export interface Judgement {
  /** Uncalibrated agreement, 0..1: what `grader:evaluate` prints. */
  raw: number
  /** Share of the points earned, 0..1, before it is rounded to a step. */
  share: number
  /** 1 less the expected error as a share of the points. */
  confidence: number
  remarks: Remark[]
  /** Words of the key found in the answer, and those missed, the most telling first; as the key writes them. */
  matched: string[]
  missing: string[]
}

export const nothing = (remark: Remark, confidence: number): Judgement => ({
  raw: 0,
  share: 0,
  confidence,
  remarks: [remark],
  matched: [],
  missing: [],
})
