import type { Judgement, Remark } from './judgement.ts'

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
