import type { StudentAssignmentDetails } from '@assay/shared/students.ts'
import { useState } from 'react'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { statusBadges, workStatus } from '../work-status.ts'
import { AssignmentDates } from './AssignmentDates.tsx'
import { EarlierAttempts } from './EarlierAttempts.tsx'
import { HandInForm } from './HandInForm.tsx'
import classes from './HandInScreen.module.css'
import { StudentPaperButtons } from './StudentPaperButtons.tsx'
import { UnsentPhotos } from './UnsentPhotos.tsx'

interface Props {
  assignment: StudentAssignmentDetails
  handedIn: (now: StudentAssignmentDetails) => void
  reload: () => Promise<unknown>
}

/** Before the grade is released: when it is due, what was handed in, and handing in, again too. */
export function HandInScreen({ assignment, handedIn, reload }: Props) {
  const { id, title, course, can_hand_in, why_not } = assignment
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const { status, word } = statusBadges[workStatus(assignment)]
  return (
    <Page width="reading">
      <PageHeader
        title={title}
        subtitle={course.name}
        crumbs={[
          { label: 'Dashboard', to: '/student/dashboard' },
          { label: course.course_code ?? course.name, to: `/student/courses/${course.id}` },
          { label: 'Your work' },
        ]}
        badge={<StatusBadge status={status}>{word}</StatusBadge>}
      />
      <div className={classes.parts}>
        <AssignmentDates assignment={assignment} />
        <div role="status" className={classes.outcome}>
          {confirmed && (
            <Notice>
              Handed in on <strong>{formatDateTime(confirmed)}</strong>. You will see your grade here once your
              instructor releases it.
            </Notice>
          )}
        </div>
        <CurrentPaper assignment={assignment} />
        {can_hand_in ? (
          <Panel title={assignment.paper ? 'Hand in again' : 'Hand in your paper'}>
            <HandInForm
              assignment={assignment}
              handedIn={(now) => {
                setConfirmed(now.submission_date)
                handedIn(now)
              }}
              uncertain={reload}
            />
          </Panel>
        ) : (
          <>
            {why_not && <Notice title="You can’t hand in now">{why_not}</Notice>}
            <UnsentPhotos assignmentId={id} />
          </>
        )}
        <EarlierAttempts assignmentId={id} attempts={assignment.earlier_attempts} />
      </div>
    </Page>
  )
}

function CurrentPaper({ assignment }: { assignment: StudentAssignmentDetails }) {
  const { id, title, paper, submission_id, submission_date, late } = assignment
  if (!paper || submission_id === null || submission_date === null) return null
  const who = paper.handed_in_by === 'teacher' ? 'Uploaded by your instructor' : 'Handed in'
  return (
    <Panel title="Your paper">
      <div className={classes.paper}>
        <p className={classes.name}>{paper.file_name}</p>
        <p className={classes.when}>
          {who} on <time dateTime={submission_date}>{formatDateTime(submission_date)}</time>
          {late && ' · late'}
        </p>
        <div className={classes.buttons}>
          <StudentPaperButtons assignmentId={id} submissionId={submission_id} title={title} />
        </div>
      </div>
    </Panel>
  )
}
