import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { type LmsCourse, listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, formatTimeAgo, plural } from '../../../lib/format.ts'
import { tryWithToast } from '../../../lib/toast.ts'

export function SyncRosterButton({ courseId, changed }: { courseId: number; changed: () => void }) {
  const roster = useLmsRoster(courseId)
  useOnSyncFinished(roster.syncing, changed)
  if (roster.syncing) {
    const stop = () => void tryWithToast('The sync could not be stopped.', roster.stop)
    return (
      <Button variant="default" loading={roster.stopping} onClick={stop}>
        Stop
      </Button>
    )
  }
  if (!roster.courses.data?.some(({ blocker }) => blocker === null)) return null
  return (
    <Button variant="default" loading={roster.requesting} onClick={() => syncOrToastError(roster)}>
      Sync now
    </Button>
  )
}

export const syncOrToastError = (roster: LmsRosterState) =>
  void tryWithToast('The roster could not be fetched. Please try again.', () => roster.sync({ suspend_missing: false }))

function useOnSyncFinished(syncing: boolean, changed: () => void): void {
  const before = useRef(false)
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    if (before.current && !syncing) tell.current()
    before.current = syncing
  }, [syncing])
}

const POLL_MS = 1000

const isSyncing = (courses: LmsCourse[] = []) => courses.some(({ report }) => report?.state === 'running')

type LmsRosterState = ReturnType<typeof useLmsRoster>

export function useLmsRoster(courseId: number) {
  const params = { courseId }
  const courses = useGet(listLmsCourses, params, undefined, {
    refreshIntervalMs: (data) => (isSyncing(data) ? POLL_MS : 0),
  })
  const sync = useSend(syncLmsRoster)
  const stop = useSend(stopLmsSync)
  return {
    courses,
    syncing: isSyncing(courses.data),
    requesting: sync.sending,
    stopping: stop.sending,
    async sync(body: { suspend_missing: boolean }) {
      const now = await sync.send({ params, body })
      courses.patch(() => now)
    },
    async stop() {
      const now = await stop.send({ params })
      courses.patch(() => now)
    },
  }
}

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
