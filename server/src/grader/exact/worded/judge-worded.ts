import { isNegated } from '../../text/negation.ts'
import { wordsOf } from '../../text/terms.ts'
import { exactJudgement, type Judgement, UNSURE } from '../judgement.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { readQuantity } from '../quantity.ts'
import { judgeChange } from './judge-change.ts'
import { judgeMargin } from './judge-margin.ts'
import { judgeName } from './judge-name.ts'

/** A margin, a change, a named thing; null for any other key. */
export function judgeWorded(prompt: string, accepted: string[], answer: string): Judgement | null {
  return (
    judgeChange(prompt, accepted, answer) ??
    judgeMargin(prompt, accepted, answer) ??
    judgeLabelledNumber(prompt, accepted, answer) ??
    judgeName(prompt, accepted, answer)
  )
}

const KEY =
  /^\s*([^()\p{L}]*\d[^()]{0,16}?)\s*(?:\(\s*([\p{L}][\p{L}\s-]{2,40})\)|[,;:–—]\s+(?:so\s+)?(?:it\s+is\s+)?([\p{L}][\p{L}\s-]{2,40}))\s*\.?\s*$/u
const ASKS_FOR_BOTH = /\band\b|\b(?:mean|means|say|state|describe|interpret|comment|classif\w+|type|explain)\b/i
const MOST_WORDS = 3

/** “−0.5 (inelastic)”: the word counts where it is asked for, and must not be its opposite. Null where the key is none. */
function judgeLabelledNumber(prompt: string, accepted: string[], answer: string): Judgement | null {
  const [, number = '', bracketed, listed] = accepted.map((key) => KEY.exec(key)).find((one) => one !== null) ?? []
  const words = wordsOf(bracketed ?? listed ?? '')
  if (words.length === 0 || words.length > MOST_WORDS || !readQuantity(number) || isNegated(answer)) return null
  const given = wordsOf(answer)
  const named = words.every((word) => given.includes(word))
  const turned = given.some((word) => words.some((own) => own !== word && (opposite(own, word) || opposite(word, own))))
  if (!/\d/.test(answer)) return exactJudgement(named ? 0.5 : 0, turned ? 0.85 : UNSURE, 'unclear')
  const judged = judgeNumber(prompt, [number], answer.replace(/[(),;]/g, ' , '))
  if (judged.share < 1)
    return named && !turned ? exactJudgement(Math.max(0.25, judged.share), UNSURE, 'unclear') : judged
  if (turned || (!named && ASKS_FOR_BOTH.test(prompt))) return exactJudgement(0.5, UNSURE, 'unclear')
  return exactJudgement(1, named ? 0.92 : 0.8, 'exact_right')
}

/** “elastic” and “inelastic”, “stable” and “unstable”. */
const opposite = (word: string, other: string): boolean =>
  /^(?:in|un|non|im|dis)$/.test(other.slice(0, -word.length)) && other.endsWith(word)
