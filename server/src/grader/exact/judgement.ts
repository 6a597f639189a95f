/** Findings about an answer, for the feedback and the flags. */
export type Remark =
  | 'empty'
  | 'dont_know'
  | 'no_key'
  | 'exact_right'
  | 'exact_wrong'
  | 'unclear'
  | 'unit_missing'
  | 'unit_wrong'
  /** Some members of a list, or some of its order. */
  | 'list_part'
  /** The right substances in the wrong numbers. */
  | 'not_balanced'
  | 'verbatim'
  | 'keyword_list'
  | 'copied_key'
  /** A drawing, an essay, a proof: nothing here can judge it. */
  | 'cannot_judge'
  /** The teacher has scored these very words. */
  | 'as_decided'

/** A point of a key, as an answer has it. */
export interface PointOfKey {
  text: string
  /** Beyond doubt. */
  found: boolean
  /** How much of its words, 0..1. */
  coverage: number
}

/** An answer judged against one criterion. */
export interface Judgement {
  /** Agreement with key and class, 0..1, before it becomes points. */
  raw: number
  /** Share of the points earned, 0..1, before it is rounded to a step: what `grader:evaluate` prints. */
  share: number
  /** 1 less the expected error as a share of the points. */
  confidence: number
  remarks: Remark[]
  /** Words of the key found in the answer, and those missed, the most informative first; as the key writes them. */
  matched: string[]
  missing: string[]
  /** Of an answer in words. */
  points?: PointOfKey[]
}

export const zeroJudgement = (remark: Remark, confidence: number): Judgement => ({
  raw: 0,
  share: 0,
  confidence,
  remarks: [remark],
  matched: [],
  missing: [],
})

/** A list by the share of its members. */
export const listJudgement = (share: number, matched: string[], missing: string[], confidence: number): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [share >= 1 ? 'exact_right' : share > 0 ? 'list_part' : 'exact_wrong'],
  matched,
  missing,
})
