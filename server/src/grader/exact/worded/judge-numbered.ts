import { spellingSimilarity } from '../../text/fuzzy-match.ts'
import { isNegated } from '../../text/negation.ts'
import { isStopWord } from '../../text/terms.ts'
import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'

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
/** Words that may be left out of the key or put beside it. */
const OPTIONAL =
  /^(?:century|centuries|c|cent|the|king|queen|pope|emperor|tsar|in|of|it|was|is|ad|ce|war|floor|place|grade|year|period|group|chapter)$/i
const MOST_WORDS = 3

interface Numbered {
  number: number
  words: string[]
}

/** “Louis XIV”, “the 12th century”: a name with one number, in digits, Roman ones or words; null for anything else. */
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
export function judgeNumbered(prompt: string, accepted: string[], answer: string): Judgement | null {
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
