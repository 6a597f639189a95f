import type { Judgement } from '../judgement.ts'
import { judgeChain } from './chain.ts'
import { judgeChange } from './change.ts'
import { judgeLabelledNumber } from './labelled-number.ts'
import { judgeMargin } from './margin.ts'
import { judgeNumbered } from './numbered.ts'
import { judgeSequence } from './sequence.ts'
import { judgeThing } from './thing.ts'

/** Answers in words that come to an exact result: values in order, a margin, a change, a thing by its name or sign; null for any other key. */
export function judgeWorded(prompt: string, accepted: string[], answer: string, points: number): Judgement | null {
  return (
    judgeSequence(prompt, accepted, answer, points) ??
    judgeChange(prompt, accepted, answer) ??
    judgeMargin(accepted, answer) ??
    judgeLabelledNumber(prompt, accepted, answer) ??
    judgeNumbered(prompt, accepted, answer) ??
    judgeChain(prompt, accepted, answer) ??
    judgeThing(prompt, accepted, answer)
  )
}
