import type { LmsScore, LmsScores, LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { formatCount, formatDateTime, formatPoints, plural } from '../../../lib/format.ts'

export function lmsNamesOfScores({ links }: Pick<LmsScores, 'links'>): string {
  return listOf([...new Set(links.map(({ platform }) => platform.name))])
}

/** Each next field names only links that are alike in those before it. */
const labelFields: ((link: LmsScoresOfLink) => string | null)[] = [
  ({ platform }) => platform.name,
  ({ course_title }) => course_title,
  ({ link_title }) => link_title && `“${link_title}”`,
  ({ opened_at }) => `first opened ${formatDateTime(opened_at)}`,
]

/** By link id: `Moodle`, or as much more as tells activities apart. */
export function linkLabels(links: LmsScoresOfLink[]): Map<number, string> {
  const parts = new Map(links.map((link) => [link.link_id, [] as string[]]))
  const labelOf = ({ link_id }: LmsScoresOfLink) => (parts.get(link_id) ?? []).join(', ')
  for (const field of labelFields) {
    const before = new Map(links.map((link) => [link.link_id, labelOf(link)]))
    for (const link of links) {
      const alike = links.filter(({ link_id }) => before.get(link_id) === before.get(link.link_id))
      const differs = alike.some((other) => field(other) !== field(link))
      const text = field(link)
      if (text && (differs || before.get(link.link_id) === '')) parts.get(link.link_id)?.push(text)
    }
  }
  return new Map(links.map((link) => [link.link_id, labelOf(link)]))
}

export function linkScoresMessage({ counts, gone_since }: LmsScoresOfLink, published: boolean): string {
  if (gone_since) return 'this activity is gone, and no scores are sent to it'
  const { waiting, sending, sent, refused, in_gradebook, different, missing } = counts
  const all = waiting + sending + sent + refused
  const read = in_gradebook + different + missing
  if (all === 0) return published ? 'no released grades to send yet' : 'scores are sent when grades are published'
  const hidden = !published && sent === all
  const parts = hidden
    ? [`${plural(sent - missing, 'score')} left there when this was unpublished`]
    : read === 0
      ? [`${formatCount(sent)} of ${plural(all, 'score')} sent`]
      : [`${formatCount(in_gradebook)} of ${plural(all, 'score')} in the gradebook`]
  if (different > 0) parts.push(`${formatCount(different)} ${different === 1 ? 'differs' : 'differ'}`)
  if (missing > 0) parts.push(`${formatCount(missing)} not there any more`)
  if (!hidden && read > 0 && sent > read) parts.push(`${formatCount(sent - read)} sent, not seen there yet`)
  if (refused > 0) parts.push(`${formatCount(refused)} refused`)
  if (waiting + sending > 0) parts.push(`${formatCount(waiting + sending)} on the way`)
  return parts.join(' · ')
}

/** What is on its way needs no help, unless something is in the way. */
export const canSendAgain = ({ counts, problem }: LmsScoresOfLink, published: boolean): boolean =>
  counts.refused > 0 || (counts.waiting > 0 && problem !== null) || (published && counts.sent > 0)

export const needsAttention = ({ state, reason, result }: LmsScore): boolean =>
  state === 'refused' || (state === 'waiting' && reason !== null) || isOtherwiseInLms(result)

const isOtherwiseInLms = (result: LmsScore['result']) => result?.state === 'different' || result?.state === 'missing'

export const checkedMessage = ({ checked_at, checking }: LmsScoresOfLink): string | null =>
  checking ? 'reading the gradebook…' : checked_at && `read ${formatDateTime(checked_at)}`

export const nextRetryMessage = (at: string | null): string | null =>
  at === null ? null : `Next try at ${formatDateTime(at)}.`

const outOf = ({ points: given, maximum }: { points: number; maximum: number }) =>
  `${formatPoints(given)} of ${formatPoints(maximum)}`

function otherResultMessage({ product_name: lms, recorded, result }: LmsScore): string | null {
  if (result?.state === 'missing') return `Not in ${lms} any more`
  if (result?.state !== 'different') return null
  if (result.points === null) return `${lms} shows no score, changed there`
  // With another maximum, the score itself may be untouched.
  const how = recorded && recorded.maximum !== result.maximum ? 'changed' : 'set'
  return `${lms} shows ${outOf({ points: result.points, maximum: result.maximum ?? 1 })}, ${how} there`
}

export function sentBeforeMessage(score: LmsScore): string | null {
  if (score.state !== 'sent' || !isOtherwiseInLms(score.result)) return null
  return score.recorded ? `Assay sent ${outOf(score.recorded)}.` : 'Assay has removed its score.'
}

/** As read from the gradebook, which may have rescaled it. */
const placedPoints = ({ recorded, result }: LmsScore) =>
  result?.state === 'same' && result.points !== null
    ? outOf({ points: result.points, maximum: result.maximum ?? 1 })
    : recorded && outOf(recorded)

/** `brief`: in a list, whose head names the LMS. */
export function scoreMessage(score: LmsScore, brief: boolean): string {
  const { platform_name: lms, state, cleared, result } = score
  const named = (words: string, preposition: string) => (brief ? words : `${words} ${preposition} ${lms}`)
  const other = state === 'sent' ? otherResultMessage(score) : null
  if (other) return other
  if (cleared && state !== 'refused') return named(state === 'sent' ? 'Removed' : 'Being removed', 'from')
  switch (state) {
    case 'sent': {
      const seen = brief ? 'In gradebook' : `In ${lms}`
      const points = placedPoints(score)
      return [result?.state === 'same' && points ? seen : named('Sent', 'to'), points].filter(Boolean).join(': ')
    }
    case 'sending':
      return named('Being sent', 'to')
    case 'waiting':
      return named('Waiting to be sent', 'to')
    case 'refused':
      return named('Refused', 'by')
    case 'off':
      return named('Not sent', 'to')
  }
}
