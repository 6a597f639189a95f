import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import type { SentScore, WantedScore } from '../../../records/lti/score.model.ts'

/** Moodle repeats the request in a refusal's status line, and Node limits status line and headers to 16 KB. */
export const MAX_COMMENT = 2000
const TRUNCATION_NOTE = '… (shortened; full text in Assay)'

/** No LMS stores many more decimals (Moodle five, Canvas shows two). */
const MAX_DECIMALS = 4

/** Plain text, without what a gradebook cannot show, and not too long. */
export function scoreComment(feedback: string): string {
  const plain = feedback
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim()
  if (plain.length <= MAX_COMMENT) return plain
  // Not between surrogates, nor in the middle of a word unless there is only one.
  const part = plain.slice(0, MAX_COMMENT - TRUNCATION_NOTE.length).replace(/[\ud800-\udbff]$/, '')
  return (part.replace(/\s+\S*$/, '') || part) + TRUNCATION_NOTE
}

/** Decimals of a percentage; the grader's have one. */
function decimalsOf(percent: number): number {
  const [, behind = ''] = String(percent).split('.')
  return Math.min(MAX_DECIMALS, Math.max(1, behind.length))
}

/** The roundest number giving it: 83.3 % of 30 is 25 points, not 24.99, as it was computed from 25 of 30. */
export function scorePoints(percent: number, maximum: number): number {
  const exact = (percent * maximum) / 100
  const slack = 0.5 * 10 ** -decimalsOf(percent) + 1e-9
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    const points = round(exact, decimals)
    if (Math.abs((100 * points) / maximum - percent) <= slack) return points
  }
  return round(exact, MAX_DECIMALS)
}

const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** At least a second after the last one, in whole seconds, as Moodle compares them. */
export function nextTimestamp(now: Date, ...earlier: (Date | null | undefined)[]): Date {
  const last = Math.max(...earlier.map((date) => date?.getTime() ?? 0), 0)
  const next = (Math.floor(last / 1000) + 1) * 1000
  return last === 0 ? now : new Date(Math.max(now.getTime(), next))
}

export const sameScore = (a: Pick<WantedScore, 'percent' | 'comment'>, b: Pick<WantedScore, 'percent' | 'comment'>) =>
  a.percent === b.percent && a.comment === b.comment

export interface CurrentResult {
  /** 0..1; null for none. Moodle shows none for 0 points either. */
  share: number | null
  /** Of the LMS's own maximum; null for none. */
  points: number | null
  maximum: number | null
  comment: string | null
  at: Date | null
}

const wholeSecond = (date: Date) => Math.floor(date.getTime() / 1000)
const normalizeWhitespace = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Rather than the score before it: by the timestamp, else by the comment if shown, else by a changed score. */
export function isCurrentInLms(
  result: Pick<CurrentResult, 'share' | 'comment' | 'at'> | null,
  sent: SentScore,
  before: Pick<SentScore, 'points' | 'maximum'> | null,
): boolean {
  if (sent.points === null) return before !== null && before.points !== null && result?.share == null
  if (result === null || result.share === null) return false
  const share = sent.points / sent.maximum
  if (!isClose(result.share, share)) return false
  if (result.at && wholeSecond(result.at) === wholeSecond(sent.stamp)) return true
  if (result.comment) return normalizeWhitespace(result.comment) === normalizeWhitespace(sent.comment)
  return before?.points == null || !isClose(before.points / before.maximum, share)
}

const isClose = (a: number, b: number) => Math.abs(a - b) < 5e-5

/** LMSs round what they store and show: to two decimals of a point, half a percent at most. */
const ROUNDING_POINTS = 0.0051
const MAX_ROUNDING_SHARE = 0.005

/** `lmsShowsResults`: none then means none, except for 0 points, for which Moodle shows none. */
export function compareResult(
  sent: Pick<SentScore, 'points' | 'maximum'>,
  result: CurrentResult | null,
  lmsShowsResults: boolean,
): ResultState {
  const share = result?.share ?? null
  if (sent.points === null) return share === null ? 'same' : 'different'
  if (result === null || share === null) {
    if (sent.points === 0 || !lmsShowsResults) return 'unknown'
    // Somebody has emptied an entry without points, or set it to 0.
    return result === null ? 'missing' : 'different'
  }
  return showsPoints(sent.points, sent.maximum, share, result) ? 'same' : 'different'
}

function showsPoints(points: number, maximum: number, share: number, shown: CurrentResult): boolean {
  const rounding = Math.max(5e-5, Math.min(ROUNDING_POINTS / (shown.maximum || 1), MAX_ROUNDING_SHARE))
  if (Math.abs(share - points / maximum) <= rounding) return true
  // Moodle cuts the decimals off the maximum, and not off the points.
  return Math.floor(maximum) === shown.maximum && Math.abs((shown.points ?? 0) - points) <= ROUNDING_POINTS
}
