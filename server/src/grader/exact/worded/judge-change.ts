import { normalizeDirections } from '../../text/statements.ts'
import { directionOf, isNegated, isStopWord } from '../../text/terms.ts'
import { bestJudgement, exactJudgement, type Judgement, UNSURE, unclear, verdict } from '../judgement.ts'
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
  if (isNegated(answer) || /\?|\b(?:maybe|or)\b/i.test(answer)) return unclear()
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
  if (right && given.way === key.way) return verdict(true, understood ? SURE : NOT_ALL_UNDERSTOOD)
  const scaled = matches.some((match) => match === 'unit_wrong' || match === 'scale_wrong')
  return right || scaled || !sized ? unclear(0.5) : exactJudgement(0.25, 0.6, 'exact_wrong')
}

const positive = (one: WrittenQuantity): WrittenQuantity => ({ ...one, value: Math.abs(one.value) })

interface Margin {
  from: WrittenQuantity
  to: WrittenQuantity
  words: string[]
}

const PLUS_MINUS = /±|\+\s?\/\s?-|\+-|\b(?:plus\s*(?:\/|or|and)\s*minus|give\s+or\s+take)\b|\+\s+or\s+-/gi
const DAY =
  /\b(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?=\d{4}\b)/gi
const BETWEEN = /#(\d+)#\s*(?:-|\bto\b|\bup\s+to\b|\band\b)\s*#(\d+)#/i
const BOTH_ENDS = /\b(?:beg[aiu]n|start(?:ed)?)\s+and\s+(?:(?:it|did)\s+)*(?:end|finish|stop)/i
const FILLER_OF_MARGIN =
  /^(?:between|from|about|around|approximately|roughly|range|of|the|a|an|it|is|are|to|and|items?|values?|answer|there|can|be|in|lasts?|takes?|at|once|any|anything|ph|by)$/

export function readMargin(text: string, key: string): Margin | null {
  if (text.length > 200 || !/\d|\b(?:to|and|or)\b/i.test(text)) return null
  const whole = /\d{4}\s*[-–]\s*\d{4}/.test(key)
    ? text.replace(/\b(\d\d)(\d\d)\s*\/\s*(\d\d)\b(?!\d)/, '$1$2–$1$3')
    : text
  const plain = whole
    .replace(PLUS_MINUS, ' ± ')
    .replace(DAY, '')
    .replace(/\b(?:un)?till?\b/gi, 'to')
    .replace(/(\p{L}|\d)\s*[-–—]\s*(?=\d)/gu, '$1 to ')
  const { skeleton, quantities } = scanQuantities(plain, scanOptionsOf(key))
  const made = marginOf(skeleton.replace(/[()]/g, ''), quantities) ?? (text === key ? null : listedMargin(quantities))
  if (!made) return null
  const words = (skeleton.replace(/#\d+#/g, ' ').match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase())
  return { ...made, words: words.filter((word) => !FILLER_OF_MARGIN.test(word)) }
}

function marginOf(skeleton: string, quantities: WrittenQuantity[]): Omit<Margin, 'words'> | null {
  const [, middleAt, byAt] = /#(\d+)#\s*(?:\p{L}+\s*)?,?\s*±\s*#(\d+)#/u.exec(skeleton) ?? []
  const [middle, by] = [quantities[Number(middleAt)], quantities[Number(byAt)]]
  if (middle && by) {
    if (quantities.length > 2) return null
    const unit = middle.unit ?? by.unit
    const end = (value: number): WrittenQuantity => ({ ...middle, unit, value: Number(value.toPrecision(12)) })
    return { from: end(middle.value - by.value), to: end(middle.value + by.value) }
  }
  const [, fromAt, toAt] = BETWEEN.exec(skeleton) ?? []
  const [from, to] = [quantities[Number(fromAt)], quantities[Number(toAt)]]
  if (from && to && quantities.length === 2 && (/\b(?:to|between|from)\b/i.test(skeleton) || /-/.test(skeleton)))
    return { from: { ...from, unit: from.unit ?? to.unit }, to: { ...to, unit: to.unit ?? from.unit } }
  return null
}

function listedMargin(quantities: WrittenQuantity[]): Omit<Margin, 'words'> | null {
  const last = quantities.at(-1)
  const [first] = quantities
  const listed = quantities.length > 2 && quantities.every(({ value }, i) => value === (first?.value ?? 0) + i)
  return listed && first && last ? { from: { ...first, unit: last.unit }, to: last } : null
}

/** Null where the key is no margin, or the answer is none and contradicts nothing. */
export function judgeMargin(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.flatMap((text) => {
    const key = readMargin(text, text)
    return key && key.words.length <= 2 ? [{ key, text }] : []
  })
  if (keys.length === 0) return null
  return bestJudgement(keys.map(({ key, text }) => judgeEnds(key, text, answer, BOTH_ENDS.test(prompt))))
}

function judgeEnds(key: Margin, text: string, answer: string, both: boolean): Judgement {
  const given = readMargin(answer, text)
  if (!given) {
    const { quantities } = scanQuantities(answer, scanOptionsOf(text))
    const [only, ...more] = quantities
    const within = only !== undefined && only.value >= key.from.value && only.value <= key.to.value
    return only && more.length === 0 && !within ? verdict(false, 0.85) : unclear(within ? 0.5 : 0)
  }
  if (/\bnot\b|n['’]t\b/i.test(answer)) return unclear()
  const ends = [compareQuantities(asKey(key.from), given.from), compareQuantities(asKey(key.to), given.to)]
  const right = ends.every((end) => end === 'right' || end === 'unit_missing')
  const understood = given.words.every(
    (word) => key.words.includes(word) || text.toLowerCase().includes(word.replace(/s$/, '')),
  )
  const unitless = ends.includes('unit_missing') && key.from.unit?.readings.length
  if (right) return verdict(true, unitless ? 0.85 : understood ? 0.93 : 0.8)
  if (both && ends.includes('right')) return unclear(0.5)
  const scale = ends.every((end) => end === 'unit_wrong' || end === 'scale_wrong')
  return scale ? exactJudgement(0.25, 0.7, 'unit_wrong') : verdict(false, understood ? 0.89 : 0.75)
}
