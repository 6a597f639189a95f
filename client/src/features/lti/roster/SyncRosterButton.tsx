import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { messageOf } from '../../../lib/api/api-error.ts'
import { toast } from '../../../lib/toast.ts'
import { type LmsRosterState, useLmsRoster } from './useLmsRoster.ts'

interface Props {
  courseId: number
  /** The roster may have changed. */
  changed: () => void
}

/** Starts a roster sync, or stops the running one. Nothing where the LMS offers no roster. */
export function SyncRosterButton({ courseId, changed }: Props) {
  const roster = useLmsRoster(courseId)
  useOnSyncFinished(roster.syncing, changed)
  if (roster.syncing) {
    const stop = () =>
      void roster.stop().catch((error) => toast.error(messageOf(error, 'The sync could not be stopped.')))
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
  void roster
    .sync({ suspend_missing: false })
    .catch((error) => toast.error(messageOf(error, 'The roster could not be fetched. Please try again.')))

/** Announces once when a sync is over. */
function useOnSyncFinished(syncing: boolean, changed: () => void): void {
  const before = useRef(false)
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    if (before.current && !syncing) tell.current()
    before.current = syncing
  }, [syncing])
}
