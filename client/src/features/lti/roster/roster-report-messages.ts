import type { RosterReport } from '@assay/shared/lti/lti.ts'
import type { LmsCourse } from '@assay/shared/lti/lti-roster.ts'
import { formatCount, formatTimeAgo, plural } from '../../../lib/format.ts'

/** `Canvas: Biology 101` */
export const lmsCourseName = ({ platform, title, label }: LmsCourse) =>
  `${platform.name}: ${title ?? label ?? 'a course without a name'}`

const changeLabels = [
  ['created', 'new'],
  ['changed', 'changed'],
  ['returned', 'back again'],
  ['suspended', 'suspended'],
] as const

/** `3 new, 1 suspended`; `no changes` */
function rosterChanges(report: RosterReport): string {
  const parts = changeLabels.flatMap(([figure, word]) =>
    report[figure] > 0 ? [`${formatCount(report[figure])} ${word}`] : [],
  )
  if (report.unreadable > 0) parts.push(`${plural(report.unreadable, 'unreadable entry', 'unreadable entries')}`)
  return parts.join(', ') || 'no changes'
}

/** Members before the sync under way; null where unknown, as the first time. */
export function expectedMemberCount({ report, members }: LmsCourse): number | null {
  const before = members - (report?.created ?? 0)
  return report && before > report.listed ? before : null
}

export function rosterReportMessage(course: LmsCourse, now?: number): string {
  const { report } = course
  if (!report) return 'Not synced yet'
  if (report.state === 'running') {
    if (report.listed === 0) return 'Requesting the roster…'
    const expected = expectedMemberCount(course)
    const read = formatCount(report.listed)
    return expected ? `${read} of about ${formatCount(expected)} people read` : `${read} people read so far`
  }
  const age = formatTimeAgo(report.finished_at ?? report.started_at, now)
  const when = age === 'Just now' ? 'just now' : age
  if (report.state === 'failed') return `Sync failed ${when}`
  if (report.state === 'stopped') return `Sync stopped ${when}: ${rosterChanges(report)}`
  return `Synced ${when}: ${rosterChanges(report)}`
}

export function doubtfulSyncMessage({ report, platform }: LmsCourse): string {
  const listed = plural(report?.listed ?? 0, 'person', 'people')
  return `${platform.name} lists ${listed} now, and ${formatCount(report?.missing ?? 0)} who were in the course are missing. This is probably a mistake, so nobody was suspended. Check the course there; if it is correct, suspend them here.`
}
