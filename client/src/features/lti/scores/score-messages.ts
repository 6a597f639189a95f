import type { LmsScore, LmsScores, LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { formatCount, formatDateTime, plural } from '../../../lib/format.ts'

/** `Canvas`, `Canvas and Moodle`. */
export function lmsNamesOfScores({ links }: Pick<LmsScores, 'links'>): string {
  const names = [...new Set(links.map(({ platform }) => platform.name))]
  const last = names.pop() ?? ''
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}

/** How many of a column's scores are there, and how many somebody has to see to. */
export function linkScoresMessage({ counts }: LmsScoresOfLink, published: boolean): string {
  const { waiting, sending, sent, refused } = counts
  const all = waiting + sending + sent + refused
  if (all === 0) return published ? 'no released grades to send yet' : 'scores are sent when grades are published'
  if (!published && sent === all) return `${plural(sent, 'score')} left there when this was unpublished`
  const parts = [`${formatCount(sent)} of ${plural(all, 'score')} sent`]
  if (refused > 0) parts.push(`${formatCount(refused)} refused`)
  if (waiting + sending > 0) parts.push(`${formatCount(waiting + sending)} on the way`)
  return parts.join(' · ')
}

export const canSendAgain = ({ counts, problem }: LmsScoresOfLink): boolean =>
  counts.refused > 0 || (counts.waiting > 0 && problem !== null)

/** When the next attempt is due; null where none is. */
export const nextRetryMessage = (at: string | null): string | null =>
  at === null ? null : `Next try at ${formatDateTime(at)}.`

const points = (value: number) => String(Math.round(value * 100) / 100)

/** The same in a list, whose head names the LMS. */
export function briefScoreMessage({ state, recorded, cleared }: LmsScore): string {
  if (cleared && state !== 'refused') return state === 'sent' ? 'Removed' : 'Being removed'
  switch (state) {
    case 'sent':
      return recorded ? `Sent: ${points(recorded.points)} of ${points(recorded.maximum)}` : 'Sent'
    case 'sending':
      return 'Being sent'
    case 'waiting':
      return 'Waiting to be sent'
    case 'refused':
      return 'Refused'
    case 'off':
      return 'Not sent'
  }
}

/** Where one student's score is on its way. */
export function scoreMessage({ platform_name: lms, state, recorded, cleared }: LmsScore): string {
  if (cleared && state === 'sent') return `Removed from ${lms}`
  if (cleared && state !== 'refused') return `Being removed from ${lms}`
  switch (state) {
    case 'sent':
      return recorded ? `In ${lms}: ${points(recorded.points)} of ${points(recorded.maximum)}` : `In ${lms}`
    case 'sending':
      return `Being sent to ${lms}`
    case 'waiting':
      return `Waiting to be sent to ${lms}`
    case 'refused':
      return `Refused by ${lms}`
    case 'off':
      return `Not sent to ${lms}`
  }
}
