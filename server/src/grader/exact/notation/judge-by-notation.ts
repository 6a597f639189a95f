import { bestJudgement, exactJudgement, type Judgement, type Remark, UNSURE } from '../judgement.ts'
import { readStance } from './read-stance.ts'

export interface Found<T> {
  /** The answer with `#0#`, `#1#` in place of what was found. */
  skeleton: string
  found: T[]
}

export const onlyOne = <T>({ skeleton, found }: Found<T>): T | null =>
  /^\s*#0#\s*\.?\s*$/.test(skeleton) ? (found[0] ?? null) : null

interface Comparison {
  share: number
  confidence: number
  remark?: Remark
}

export interface Notation<T> {
  /** Null where the key as a whole is none. */
  read(key: string, prompt: string): T | null
  find(answer: string, key: T, prompt: string): Found<T>
  compare(key: T, given: T, prompt: string): Comparison
  /** Where no find, or no clear one, can be compared; null leaves it to others. */
  otherwise?(answer: string, skeleton: string, found: T[], key: T): Judgement | null
}

export const RIGHT: Comparison = { share: 1, confidence: 0.95 }
/** Less sure than right: it may be right in a form that is not read. */
export const WRONG: Comparison = { share: 0, confidence: 0.89 }
export const HALF: Comparison = { share: 0.5, confidence: UNSURE }

export function judgeBy<T>(notation: Notation<T>, prompt: string, accepted: string[], answer: string) {
  const keys = accepted.map((key) => notation.read(key, prompt)).filter((key) => key !== null)
  return bestJudgement(keys.flatMap((key) => judgeAgainst(notation, key, prompt, answer) ?? []))
}

function judgeAgainst<T>(notation: Notation<T>, key: T, prompt: string, answer: string): Judgement | null {
  const { skeleton, found } = notation.find(answer, key, prompt)
  const differ = (i: number, j: number) => {
    const [one, other] = [found[i], found[j]]
    return one !== undefined && other !== undefined && notation.compare(one, other, '').share < 1
  }
  const stance = readStance(skeleton, prompt, differ)
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (meant === undefined)
    return notation.otherwise ? notation.otherwise(answer, skeleton, found, key) : exactJudgement(0, UNSURE, 'unclear')
  const { share, confidence, remark } = notation.compare(key, meant, prompt)
  if (stance.denied) return exactJudgement(0, share === 1 ? 0.92 : 0.6, 'exact_wrong')
  const sure = stance.understood ? confidence : Math.min(confidence, share === 1 ? 0.8 : 0.75)
  return exactJudgement(share, sure, remark ?? (share === 1 ? 'exact_right' : share > 0 ? 'unclear' : 'exact_wrong'))
}
