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

/** Where right and wrong can both be read from the answer, or something in it was not understood. */
export const UNSURE = 0.5

export const exactJudgement = (share: number, confidence: number, remark: Remark): Judgement => ({
  raw: share,
  share,
  confidence,
  remarks: [remark],
  matched: [],
  missing: [],
})

export const verdict = (right: boolean, confidence: number): Judgement =>
  exactJudgement(right ? 1 : 0, confidence, right ? 'exact_right' : 'exact_wrong')

export const zeroJudgement = (remark: Remark, confidence: number): Judgement => exactJudgement(0, confidence, remark)

export const listJudgement = (share: number, matched: string[], missing: string[], confidence: number): Judgement => ({
  ...exactJudgement(share, confidence, share >= 1 ? 'exact_right' : share > 0 ? 'list_part' : 'exact_wrong'),
  matched,
  missing,
})

/** The best accepted answer; a wrong one is as sure as the least sure comparison. */
export function bestJudgement(all: Judgement[]): Judgement | null {
  if (all.length === 0) return null
  const best = all.reduce((one, other) =>
    other.share > one.share || (other.share === one.share && other.share > 0 && other.confidence > one.confidence)
      ? other
      : one,
  )
  return best.share > 0 ? best : { ...best, confidence: Math.min(...all.map((one) => one.confidence)) }
}
