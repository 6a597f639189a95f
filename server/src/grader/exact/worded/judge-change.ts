import { directionOf } from '../../text/antonyms.ts'
import { normalizeDirections } from '../../text/directions.ts'
import { isNegated } from '../../text/negation.ts'
import { isStopWord } from '../../text/terms.ts'
import { exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { type Scan, scanQuantities, type WrittenQuantity } from '../numbers/scan-quantities.ts'
import { asKey, compareQuantities, countedNounsIn, decimalMarkOf } from '../quantity.ts'

/** “It falls by $20”: which way, by how much, from what to what, or how many times. */
interface Change {
  way: 1 | -1 | 0
  amount: WrittenQuantity | null
  ends: [WrittenQuantity, WrittenQuantity] | null
  /** “doubles” is 2, “halves” a half. */
  factor: number | null
  words: string[]
}

const SURE = 0.92
const NOT_ALL_UNDERSTOOD = 0.8
/** A key with more words than this says more than its change, and is compared as text. */
const MOST_WORDS = 2
/** Words besides comparatives (“lower”, “speeds up”) that give a direction. */
const WAYS = new Map<string, 1 | -1>([
  ...'up growth upwards extra additional warmed added adds plus sped speeds'
    .split(' ')
    .map((word): [string, 1] => [word, 1]),
  ...'down loss losses reduction downwards minus deficit slow slowed slows'
    .split(' ')
    .map((word): [string, -1] => [word, -1]),
])
const FACTORS: [RegExp, number][] = [
  [/\b(?:doubl\w+|twice|two\s+times)\b/i, 2],
  [/\b(?:tripl\w+|trebl\w+|three\s+times)\b/i, 3],
  [/\bhal(?:ves|ved|ving)\b|\bhalf\s+as\b/i, 0.5],
]
const ENDS =
  /(?:\bfrom|\bwas|\bof|^|[^\w]|\bis)\s*#(\d+)#(?:[^#.;]{0,24}?)\s*(?:\bto\b|→|->|\bnow\b(?:\s+is)?)\s*#(\d+)#/i
/** “7 ± 2” does not change. */
const MARGIN = /±|\bplus\s*(?:\/|or|and)\s*minus\b|\+\s?\/\s?-/i
/** “a week”, “/day”: what is told for each goes without saying. */
const RATE = /(?:\b(?:per|an?|each|every)\s+|\s?\/\s?)(?:day|week|month|year|hour|minute|second)s?\b/gi
const FILLER =
  /^(?:it|its|they|we|goes|go|went|gone|gets|get|has|been|being|change|changes|changed|will|week|weekly|month|day|year|each|every|per|total|answer|overall|there|would|amount|value|now|people|so|therefore|new|original|old|in|an?|effect|speed|direction|time|times|much|means?|which)$/

function readChange({ skeleton, quantities }: Scan): Change {
  const plain = normalizeDirections(skeleton)
  const words = (plain.replace(/#\d+#/g, ' ').match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase())
  const ends = endsIn(plain, quantities)
  const [by] = /(?<=\bby\s*[-+]?\s*)#\d+#/.exec(plain) ?? /(?<=\bof\s*)#\d+#/.exec(plain) ?? []
  const byIndex = by === undefined ? -1 : Number(by.slice(1, -1))
  const [, fromAt, toAt] = ends ? (ENDS.exec(plain) ?? []) : []
  const own = quantities.filter((_, i) => i !== Number(fromAt ?? -1) && i !== Number(toAt ?? -1))
  const told = quantities[byIndex]
  const amount = told && own.includes(told) ? told : (own.at(-1) ?? null)
  const factor = FACTORS.find(([pattern]) => pattern.test(plain))?.[1] ?? null
  const ways = new Set(words.map(wayOf).filter((way) => way !== 0))
  const [only] = ways
  const way =
    ways.size === 1 && only !== undefined ? only : ways.size > 1 ? 0 : wayWithoutWords(plain, amount, ends, factor)
  return { way, amount, ends, factor, words }
}

const wayOf = (word: string): 1 | -1 | 0 => WAYS.get(word) ?? directionOf(word)

function wayWithoutWords(
  plain: string,
  amount: Change['amount'],
  ends: Change['ends'],
  factor: number | null,
): 1 | -1 | 0 {
  if (/\bprofit\s+of\s+#|#\d+#\s+profit\b/i.test(plain)) return 1
  if (factor !== null) return factor > 1 ? 1 : -1
  if (ends) return ends[1].value > ends[0].value ? 1 : -1
  if (amount && amount.value < 0) return -1
  return amount && /^\s*\+/.test(amount.raw) ? 1 : 0
}

function endsIn(skeleton: string, quantities: WrittenQuantity[]): Change['ends'] {
  const [, fromAt, toAt] = ENDS.exec(skeleton) ?? []
  const [from, to] = [quantities[Number(fromAt)], quantities[Number(toAt)]]
  if (!from || !to || from.value === to.value) return null
  return [
    { ...from, unit: from.unit ?? to.unit },
    { ...to, unit: to.unit ?? from.unit },
  ]
}

const scanned = (text: string, key: string): Scan =>
  // “+$5” keeps its sign, “rises, 5” has none.
  scanQuantities(text.replace(RATE, ' ').replace(/\+\s*(?=[$€£¥])/g, 'plus '), {
    things: countedNounsIn(key),
    mark: decimalMarkOf(key),
  })

/** Null where the key says more than how much something changes and which way. */
export function judgeChange(prompt: string, accepted: string[], answer: string): Judgement | null {
  const known = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))
  const telling = (words: string[]) =>
    words.filter(
      (word) =>
        word.length > 1 &&
        !isStopWord(word) &&
        !FILLER.test(word) &&
        wayOf(word) === 0 &&
        !known.has(stem(word)) &&
        !/^(?:doubl|tripl|twice|half|halv)/.test(word),
    )
  const keys = accepted.flatMap((text) => {
    if (text.length > 120 || isNegated(text) || MARGIN.test(text)) return []
    const scan = scanned(text, text)
    const key = readChange(scan)
    const counted = scan.quantities.length
    const is = key.way !== 0 && key.words.some((word) => wayOf(word) !== 0 || /^(?:doubl|tripl|halv)/.test(word))
    const size = key.amount ?? key.ends ?? key.factor
    return is && size !== null && counted <= 3 && telling(key.words).length <= MOST_WORDS ? [{ key, text }] : []
  })
  if (keys.length === 0) return null
  const judged = keys.map(({ key, text }) => judgeAgainst(key, readChange(scanned(answer, text)), answer, telling))
  const best = judged.reduce((one, other) => (other.share > one.share ? other : one))
  // What else is accepted is not of this kind.
  return best.share < 1 && keys.length < accepted.length ? null : best
}

const stem = (word: string) => word.replace(/(?:e?s|ed|ing)$/, '')

function judgeAgainst(key: Change, given: Change, answer: string, telling: (words: string[]) => string[]): Judgement {
  const sized = given.amount !== null || given.ends !== null || given.factor !== null
  if (isNegated(answer) || /\?|\b(?:maybe|or)\b/i.test(answer)) return exactJudgement(0, UNSURE, 'unclear')
  if (given.way === 0 && !sized)
    return /\b(?:same|unchanged|constant|no\s+change)\b/i.test(answer)
      ? exactJudgement(0, 0.85, 'exact_wrong')
      : exactJudgement(0, UNSURE, 'unclear')
  if (given.way !== 0 && given.way !== key.way)
    return given.amount && given.amount.value < 0
      ? exactJudgement(0, UNSURE, 'unclear')
      : exactJudgement(0, 0.9, 'exact_wrong')
  const size = sized ? sameSize(key, given) : null
  const understood = telling(given.words).length <= MOST_WORDS + 1
  if (size === 'right' && given.way === key.way)
    return exactJudgement(1, understood ? SURE : NOT_ALL_UNDERSTOOD, 'exact_right')
  if (size === 'right' || size === 'unit') return exactJudgement(0.5, UNSURE, 'unclear')
  // The way without how much, or with another amount.
  return size === null ? exactJudgement(0.5, UNSURE, 'unclear') : exactJudgement(0.25, 0.6, 'exact_wrong')
}

function sameSize(key: Change, given: Change): 'right' | 'unit' | 'wrong' {
  const wanted = amountsOf(key)
  const has = amountsOf(given)
  const matches = wanted.flatMap((one) => has.map((other) => compareQuantities(asKey(positive(one)), positive(other))))
  if (matches.some((match) => match === 'right' || match === 'unit_missing')) return 'right'
  if (key.factor !== null && key.factor === given.factor) return 'right'
  if (key.ends && given.ends && key.ends.every((end, i) => sameEnd(end, given.ends?.[i]))) return 'right'
  return matches.some((match) => match === 'unit_wrong' || match === 'scale_wrong') ? 'unit' : 'wrong'
}

const sameEnd = (key: WrittenQuantity, given: WrittenQuantity | undefined): boolean =>
  given !== undefined && ['right', 'unit_missing'].includes(compareQuantities(asKey(key), given))

/** The stated amount, and the difference between the ends. */
function amountsOf({ amount, ends }: Change): WrittenQuantity[] {
  const between = ends
    ? [
        {
          ...ends[0],
          form: 'decimal' as const,
          value: Number((ends[1].value - ends[0].value).toPrecision(10)),
          decimals: Math.max(ends[0].decimals, ends[1].decimals),
        },
      ]
    : []
  return [...(amount ? [amount] : []), ...between]
}

const positive = (one: WrittenQuantity): WrittenQuantity => ({ ...one, value: Math.abs(one.value) })
