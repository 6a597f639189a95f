import type { Judgement } from '../judgement.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { readQuantity } from '../quantity.ts'
import { judgeChain } from './judge-chain.ts'
import { judgeChange } from './judge-change.ts'
import { judgeLabelledNumber } from './judge-labelled-number.ts'
import { judgeMargin } from './judge-margin.ts'
import { judgeNamedThing } from './judge-named-thing.ts'
import { judgeNumbered } from './judge-numbered.ts'
import { judgeSequence } from './judge-sequence.ts'

/** Answers in words that come to an exact result: values in order, a margin, a change, a thing by its name or sign; null for any other key. */
export function judgeWorded(prompt: string, accepted: string[], answer: string, points: number): Judgement | null {
  return (
    judgeSequence(prompt, accepted, answer, points) ??
    judgeChange(prompt, accepted, answer) ??
    judgeMargin(accepted, answer) ??
    judgeLabelledNumber(prompt, accepted, answer) ??
    judgeNumbered(prompt, accepted, answer) ??
    judgeChain(prompt, accepted, answer) ??
    judgeNamedThing(prompt, accepted, answer) ??
    judgeNumberAmong(prompt, accepted, answer)
  )
}

/** “doubles; accept 3.8 mA”: the number that is accepted for words. */
function judgeNumberAmong(prompt: string, accepted: string[], answer: string): Judgement | null {
  const numbers = accepted.slice(1).filter((text) => readQuantity(text) !== null)
  if (numbers.length === 0 || !/\d/.test(answer)) return null
  const judged = judgeNumber(prompt, numbers, answer)
  return judged.share >= 0.75 ? { ...judged, confidence: Math.min(judged.confidence, 0.85) } : null
}
