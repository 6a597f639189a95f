import { type LmsCourse, listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { tryWithToast } from '../../../lib/toast.ts'

export const syncOrToastError = (roster: LmsRosterState) =>
  void tryWithToast('The roster could not be fetched. Please try again.', () => roster.sync({ suspend_missing: false }))

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
