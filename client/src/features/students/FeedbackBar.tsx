import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { Breadcrumbs } from '../../components/Breadcrumbs.tsx'
import { formatMoment } from '../../lib/format.ts'
import classes from '../submissions/review/ReviewBar.module.css'
import { DownloadPaper } from './DownloadPaper.tsx'
import type { GradedAssignment } from './FeedbackScreen.tsx'

/** What one is looking at, and the way back. */
export function FeedbackBar({ assignment }: { assignment: GradedAssignment }) {
  const { id, title, course, submission_id, submission_date, late } = assignment
  const back = `/student/courses/${course.id}`
  return (
    <header className={classes.root}>
      <ActionIcon
        component={Link}
        to={back}
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Back to the course"
        className={classes.back}
      >
        <IconArrowLeft size={20} />
      </ActionIcon>
      <div className={classes.who}>
        <div className={classes.crumbs}>
          <Breadcrumbs crumbs={[{ label: course.name, to: back }, { label: 'Your work' }]} />
        </div>
        <div className={classes.nameLine}>
          <h1 className={classes.name}>{title}</h1>
          {submission_date && (
            <span className={classes.facts}>
              Handed in <time dateTime={submission_date}>{formatMoment(submission_date)}</time>
              {late && ', late'}
            </span>
          )}
        </div>
      </div>
      <DownloadPaper assignmentId={id} submissionId={submission_id} title={title} />
    </header>
  )
}
