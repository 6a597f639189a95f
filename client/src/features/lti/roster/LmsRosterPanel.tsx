import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Panel, PanelList } from '../../../components/layout/Panel.tsx'
import { plural } from '../../../lib/format.ts'
import { LmsCourseRow } from './LmsCourseRow.tsx'
import classes from './LmsRosterPanel.module.css'
import { SuspendedPeople } from './SuspendedPeople.tsx'
import { SyncRosterButton, syncOrToastError } from './SyncRosterButton.tsx'
import { useLmsRoster } from './useLmsRoster.ts'

interface Props {
  courseId: number
  /** The roster may have changed. */
  changed: () => void
}

/** The LMS courses this course is linked to, how their last roster syncs went, and a button to sync. Nothing where there are none. */
export function LmsRosterPanel({ courseId, changed }: Props) {
  const roster = useLmsRoster(courseId)
  const [suspending, setSuspending] = useState(false)
  const { data, error, reload } = roster.courses
  if (!data) {
    return error ? (
      <div className={classes.root}>
        <LoadError error={error} retry={reload} title="The LMS roster could not be loaded" />
      </div>
    ) : null
  }
  if (data.length === 0) return null
  const missing = data.reduce((sum, { report }) => sum + (report?.missing ?? 0), 0)
  const suspended = data.reduce((sum, one) => sum + one.suspended, 0)

  return (
    <div className={classes.root}>
      <Panel title="From the LMS" actions={<SyncRosterButton courseId={courseId} changed={changed} />}>
        <PanelList label="LMS courses">
          {data.map((one) => (
            <LmsCourseRow
              key={one.id}
              course={one}
              retry={() => syncOrToastError(roster)}
              suspend={() => setSuspending(true)}
            />
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
        onConfirm={() => roster.sync({ suspend_missing: true })}
      >
        <p>
          The roster is synced again, and people it does not list will no longer see the course. Their papers and grades
          are kept, and their access returns when the LMS lists them again.
        </p>
      </ConfirmModal>
    </div>
  )
}
