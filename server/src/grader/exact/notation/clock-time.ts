import { bestJudgement, exactJudgement, UNSURE } from '../exact-judgement.ts'
import type { Judgement } from '../judgement.ts'
import { digitsForWords } from '../numbers/number-words.ts'
import { readStance } from './read-stance.ts'

interface ClockTime {
  /** Since midnight. */
  minutes: number
  /** It may be twelve hours later. */
  halfDay: boolean
}

const ASKS = /\b(?:times?|o'?clock|clock|when|leaves?|arrives?|departs?|starts?|begins?|ends?|finish\w*)\b/i
const HALF = String.raw`(?:\s*(a\.?m\b\.?|p\.?m\b\.?|in\s+the\s+(?:morning|afternoon|evening)|at\s+night))?`
const DIGITAL = new RegExp(
  String.raw`(?<![\d:.,])(\d{1,2})\s?[:.h]\s?(\d{2})(?::\d{2})?(?:\s?h(?:ours?|rs?)?\b)?(?![\d])${HALF}`,
  'gi',
)
const MILITARY = new RegExp(String.raw`(?<![\d:.,/])([01]\d|2[0-3])([0-5]\d)(?:\s?h(?:ou)?rs?)?(?![\d])${HALF}`, 'gi')
const SPOKEN = new RegExp(
  String.raw`\b(1\/2|half|1\/4|(?:a\s+)?quarter|\d{1,2})(?:\s*min(?:ute)?s?)?\s+(past|to)\s+(\d{1,2}|noon|midday|midnight)(?:\s*o'?clock)?${HALF}`,
  'gi',
)
const FULL = new RegExp(
  String.raw`(?<![\d:.,/])(\d{1,2})\s*(?:o'?clock)?\s*(a\.?m\b\.?|p\.?m\b\.?|o'?clock${HALF})`,
  'gi',
)

function made(hour: number, minute: number, half: string | undefined, leadingZero = false): ClockTime | null {
  if (hour > 24 || minute > 59) return null
  if (half) {
    const later = /^p|afternoon|evening|night/i.test(half)
    return { minutes: ((hour % 12) + (later || hour > 12 ? 12 : 0)) * 60 + minute, halfDay: false }
  }
  return { minutes: (hour % 24) * 60 + minute, halfDay: hour >= 1 && hour <= 12 && !leadingZero }
}

function timesIn(text: string): { skeleton: string; found: ClockTime[] } {
  const found: ClockTime[] = []
  const put = (time: ClockTime | null, all: string) => (time ? ` #${found.push(time) - 1}# ` : all)
  const plain = digitsForWords(text.slice(0, 500).normalize('NFKC').replace(/’/g, "'").replace(/#/g, ' '))
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

/** `2:30 pm`, or `14:30` where the prompt asks for a time. */
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

export function judgeTime(prompt: string, accepted: string[], answer: string): Judgement | null {
  const keys = accepted.map((key) => readTime(prompt, key)).filter((key) => key !== null)
  if (keys.length === 0) return null
  const { skeleton, found } = timesIn(answer)
  const stance = readStance(skeleton, prompt, (i, j) => found[i]?.minutes !== found[j]?.minutes)
  const meant = stance.meant === null ? undefined : found[stance.meant]
  if (!meant) return exactJudgement(0, UNSURE, 'unclear')
  return bestJudgement(
    keys.map((key) => {
      const apart = Math.abs(key.minutes - meant.minutes) % 1440
      if (stance.denied) return exactJudgement(0, apart === 0 ? 0.92 : 0.6, 'exact_wrong')
      const sure = stance.understood ? 0.95 : 0.8
      if (apart === 0 && !(meant.halfDay && !key.halfDay && key.minutes !== 720))
        return exactJudgement(1, sure, 'exact_right')
      if (apart % 720 === 0 && (meant.halfDay || key.halfDay))
        return key.halfDay ? exactJudgement(1, 0.7, 'exact_right') : exactJudgement(0.5, UNSURE, 'unclear')
      return exactJudgement(0, stance.understood ? 0.93 : 0.75, 'exact_wrong')
    }),
  )
}
