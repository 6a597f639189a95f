import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import { exactPercent, type Points } from '@assay/shared/rules/points.ts'
import type { ReadResult, SentScore, WantedScore } from '../../../records/lti/score.model.ts'

/** Moodle repeats the request in a refusal's status line, and Node limits status line and headers to 16 KB. */
export const MAX_COMMENT = 2000
const TRUNCATION_NOTE = '… (shortened; full text in Assay)'
/** No LMS stores many more (Moodle five, Canvas shows two). */
const MAX_DECIMALS = 4

export function scoreComment(feedback: string): string {
  const plain = feedback
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim()
  if (plain.length <= MAX_COMMENT) return plain
  // Not between surrogates, nor within a word unless there is only one.
  const part = plain.slice(0, MAX_COMMENT - TRUNCATION_NOTE.length).replace(/[\ud800-\udbff]$/, '')
  return (part.replace(/\s+\S*$/, '') || part) + TRUNCATION_NOTE
}

/** As given where the column has the same maximum. */
export const scorePoints = ({ given, of }: Points, maximum: number): number =>
  of === maximum ? given : Number(((given * maximum) / of).toFixed(MAX_DECIMALS))

/** Whole seconds, at least one after the last, as Moodle compares them. */
export function nextTimestamp(now: Date, ...earlier: (Date | null | undefined)[]): Date {
  const last = Math.max(...earlier.map((date) => date?.getTime() ?? 0), 0)
  const next = (Math.floor(last / 1000) + 1) * 1000
  return last === 0 ? now : new Date(Math.max(now.getTime(), next))
}

/** By share: points of another total make no other score. */
export const sameScore = (a: Pick<WantedScore, 'score' | 'comment'>, b: Pick<WantedScore, 'score' | 'comment'>) =>
  a.comment === b.comment &&
  (a.score && b.score ? Math.abs(exactPercent(a.score) - exactPercent(b.score)) < 1e-4 : a.score === b.score)

type SentPoints = Pick<SentScore, 'points' | 'maximum'>

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

/** By the timestamp, else by the comment if shown, else by a changed score. */
export function isCurrentInLms(
  result: Pick<CurrentResult, 'share' | 'comment' | 'at'> | null,
  sent: SentScore,
  before: SentPoints | null,
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

/** LMSs round to two decimals of a point, half a percent at most. */
const ROUNDING_POINTS = 0.0051
const MAX_ROUNDING_SHARE = 0.005

/** `lmsShowsResults`: none then means none, except for Moodle's 0 points. */
export function compareResult(sent: SentPoints, result: CurrentResult | null, lmsShowsResults: boolean): ResultState {
  const share = result?.share ?? null
  if (sent.points === null) return share === null ? 'same' : 'different'
  if (result === null || share === null) {
    if (sent.points === 0 || !lmsShowsResults) return 'unknown'
    return result === null ? 'missing' : 'different'
  }
  return showsShare(sent.points / sent.maximum, share, result.maximum) ? 'same' : 'different'
}

function showsShare(sent: number, shown: number, maximum: number | null): boolean {
  const rounding = Math.max(5e-5, Math.min(ROUNDING_POINTS / (maximum || 1), MAX_ROUNDING_SHARE))
  // Some gradebooks stop at the maximum, where bonus points go beyond.
  return Math.abs(shown - sent) <= rounding || (sent > 1 && shown === 1)
}

/** Far beyond what two clocks differ. */
const SET_AFTER_MS = 5 * 60_000

/** Some LMSs do not rescale. False where somebody set the points, by the LMS's time or what it showed before. */
export function isOfOldMaximum(
  sent: SentPoints & { at: Date },
  before: ReadResult['state'] | null,
  result: CurrentResult | null,
  maximum: number,
): boolean {
  if (maximum === sent.maximum || sent.points === null || result?.points == null) return false
  const lastSet = result.at?.getTime()
  if (lastSet ? lastSet > sent.at.getTime() + SET_AFTER_MS : before === 'different') return false
  const rescaled = showsShare(sent.points / sent.maximum, result.points / maximum, maximum)
  return !rescaled && Math.abs(result.points - sent.points) <= ROUNDING_POINTS
}
