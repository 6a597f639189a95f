import type { LmsCourse } from '@assay/shared/lti-roster.ts'
import { Button, Progress } from '@mantine/core'
import { Notice } from '../../../components/Notice.tsx'
import classes from './LmsRosterPanel.module.css'
import { doubtWords, expectedOf, nameOfLmsCourse, reportWords } from './roster-report-words.ts'

interface Props {
  course: LmsCourse
  retry: () => void
  suspend: () => void
}

/** One LMS course: its name, what the last sync did, and what stands in the way of the next. */
export function LmsCourseRow({ course, retry, suspend }: Props) {
  const name = nameOfLmsCourse(course)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.report} role="status">
          {reportWords(course)}
        </span>
      </div>
      <State course={course} name={name} retry={retry} suspend={suspend} />
    </li>
  )
}

function State({ course, name, retry, suspend }: Props & { name: string }) {
  const { report, obstacle } = course
  if (report?.state === 'running') {
    const expected = expectedOf(course)
    return (
      <div className={classes.below}>
        {expected && (
          <Progress value={(100 * report.listed) / expected} aria-label={`Fetching the roster of ${name}`} />
        )}
        <p className={classes.hint}>
          {report.problem ? `${report.problem} It is tried again.` : 'You may leave this page; it goes on.'}
        </p>
      </div>
    )
  }
  if (obstacle) {
    return (
      <div className={classes.below}>
        <Notice tone="warn">{obstacle}</Notice>
      </div>
    )
  }
  if (report?.state === 'failed') {
    return (
      <div className={classes.below}>
        <Notice
          tone="bad"
          title="The roster was not read to its end, and nobody was suspended"
          actions={
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          }
        >
          {report.problem} It is tried again by itself within hours.
        </Notice>
      </div>
    )
  }
  if (report?.state === 'doubtful') {
    return (
      <div className={classes.below}>
        <Notice
          tone="warn"
          title="The list is much shorter than the class"
          actions={
            <Button variant="default" onClick={suspend}>
              Suspend who is missing…
            </Button>
          }
        >
          {doubtWords(course)}
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
