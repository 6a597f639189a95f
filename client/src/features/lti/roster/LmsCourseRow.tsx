import type { LmsCourse } from '@assay/shared/lti/lti-roster.ts'
import { Button, Progress } from '@mantine/core'
import { Notice } from '../../../components/feedback/Notice.tsx'
import classes from './LmsRosterPanel.module.css'
import {
  doubtfulSyncMessage,
  expectedMemberCount,
  lmsCourseName,
  rosterReportMessage,
} from './roster-report-messages.ts'

interface Props {
  course: LmsCourse
  retry: () => void
  suspend: () => void
}

/** One LMS course: its name, what the last sync did, and what blocks the next. */
export function LmsCourseRow({ course, retry, suspend }: Props) {
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

function SyncState({ course, name, retry, suspend }: Props & { name: string }) {
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
  if (blocker) {
    return (
      <div className={classes.below}>
        <Notice tone="warn">{blocker}</Notice>
      </div>
    )
  }
  if (report?.state === 'failed') {
    return (
      <div className={classes.below}>
        <Notice
          tone="bad"
          title="The roster was not read completely, so nobody was suspended"
          actions={
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          }
        >
          {report.problem} Assay will try again within a few hours.
        </Notice>
      </div>
    )
  }
  if (report?.state === 'doubtful') {
    return (
      <div className={classes.below}>
        <Notice
          tone="warn"
          title="The list is much shorter than the roster"
          actions={
            <Button variant="default" onClick={suspend}>
              Suspend missing members…
            </Button>
          }
        >
          {doubtfulSyncMessage(course)}
        </Notice>
      </div>
    )
  }
  if (!report || report.notes.length === 0) return null
  return (
    <ul className={classes.notes} aria-label={`Notes on ${name}`}>
      {[...new Set(report.notes)].map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
