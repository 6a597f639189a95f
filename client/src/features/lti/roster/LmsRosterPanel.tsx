import { type LmsCourse, listSuspended } from '@assay/shared/lti/lti-roster.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, Progress } from '@mantine/core'
import { useId, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { InitialsAvatar } from '../../../components/display/InitialsAvatar.tsx'
import { PageNumbers } from '../../../components/display/ListPagination.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { LoadError, Panel, PanelList, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../../lib/format.ts'
import classes from './LmsRosterPanel.module.css'
import {
  doubtfulSyncMessage,
  expectedMemberCount,
  lmsCourseName,
  rosterReportMessage,
} from './roster-report-messages.ts'
import { SyncRosterButton } from './SyncRosterButton.tsx'
import { syncOrToastError, useLmsRoster } from './useLmsRoster.ts'

export function LmsRosterPanel({ courseId, changed }: { courseId: number; changed: () => void }) {
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

interface LmsCourseRowProps {
  course: LmsCourse
  retry: () => void
  suspend: () => void
}

function LmsCourseRow({ course, retry, suspend }: LmsCourseRowProps) {
  const name = lmsCourseName(course)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.report} role="status">
          {rosterReportMessage(course)}
        </span>
      </div>
      <SyncState course={course} name={name} retry={retry} suspend={suspend} />
    </li>
  )
}

function SyncState({ course, name, retry, suspend }: LmsCourseRowProps & { name: string }) {
  const { report, blocker } = course
  if (report?.state === 'running') {
    const expected = expectedMemberCount(course)
    return (
      <div className={classes.below}>
        {expected && (
          <Progress value={(100 * report.listed) / expected} aria-label={`Fetching the roster of ${name}`} />
        )}
        <p className={classes.hint}>
          {report.problem ? `${report.problem} Assay will try again.` : 'You can leave this page; the sync continues.'}
        </p>
      </div>
    )
  }
  const notice = blocker ? (
    <Notice tone="warn">{blocker}</Notice>
  ) : report?.state === 'failed' ? (
    <Notice
      tone="bad"
      title="The roster was not read completely, so nobody was suspended"
      actions={<SecondaryButton onClick={retry}>Try again</SecondaryButton>}
    >
      {report.problem} Assay will try again within a few hours.
    </Notice>
  ) : (
    report?.state === 'doubtful' && (
      <Notice
        tone="warn"
        title="The list is much shorter than the roster"
        actions={<SecondaryButton onClick={suspend}>Suspend missing members…</SecondaryButton>}
      >
        {doubtfulSyncMessage(course)}
      </Notice>
    )
  )
  if (notice) return <div className={classes.below}>{notice}</div>
  if (!report || report.notes.length === 0) return null
  return (
    <ul className={classes.notes} aria-label={`Notes on ${name}`}>
      {[...new Set(report.notes)].map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

const PAGE_SIZE = 50

function SuspendedPeople({ courseId, count }: { courseId: number; count: number }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.suspended}>
      <Button
        variant="subtle"
        color="gray"
        className={classes.fold}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Hide' : 'Show'} {plural(count, 'suspended person', 'suspended people')}
      </Button>
      {open && (
        <div id={id}>
          <p className={classes.hint}>
            No longer listed by the LMS. Their work is kept, and their access returns when it lists them again.
          </p>
          <People courseId={courseId} />
        </div>
      )}
    </div>
  )
}

function People({ courseId }: { courseId: number }) {
  const [page, setPage] = useState(1)
  const query = { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
  const people = useGet(listSuspended, { courseId }, query, { keepPreviousData: true })
  if (!people.data) {
    if (people.error) return <LoadError error={people.error} retry={people.reload} />
    return <RowSkeletons label="Loading suspended people" />
  }
  if (people.data.length === 0)
    return <p className={classes.hint}>All of them are still in the course through another section.</p>
  const total = people.total ?? people.data.length
  return (
    <>
      <PanelList label="Suspended people">
        {people.data.map(({ user_id, username, full_name, email, role, lms_course, suspended_at }) => {
          const name = nameOf({ full_name, username })
          return (
            <li key={`${user_id} ${lms_course}`} className={classes.row}>
              <InitialsAvatar name={name} />
              <div className={classes.words}>
                <span className={classes.name}>{name}</span>
                {email && <span>{email}</span>}
              </div>
              <span className={classes.report}>
                {role === 'instructor' ? 'Instructor' : 'Student'} of {lms_course} until {formatDate(suspended_at)}
              </span>
            </li>
          )
        })}
      </PanelList>
      {total > PAGE_SIZE && (
        <div className={classes.pages}>
          <PageNumbers page={page} pages={Math.ceil(total / PAGE_SIZE)} setPage={setPage} />
        </div>
      )}
    </>
  )
}
