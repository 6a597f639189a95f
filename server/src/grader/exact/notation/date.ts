import { digitsForWords, numeralOf } from '../numbers/plain-math.ts'
import { type Found, HALF, type Notation, RIGHT, WRONG } from './judge-by-notation.ts'

interface CalendarDate {
  year?: number
  month?: number
  day?: number
  /** 14/07 or 07/14: the other order is possible too. */
  swapped?: { month: number; day: number }
  shortYear?: boolean
  era?: 'BC' | 'AD'
  beside?: boolean
  vague?: boolean
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
const ERA = String.raw`(?:\s*(B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)(?![a-z]))`
const DAY = String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th)?`
const BESIDE =
  /\b(?:before|after|until|since|not\s+in|later\s+than|earlier\s+than)\s+(?:the\s+)?(?:year\s+)?#|#\s*(?:or|and)\s+(?:later|earlier|before|after)\b/i
const VAGUE = /\b(?:around|about|circa|approx\w*|c\.|roughly|maybe)|≈|~/i
const SEVERAL = /\b\d{3,4}\s*(?:[-–/]|\bto\b|\bor\b)\s*\d{2,4}\b(?!-)/i

type Reader = [RegExp, (groups: (string | undefined)[]) => CalendarDate]

const monthOf = (name = '') => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
const eraOf = (text?: string): CalendarDate['era'] => (text ? (/^b/i.test(text) ? 'BC' : 'AD') : undefined)

/** Fullest form first: text that one has read is hidden from the next. */
const READERS: Reader[] = [
  [
    /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g,
    ([, y, m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) }),
  ],
  [
    /(?<![\d/])(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4}|\d{2})(?!\d)/g,
    ([, a, b, y = '']) => ({
      day: Number(a),
      month: Number(b),
      swapped: { day: Number(b), month: Number(a) },
      year: Number(y),
      shortYear: y.length === 2,
    }),
  ],
  [
    new RegExp(String.raw`${DAY}\s*(?:of\s+)?${MONTH},?\s*(?:(\d{3,4})${ERA}?)?`, 'gi'),
    ([, d, m, y, era]) => ({ day: Number(d), month: monthOf(m), ...yearOf(y, era) }),
  ],
  [
    new RegExp(String.raw`\b${MONTH}\s*${DAY}(?!\d)(?:,?\s*(\d{3,4})${ERA}?)?`, 'gi'),
    ([, m, d, y, era]) => ({ day: Number(d), month: monthOf(m), ...yearOf(y, era) }),
  ],
  [
    new RegExp(String.raw`\b${MONTH},?\s*(?:of\s+)?(\d{3,4})${ERA}?`, 'gi'),
    ([, m, y, era]) => ({ month: monthOf(m), ...yearOf(y, era) }),
  ],
  [new RegExp(String.raw`(?<!\d)(\d{3,4})\s+${MONTH}`, 'gi'), ([, y, m]) => ({ year: Number(y), month: monthOf(m) })],
  [/(?<![\d/])(\d{1,2})\/(\d{4})(?!\d)/g, ([, m, y]) => ({ month: Number(m), year: Number(y) })],
  [/\b(A\.?D\.?|B\.?C\.?(?:E\.?)?)\s*(\d{1,4})(?!\d)/g, ([, era, y]) => yearOf(y, era)],
  [new RegExp(String.raw`(?<![\d.,])(\d{1,4})${ERA}`, 'gi'), ([, y, era]) => yearOf(y, era)],
  [/(?<![\d.,/-])(\d{3,4})(?![\d/])(?![.,]\d)/g, ([, y]) => ({ year: Number(y) })],
  [/(?<!\d)['’](\d{2})(?![\d'])/g, ([, y]) => ({ year: Number(y), shortYear: true })],
  [new RegExp(String.raw`\b${MONTH}`, 'gi'), ([, m]) => ({ month: monthOf(m) })],
]

const SHORT: Reader = [
  /(?<![\d/.])(\d{1,2})[./](\d{1,2})\.?(?!\d)/g,
  ([, a, b]) => ({ day: Number(a), month: Number(b), swapped: { day: Number(b), month: Number(a) } }),
]

function yearOf(year?: string, era?: string): CalendarDate {
  const its = eraOf(era)
  return { ...(year === undefined ? {} : { year: Number(year) }), ...(its ? { era: its } : {}) }
}

/** `short`: also 31.12. and 31/12. */
function datesIn(text: string, short = false): Found<CalendarDate> {
  const found: CalendarDate[] = []
  const readers = short ? [...READERS, SHORT] : READERS
  let skeleton = text
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/[–−]/g, '-')
    .replace(/#/g, ' ')
    .replace(/[a-z]+(?:-[a-z]+)?(?:st|nd|rd|th)\b/gi, (word) => String(numeralOf(word) ?? word))
  for (const [pattern, read] of readers)
    skeleton = skeleton.replace(pattern, (...match) => {
      const date = read(match.slice(0, -2) as (string | undefined)[])
      const valid =
        (date.month ?? 1) >= 1 &&
        ((date.month ?? 1) <= 12 || (date.swapped?.month ?? 13) <= 12) &&
        (date.day ?? 1) <= 31
      return valid ? `#${'abcdefghijklmnopqrstuvwxyz'[found.push(date) - 1] ?? 'z'}#` : String(match[0])
    })
  return { skeleton: skeleton.replace(/#([a-z])#/g, (_, letter: string) => `#${letter.charCodeAt(0) - 97}#`), found }
}

function readDate(prompt: string, key: string): CalendarDate | null {
  if (key.length > 40) return null
  const { skeleton, found } = datesIn(key)
  const [only] = found
  if (!only || !/^\s*(?:on|in)?\s*(?:the\s+)?#0#\s*\.?\s*$/i.test(skeleton)) return null
  if (
    only.month === undefined &&
    only.era === undefined &&
    (!/\b(?:year|when|date)\b/i.test(prompt) || (only.year ?? 0) < 1000)
  )
    return null
  // “May” may be a name.
  return only.year === undefined && only.day === undefined ? null : only
}

export const DATE: Notation<CalendarDate> = {
  read: (key, prompt) => readDate(prompt, key),
  find(answer, key) {
    // “The war (1939–1945) ended in 1945”
    const outside = answer.replace(/\([^()]*\)/g, ' ')
    const plain = /\d{3}/.test(outside) ? outside : answer
    const { skeleton, found } = datesIn(plain, key.year === undefined)
    const beside = BESIDE.test(skeleton)
    const vague = VAGUE.test(skeleton)
    return SEVERAL.test(plain)
      ? { skeleton, found: [] }
      : { skeleton, found: found.map((one) => ({ ...one, beside, vague })) }
  },
  compare(key, given) {
    if (given.beside) return { ...WRONG, confidence: 0.9 }
    const orders = [given, ...(given.swapped ? [{ ...given, ...given.swapped }] : [])]
    const best = Math.max(...orders.map((date) => matchOf(key, date)))
    if (best < 0) return { ...WRONG, confidence: 0.93 }
    if (given.vague) return HALF
    if (best < 1) return { ...HALF, share: Math.max(0.25, best / 2) }
    return given.shortYear ? { ...RIGHT, confidence: 0.65 } : RIGHT
  },
}

/** Share of the key's parts given; −1 where one differs. */
function matchOf(key: CalendarDate, given: CalendarDate): number {
  const parts = (['year', 'month', 'day'] as const).filter((part) => key[part] !== undefined)
  const there = parts.filter((part) => given[part] !== undefined)
  const differs = there.some((part) =>
    part === 'year' && given.shortYear ? (key.year ?? 0) % 100 !== given.year : key[part] !== given[part],
  )
  if (differs || there.length === 0) return -1
  if ((given.era ?? 'AD') !== (key.era ?? given.era ?? 'AD')) return given.era === undefined ? 0.8 : -1
  return given.era === 'BC' && key.era === undefined ? -1 : there.length / parts.length
}

interface ClockTime {
  /** Since midnight. */
  minutes: number
  halfDay: boolean
}

const ASKS = /\b(?:times?|o'?clock|clock|when|leaves?|arrives?|departs?|starts?|begins?|ends?|finish\w*)\b/i
const DAY_HALF = String.raw`(?:\s*(a\.?m\b\.?|p\.?m\b\.?|in\s+the\s+(?:morning|afternoon|evening)|at\s+night))?`
const DIGITAL = new RegExp(
  String.raw`(?<![\d:.,])(\d{1,2})\s?[:.h]\s?(\d{2})(?::\d{2})?(?:\s?h(?:ours?|rs?)?\b)?(?![\d])${DAY_HALF}`,
  'gi',
)
const MILITARY = new RegExp(
  String.raw`(?<![\d:.,/])([01]\d|2[0-3])([0-5]\d)(?:\s?h(?:ou)?rs?)?(?![\d])${DAY_HALF}`,
  'gi',
)
const SPOKEN = new RegExp(
  String.raw`\b(1\/2|half|1\/4|(?:a\s+)?quarter|\d{1,2})(?:\s*min(?:ute)?s?)?\s+(past|to)\s+(\d{1,2}|noon|midday|midnight)(?:\s*o'?clock)?${DAY_HALF}`,
  'gi',
)
const FULL = new RegExp(
  String.raw`(?<![\d:.,/])(\d{1,2})\s*(?:o'?clock)?\s*(a\.?m\b\.?|p\.?m\b\.?|in\s+the\s+(?:morning|afternoon|evening)|o'?clock${DAY_HALF})`,
  'gi',
)

function made(hour: number, minute: number, half: string | undefined, leadingZero = false): ClockTime | null {
  if (hour > 24 || minute > 59) return null
  if (half) {
    const later = /^p|afternoon|evening/i.test(half) || (/night/i.test(half) && hour > 4 && hour < 12)
    return { minutes: ((hour % 12) + (later || hour > 12 ? 12 : 0)) * 60 + minute, halfDay: false }
  }
  return { minutes: (hour % 24) * 60 + minute, halfDay: hour >= 1 && hour <= 12 && !leadingZero }
}

function timesIn(text: string): Found<ClockTime> {
  const found: ClockTime[] = []
  const put = (time: ClockTime | null, all: string) => (time ? ` #${found.push(time) - 1}# ` : all)
  const plain = digitsForWords(
    text
      .slice(0, 500)
      .replace(/^.*=(?=\s*\d)/s, '')
      .normalize('NFKC')
      .replace(/’/g, "'")
      .replace(/#/g, ' '),
  )
  const skeleton = plain
    .replace(SPOKEN, (all: string, part: string, way: string, hour: string, half?: string) => {
      const amount = /1\/2|half/i.test(part) ? 30 : /1\/4|quarter/i.test(part) ? 15 : Number(part)
      const named = /noon|midday/i.test(hour) ? 12 : /midnight/i.test(hour) ? 24 : Number(hour)
      const base = named * 60 + (way === 'to' ? -amount : amount)
      return put(made(Math.floor(base / 60), ((base % 60) + 60) % 60, half), all)
    })
    .replace(DIGITAL, (all: string, hour: string, minute: string, half?: string) =>
      put(made(Number(hour), Number(minute), half, /^0|h/i.test(all)), all),
    )
    .replace(MILITARY, (all: string, hour: string, minute: string, half?: string) =>
      put(made(Number(hour), Number(minute), half, true), all),
    )
    .replace(FULL, (all: string, hour: string, half: string) =>
      put(made(Number(hour), 0, /^o/i.test(half) ? half.replace(/^o'?clock\s*/i, '') || undefined : half), all),
    )
    .replace(/\b(?:noon|midday)\b/gi, (all) => put({ minutes: 720, halfDay: false }, all))
    .replace(/\bmidnight\b/gi, (all) => put({ minutes: 0, halfDay: false }, all))
  return { skeleton, found }
}

function readTime(prompt: string, key: string): ClockTime | null {
  if (
    key.length > 30 ||
    !(
      /[ap]\.?m\b|o'?clock|noon|midday|midnight|\d\s?h\s?\d\d/i.test(key) ||
      (ASKS.test(prompt) && /^\s*\d{1,2}[:.]\d\d\D*$/.test(key))
    )
  )
    return null
  const { skeleton, found } = timesIn(key)
  return found.length === 1 && /^\s*(?:at)?\s*#0#\s*\.?\s*$/i.test(skeleton) ? (found[0] ?? null) : null
}

export const CLOCK_TIME: Notation<ClockTime> = {
  read: (key, prompt) => readTime(prompt, key),
  find: timesIn,
  compare(key, given) {
    const apart = Math.abs(key.minutes - given.minutes) % 1440
    if (apart === 0 && !(given.halfDay && !key.halfDay && key.minutes !== 720)) return RIGHT
    if (apart % 720 !== 0 || !(given.halfDay || key.halfDay)) return { ...WRONG, confidence: 0.93 }
    return key.halfDay ? { ...RIGHT, confidence: 0.7 } : HALF
  },
}
