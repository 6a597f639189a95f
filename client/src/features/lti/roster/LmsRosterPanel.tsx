import { type LmsCourse, listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti-roster.ts'
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ConfirmModal } from '../../../components/ConfirmModal.tsx'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { Panel, PanelList } from '../../../components/Panel.tsx'
import { useGet, useSend } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/api-error.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { LmsCourseRow } from './LmsCourseRow.tsx'
import classes from './LmsRosterPanel.module.css'
import { SuspendedPeople } from './SuspendedPeople.tsx'

const ASK_EVERY_MS = 1000

interface Props {
  courseId: number
  /** The roster may have changed. */
  changed: () => void
}

/** The LMS courses this course is tied to, how their rosters came over, and a button to fetch them. Nothing where there are none. */
export function LmsRosterPanel({ courseId, changed }: Props) {
  const params = { courseId }
  const [running, setRunning] = useState(false)
  const lms = useGet(listLmsCourses, params, undefined, { every: running ? ASK_EVERY_MS : 0 })
  const sync = useSend(syncLmsRoster)
  const stop = useSend(stopLmsSync)
  const [suspending, setSuspending] = useState(false)
  const syncing = lms.data?.some(isRunning) ?? false
  useTellWhenOver(syncing, setRunning, changed)

  if (!lms.data) {
    return lms.error ? (
      <div className={classes.root}>
        <LoadFailed error={lms.error} retry={lms.reload} title="The LMS’s roster could not be looked up" />
      </div>
    ) : null
  }
  if (lms.data.length === 0) return null
  const missing = lms.data.reduce((sum, { report }) => sum + (report?.missing ?? 0), 0)
  const suspended = lms.data.reduce((sum, one) => sum + one.suspended, 0)

  async function ask(body: { suspend_missing: boolean }) {
    const now = await sync.send({ params, body })
    lms.patch(() => now)
  }
  const askOrSay = () =>
    void ask({ suspend_missing: false }).catch((error) =>
      toast.bad(messageOf(error, 'The roster could not be fetched. Please try again.')),
    )

  return (
    <div className={classes.root}>
      <Panel
        title="From the LMS"
        actions={
          syncing ? (
            <Button
              variant="default"
              loading={stop.sending}
              onClick={() =>
                void stop
                  .send({ params })
                  .then((now) => lms.patch(() => now))
                  .catch((error) => toast.bad(messageOf(error, 'The sync could not be stopped.')))
              }
            >
              Stop
            </Button>
          ) : (
            lms.data.some(({ obstacle }) => obstacle === null) && (
              <Button variant="default" loading={sync.sending} onClick={askOrSay}>
                Sync now
              </Button>
            )
          )
        }
      >
        <PanelList label="LMS courses">
          {lms.data.map((one) => (
            <LmsCourseRow key={one.id} course={one} retry={askOrSay} suspend={() => setSuspending(true)} />
          ))}
        </PanelList>
        {suspended > 0 && <SuspendedPeople courseId={courseId} count={suspended} />}
      </Panel>
      <ConfirmModal
        opened={suspending}
        close={() => setSuspending(false)}
        title={`Suspend ${plural(missing, 'person', 'people')}?`}
        confirmLabel="Sync and suspend"
        dangerous
        onConfirm={() => ask({ suspend_missing: true })}
      >
        <p>
          The roster is fetched once more, and whoever it does not list loses sight of the course. Their
          papers and grades stay, and they are back as soon as the LMS lists them again.
        </p>
      </ConfirmModal>
    </div>
  )
}

const isRunning = ({ report }: LmsCourse) => report?.state === 'running'

/** Asks again while a sync runs, and tells once when it is over. */
function useTellWhenOver(
  syncing: boolean,
  setRunning: (running: boolean) => void,
  changed: () => void,
): void {
  const before = useRef(false)
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    setRunning(syncing)
    if (before.current && !syncing) tell.current()
    before.current = syncing
  }, [syncing, setRunning])
}
