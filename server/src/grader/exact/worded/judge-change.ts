import { normalizeDirections } from '../../text/directions.ts'
import { directionOf, isNegated, isStopWord } from '../../text/terms.ts'
import { exactJudgement, type Judgement, UNSURE } from '../judgement.ts'
import { scanQuantities, type WrittenQuantity } from '../numbers/scan-quantities.ts'
import { asKey, compareQuantities, scanOptionsOf } from '../quantity.ts'

/** `amounts`: those told, and the step from one to the next. */
interface Change {
  way: 1 | -1 | 0
  amounts: WrittenQuantity[]
  /** “doubles” is 2, “halves” a half. */
  factor: number | null
  words: string[]
}

const SURE = 0.92
const NOT_ALL_UNDERSTOOD = 0.8
/** A key with more words says more than its change. */
const MOST_WORDS = 2
const MOST_QUANTITIES = 3
/** Besides comparatives (“lower”, “speeds up”). */
const UP = /^(?:up|growth|upwards|extra|additional|warmed|added|adds|plus|sped|speeds)$/
const DOWN = /^(?:down|loss|losses|reduction|downwards|minus|deficit|slow|slowed|slows)$/
const FACTORS: [RegExp, number][] = [
  [/\b(?:doubl\w+|twice|two\s+times)\b/i, 2],
  [/\b(?:tripl\w+|trebl\w+|three\s+times)\b/i, 3],
  [/\bhal(?:ves|ved|ving)\b|\bhalf\s+as\b/i, 0.5],
]
const ENDS =
  /(?:\bfrom|\bwas|\bof|^|[^\w]|\bis)\s*#(\d+)#(?:[^#.;]{0,24}?)\s*(?:\bto\b|→|->|\bnow\b(?:\s+is)?)\s*#(\d+)#/i
/** “7 ± 2” does not change. */
const MARGIN = /±|\bplus\s*(?:\/|or|and)\s*minus\b|\+\s?\/\s?-/i
/** “a week”, “/day”: the period may be left out. */
const RATE = /(?:\b(?:per|an?|each|every)\s+|\s?\/\s?)(?:day|week|month|year|hour|minute|second)s?\b/gi
const FILLER =
  /^(?:its|it|they|we|goes|go|went|gone|gets|get|has|been|being|change|changes|changed|will|week|weekly|month|day|year|each|every|per|total|answer|overall|there|would|amount|value|now|people|so|therefore|new|original|old|in|an?|effect|speed|direction|time|times|much|means?|which)$/

export const wayOf = (word: string): 1 | -1 | 0 => (UP.test(word) ? 1 : DOWN.test(word) ? -1 : directionOf(word))

function readChange(text: string, key: string): Change {
  // “+$5” keeps its sign, “rises, 5” has none.
  const plussed = text.replace(RATE, ' ').replace(/\+\s*(?=[$€£¥])/g, 'plus ')
  const { skeleton, quantities } = scanQuantities(plussed, scanOptionsOf(key))
  const plain = normalizeDirections(skeleton)
  const words = (plain.replace(/#\d+#/g, ' ').match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase())
  const [, fromAt, toAt] = ENDS.exec(plain) ?? []
  const [from, to] = [quantities[Number(fromAt)], quantities[Number(toAt)]]
  const ends = from && to && from.value !== to.value ? { from, to } : null
  const own = quantities.filter((one) => one !== ends?.from && one !== ends?.to)
  const step = ends ? Number((ends.to.value - ends.from.value).toPrecision(10)) : 0
  const unit = ends?.from.unit ?? ends?.to.unit ?? null
  const steps = ends ? [{ ...ends.from, form: 'decimal' as const, value: step, unit }] : []
  const factor = FACTORS.find(([pattern]) => pattern.test(plain))?.[1] ?? null
  const [told, ...more] = new Set(words.map(wayOf).filter((way) => way !== 0))
  const last = own.at(-1)
  const signed = last && (last.value < 0 || /^\s*\+/.test(last.raw)) ? Math.sign(last.value) : 0
  const untold = /\bprofit\s+of\s+#|#\d+#\s+profit\b/i.test(plain) ? 1 : factor ? factor - 1 : step || signed
  const way = more.length > 0 ? 0 : (told ?? Math.sign(untold))
  return { way: way > 0 ? 1 : way < 0 ? -1 : 0, amounts: [...own, ...steps], factor, words }
}

/** Null where the key says more than the size and direction of a change. */
export function judgeChange(prompt: string, accepted: string[], answer: string): Judgement | null {
  const known = new Set((prompt.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem))
  const scales = (word: string) => /^(?:doubl|tripl|twice|half|halv)/.test(word)
  const untold = ({ words }: Change): number =>
    words.filter(
      (word) =>
        word.length > 1 &&
        !isStopWord(word) &&
        !FILLER.test(word) &&
        wayOf(word) === 0 &&
        !known.has(stem(word)) &&
        !scales(word),
    ).length
  const keys = accepted.flatMap((text) => {
    if (text.length > 120 || isNegated(text) || MARGIN.test(text)) return []
    const key = readChange(text, text)
    const is = key.way !== 0 && key.words.some((word) => wayOf(word) !== 0 || scales(word))
    const sized = key.amounts.length > 0 || key.factor !== null
    return is && sized && key.amounts.length <= MOST_QUANTITIES && untold(key) <= MOST_WORDS ? [{ key, text }] : []
  })
  if (keys.length === 0) return null
  const judged = keys.map(({ key, text }) => {
    const given = readChange(answer, text)
    return judgeAgainst(key, given, answer, untold(given) <= MOST_WORDS + 1)
  })
  const best = judged.reduce((one, other) => (other.share > one.share ? other : one))
  return best.share < 1 && keys.length < accepted.length ? null : best
}

const stem = (word: string) => word.replace(/(?:e?s|ed|ing)$/, '')

function judgeAgainst(key: Change, given: Change, answer: string, understood: boolean): Judgement {
  const sized = given.amounts.length > 0 || given.factor !== null
  if (isNegated(answer) || /\?|\b(?:maybe|or)\b/i.test(answer)) return exactJudgement(0, UNSURE, 'unclear')
  if (given.way === 0 && !sized) {
    const same = /\b(?:same|unchanged|constant|no\s+change)\b/i.test(answer)
    return exactJudgement(0, same ? 0.85 : UNSURE, same ? 'exact_wrong' : 'unclear')
  }
  if (given.way !== 0 && given.way !== key.way) {
    const signed = given.amounts.some(({ value }) => value < 0)
    return exactJudgement(0, signed ? UNSURE : 0.9, signed ? 'unclear' : 'exact_wrong')
  }
  const matches = key.amounts.flatMap((one) =>
    given.amounts.map((other) => compareQuantities(asKey(positive(one)), positive(other))),
  )
  const right =
    matches.some((match) => match === 'right' || match === 'unit_missing') ||
    (key.factor !== null && key.factor === given.factor)
  if (right && given.way === key.way) return exactJudgement(1, understood ? SURE : NOT_ALL_UNDERSTOOD, 'exact_right')
  const scaled = matches.some((match) => match === 'unit_wrong' || match === 'scale_wrong')
  return right || scaled || !sized ? exactJudgement(0.5, UNSURE, 'unclear') : exactJudgement(0.25, 0.6, 'exact_wrong')
}

const positive = (one: WrittenQuantity): WrittenQuantity => ({ ...one, value: Math.abs(one.value) })
