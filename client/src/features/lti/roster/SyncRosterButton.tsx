import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { tryWithToast } from '../../../lib/toast.ts'
import { syncOrToastError, useLmsRoster } from './useLmsRoster.ts'

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

function useOnSyncFinished(syncing: boolean, changed: () => void): void {
  const before = useRef(false)
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    if (before.current && !syncing) tell.current()
    before.current = syncing
  }, [syncing])
}
