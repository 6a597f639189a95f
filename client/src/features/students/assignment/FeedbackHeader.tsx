import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { Breadcrumbs } from '../../../components/layout/Breadcrumbs.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import classes from '../../submissions/review/ReviewHeader.module.css'
import { DownloadPaperButton } from './DownloadPaperButton.tsx'
import type { GradedAssignment } from './graded-assignment.ts'

/** What one is looking at, and the way back. */
export function FeedbackHeader({ assignment }: { assignment: GradedAssignment }) {
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
              Handed in <time dateTime={submission_date}>{formatDateTime(submission_date)}</time>
              {late && ', late'}
            </span>
          )}
        </div>
      </div>
      <DownloadPaperButton assignmentId={id} submissionId={submission_id} title={title} />
    </header>
  )
}
