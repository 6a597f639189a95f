import type { QuestionKind } from '@assay/shared/rubrics.ts'

export type Remark =
  | 'empty'
  | 'dont_know'
  | 'no_key'
  | 'exact_right'
  | 'exact_wrong'
  | 'unclear'
  | 'unit_missing'
  | 'unit_wrong'
  | 'list_part'
  | 'not_balanced'
  | 'verbatim'
  | 'keyword_list'
  | 'copied_key'
  /** A drawing, an essay, a proof. */
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
  /** Before rounding to a step, 0..1; `grader:evaluate` prints it. */
  share: number
  /** 1 minus the expected error as a share of the points. */
  confidence: number
  remarks: Remark[]
  /** Words of the key as it writes them, most informative first. */
  matched: string[]
  points?: PointOfKey[]
}

export const UNSURE = 0.5

export const exactJudgement = (share: number, confidence: number, remark: Remark): Judgement => ({
  share,
  confidence,
  remarks: [remark],
  matched: [],
})

export const verdict = (right: boolean, confidence: number): Judgement =>
  exactJudgement(right ? 1 : 0, confidence, right ? 'exact_right' : 'exact_wrong')

/** Needs a person's look. */
export const unclear = (share = 0): Judgement => exactJudgement(share, UNSURE, 'unclear')

export const listJudgement = (share: number, confidence: number, matched: string[] = []): Judgement => ({
  ...exactJudgement(share, confidence, share >= 1 ? 'exact_right' : share > 0 ? 'list_part' : 'exact_wrong'),
  matched,
})

/** A wrong answer is as sure as the least sure comparison. */
export function bestJudgement(all: Judgement[]): Judgement | null {
  if (all.length === 0) return null
  const best = all.reduce((one, other) =>
    other.share > one.share || (other.share === one.share && other.share > 0 && other.confidence > one.confidence)
      ? other
      : one,
  )
  return best.share > 0 ? best : { ...best, confidence: Math.min(...all.map((one) => one.confidence)) }
}

export const EXACT_KINDS: ReadonlySet<QuestionKind> = new Set([
  'choice',
  'true_false',
  'number',
  'set',
  'ordered_list',
  'formula',
])
