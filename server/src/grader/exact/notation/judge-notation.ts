import type { Judgement } from '../judgement.ts'
import { judgeComplexity } from './asymptotic-complexity.ts'
import { judgeTime } from './clock-time.ts'
import { judgeDate } from './date.ts'
import { judgeDigits } from './digits.ts'
import { judgeInterval } from './interval.ts'
import { judgeOutput } from './program-output.ts'
import { judgeRatio } from './ratio.ts'
import { judgeTuple } from './tuple.ts'

/** What has a notation of its own, told by the key; the first that knows it judges. */
const JUDGES = [judgeOutput, judgeDigits, judgeTime, judgeDate, judgeComplexity, judgeInterval, judgeTuple, judgeRatio]

/** Dates, times, intervals, coordinates, ratios, binary numbers and what a program prints; null when the key is none of them. */
export function judgeNotation(prompt: string, accepted: string[], answer: string): Judgement | null {
  for (const judge of JUDGES) {
    const judged = judge(prompt, accepted, answer)
    if (judged) return judged
  }
  return null
}
