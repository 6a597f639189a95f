import { truthValueOf } from './choices/judge-true-false.ts'
import { type Judgement, verdict } from './judgement.ts'

const SURE = 0.95

/** “yes no”, “T, F, F”: two verdicts or more; null for anything else. */
function verdictsIn(text: string): boolean[] | null {
  const words = text
    .toLowerCase()
    .split(/[\s,;|/]+/)
    .map((word) => word.replace(/[.:()]/g, ''))
    .filter((word) => word !== '')
  const found = words.map((word) => truthValueOf(word)?.value)
  return words.length >= 2 && found.every((one) => one !== undefined) ? found : null
}

export function judgeVerdicts(accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map(verdictsIn).filter((key) => key !== null)
  const given = verdictsIn(answer)
  if (keys.length === 0 || !given) return null
  const right = keys.some((key) => key.length === given.length && key.every((one, i) => one === given[i]))
  return verdict(right, SURE)
}
