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

export interface PointOfKey {
  text: string
  found: boolean
  /** Share of its words, 0..1. */
  coverage: number
}

export interface Judgement {
  /** Agreement with key and class, 0..1, before it becomes points. */
  raw: number
  /** Before it is rounded to a step, 0..1: what `grader:evaluate` prints. */
  share: number
  /** 1 less the expected error as a share of the points. */
  confidence: number
  remarks: Remark[]
  /** Found and missed words of the key, most informative first, as the key writes them. */
  matched: string[]
  missing: string[]
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

export const listJudgement = (share: number, matched: string[], missing: string[], confidence: number): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [share >= 1 ? 'exact_right' : share > 0 ? 'list_part' : 'exact_wrong'],
  matched,
  missing,
})
