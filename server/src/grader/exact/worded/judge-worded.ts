import { spellingSimilarity } from '../../text/fuzzy-match.ts'
import { isNegated } from '../../text/negation.ts'
import { isStopWord, wordsOf } from '../../text/terms.ts'
import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { judgeOrder } from '../list-answers.ts'
import { membersOf } from '../list-members.ts'
import { judgeNumber } from '../numbers/judge-number.ts'
import { readQuantity } from '../quantity.ts'
import { judgeChange } from './judge-change.ts'
import { judgeMargin } from './judge-margin.ts'
import { judgeNamedThing } from './judge-named-thing.ts'
import { judgeSequence } from './judge-sequence.ts'

/** Values in order, a margin, a change, a named thing; null for any other key. */
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

const ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
  seventeenth eighteenth nineteenth twentieth`.split(/\s+/)
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const ROMAN = /^(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/
const ROMAN_DIGITS = new Map([
  ['I', 1],
  ['V', 5],
  ['X', 10],
  ['L', 50],
  ['C', 100],
])
/** Words that key or answer may have or lack. */
const OPTIONAL =
  /^(?:century|centuries|c|cent|the|king|queen|pope|emperor|tsar|in|of|it|was|is|ad|ce|war|floor|place|grade|year|period|group|chapter)$/i

interface Numbered {
  number: number
  words: string[]
}

/** A name with one number, such as “Louis XIV”, “the 12th century”; null for anything else. */
function readNumbered(text: string): Numbered | null {
  const numbers: number[] = []
  const words: string[] = []
  for (const word of text.normalize('NFKC').match(/[\p{L}\d]+(?:-\p{L}+)?/gu) ?? []) {
    const number = numberOf(word)
    if (number !== null) numbers.push(number)
    else words.push(word.toLowerCase())
  }
  const [number, ...more] = numbers
  return number === undefined || more.length > 0 ? null : { number, words }
}

function numberOf(word: string): number | null {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/i.exec(word)?.[1]
  if (digits !== undefined) return Number(digits)
  const [ten = '', one = ''] = word.toLowerCase().split('-')
  const tens = TENS.indexOf(ten)
  if (tens >= 0 && ORDINALS.indexOf(one) >= 0) return (tens + 2) * 10 + ORDINALS.indexOf(one) + 1
  const named = ORDINALS.indexOf(word.toLowerCase())
  if (named >= 0) return named + 1
  // A lone “I” is the student.
  return ROMAN.test(word) && word.length > 1 ? romanValue(word) : /^[VX]$/.test(word) ? romanValue(word) : null
}

function romanValue(word: string): number {
  const values = [...word].map((letter) => ROMAN_DIGITS.get(letter) ?? 0)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}

/** Null where the key is no ordinal or Roman number with a name, or the answer has none. */
function judgeNumbered(prompt: string, accepted: string[], answer: string): Judgement | null {
  if (/\broman\b|\bdigits\b|\bin\s+words\b/i.test(prompt) || answer.length > 80) return null
  const keys = accepted.flatMap((text) => (isNumberedName(text) ? (readNumbered(text) ?? []) : []))
  const given = readNumbered(answer)
  if (keys.length === 0 || keys.length < accepted.length || !given) return null
  if (isNegated(answer) || /\bor\b/i.test(answer)) return exactJudgement(0, UNSURE, 'unclear')
  const known = new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? [])
  const telling = (words: string[]) =>
    words.filter((word) => !OPTIONAL.test(word) && !isStopWord(word) && !known.has(word))
  const fits = keys.some(
    (key) =>
      key.number === given.number &&
      telling(key.words).every((word) => given.words.some((other) => spellingSimilarity(word, other) >= 0.8)),
  )
  const understood = telling(given.words).every((word) =>
    keys.some((key) => key.words.some((other) => spellingSimilarity(word, other) >= 0.8)),
  )
  if (fits) return exactJudgement(1, understood ? 0.92 : 0.75, 'exact_right')
  if (keys.some((key) => key.number === given.number)) return null
  return exactJudgement(0, understood ? 0.88 : 0.75, 'exact_wrong')
}

/** An ordinal or Roman number and at most three words; a bare number is compared as one. */
const isNumberedName = (text: string): boolean => {
  const words = text.match(/[\p{L}\d]+/gu) ?? []
  return (
    words.length >= 1 &&
    words.length <= MOST_WORDS + 1 &&
    words.some((word) => /\p{L}/u.test(word) && numberOf(word) !== null)
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

const ARROW = /→|⟶|➔|=>|->|\s>\s|\s<\s|\bthen\b/g
const MOST_WORDS = 3

/** “grass → rabbit → fox”: arrows between three things and more put them in order, whatever the prompt says. */
function judgeChain(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.filter((text) => {
    const members = membersOf(text)
    const arrows = text.match(ARROW)?.length ?? 0
    const short = members.every((member) => member.split(/\s+/).length <= MOST_WORDS)
    return text.length <= 160 && members.length > 2 && arrows === members.length - 1 && short && !/[=+]/.test(text)
  })
  return keys.length > 0 && keys.length === accepted.length ? judgeOrder(keys, answer, prompt) : null
}
