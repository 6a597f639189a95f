import { type LmsCourse, listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { useState } from 'react'
import { type QueryResult, useGet, useSend } from '../../../lib/api/api-hooks.ts'

const POLL_MS = 1000

export interface LmsRosterState {
  courses: QueryResult<LmsCourse[]>
  syncing: boolean
  requesting: boolean
  stopping: boolean
  sync: (body: { suspend_missing: boolean }) => Promise<void>
  stop: () => Promise<void>
}

/** The LMS courses a course is linked to, polled while one is being synced. */
export function useLmsRoster(courseId: number): LmsRosterState {
  const params = { courseId }
  const [running, setRunning] = useState(false)
  const courses = useGet(listLmsCourses, params, undefined, { refreshIntervalMs: running ? POLL_MS : 0 })
  const sync = useSend(syncLmsRoster)
  const stop = useSend(stopLmsSync)
  const syncing = courses.data?.some(({ report }) => report?.state === 'running') ?? false
  if (syncing !== running) setRunning(syncing)
  return {
    courses,
    syncing,
    requesting: sync.sending,
    stopping: stop.sending,
    async sync(body) {
      const now = await sync.send({ params, body })
      courses.patch(() => now)
    },
    async stop() {
      const now = await stop.send({ params })
      courses.patch(() => now)
    },
  }
}
