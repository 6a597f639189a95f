import { isNegated } from '../../text/negation.ts'
import { wordsOf } from '../../text/terms.ts'
import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
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

/** “−0.5 (inelastic)”, “12 %, low”: a number and what it is called. */
interface LabelledNumber {
  number: string
  words: string[]
}

const KEY =
  /^\s*([^()\p{L}]*\d[^()]{0,16}?)\s*(?:\(\s*([\p{L}][\p{L}\s-]{2,40})\)|[,;:–—]\s+(?:so\s+)?(?:it\s+is\s+)?([\p{L}][\p{L}\s-]{2,40}))\s*\.?\s*$/u
const ASKS_FOR_BOTH = /\band\b|\b(?:mean|means|say|state|describe|interpret|comment|classif\w+|type|explain)\b/i

function readKey(text: string): LabelledNumber | null {
  const [, number = '', bracketed, listed] = KEY.exec(text) ?? []
  const words = wordsOf(bracketed ?? listed ?? '')
  if (number === '' || words.length === 0 || words.length > MOST_WORDS || !readQuantity(number)) return null
  return { number, words }
}

/** The label counts where it is asked for, and must not be its opposite. Null where the key is none. */
function judgeLabelledNumber(prompt: string, accepted: string[], answer: string): Judgement | null {
  const key = accepted.map(readKey).find((one) => one !== null)
  if (!key || isNegated(answer)) return null
  const given = wordsOf(answer)
  const named = key.words.every((word) => given.includes(word))
  const turned = given.some((word) =>
    key.words.some((own) => own !== word && (opposite(own, word) || opposite(word, own))),
  )
  const number = /\d/.test(answer) ? judgeNumber(prompt, [key.number], answer.replace(/[(),;]/g, ' , ')) : null
  if (number === null)
    return named
      ? exactJudgement(0.5, UNSURE, 'unclear')
      : exactJudgement(0, turned ? 0.85 : UNSURE, turned ? 'exact_wrong' : 'unclear')
  if (number.share < 1)
    return named && !turned ? exactJudgement(Math.max(0.25, number.share), UNSURE, 'unclear') : number
  if (turned) return exactJudgement(0.5, UNSURE, 'unclear')
  if (named) return exactJudgement(1, 0.92, 'exact_right')
  return ASKS_FOR_BOTH.test(prompt) ? exactJudgement(0.5, UNSURE, 'unclear') : exactJudgement(1, 0.8, 'exact_right')
}

/** “elastic” and “inelastic”, “stable” and “unstable”. */
const opposite = (word: string, other: string): boolean =>
  /^(?:in|un|non|im|dis)$/.test(other.slice(0, -word.length)) && other.endsWith(word)

const MOST_WORDS = 3
