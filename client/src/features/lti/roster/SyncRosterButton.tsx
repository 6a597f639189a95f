import { type LmsCourse, listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { type QueryResult, useGet, useSend } from '../../../lib/api/api-hooks.ts'
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

interface LmsRosterState {
  courses: QueryResult<LmsCourse[]>
  syncing: boolean
  requesting: boolean
  stopping: boolean
  sync: (body: { suspend_missing: boolean }) => Promise<void>
  stop: () => Promise<void>
}

export function useLmsRoster(courseId: number): LmsRosterState {
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
