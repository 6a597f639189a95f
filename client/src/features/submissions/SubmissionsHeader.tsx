import type { Assignment } from '@assay/shared/assignments.ts'
import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Crumb } from '../../components/layout/Breadcrumbs.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { AssignmentBadges } from '../assignments/AssignmentBadges.tsx'
import type { GradedPapersZip } from '../graded-papers/useGradedPapersZip.ts'
import { questionsPath } from '../questions/question-path.ts'
import { RubricCheckedLink } from '../rubrics/RubricCheckedLink.tsx'
import { AssignmentMoreMenu } from './AssignmentMoreMenu.tsx'
import { ProcessButton } from './grading-run/ProcessButton.tsx'
import type { GradingProcess } from './grading-run/useGradingProcess.ts'
import { PublishButtons } from './publishing/PublishButtons.tsx'

interface Props {
  assignmentId: number
  assignment: QueryResult<Assignment>
  counts: SubmissionCounts
  lmsScores: LmsScores | undefined
  running: boolean
  process: GradingProcess
  uploading: boolean
  toggleUpload: () => void
  gradedPapers: GradedPapersZip
  reload: () => Promise<unknown>
}

/** What the assignment is, and what is done with it every time; the rest is in a menu. */
export function SubmissionsHeader(props: Props) {
  const { assignmentId, counts } = props
  const assignment = props.assignment.data
  const empty = counts.all === 0
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  // Once there are suggestions, deciding on them is what comes next.
  const canGradeByQuestion = counts.graded > 0 && !props.running
  const uploadInMenu = onPhone && !props.uploading
  const title = assignment?.title ?? `Assignment ${assignmentId}`
  return (
    <PageHeader
      title={title}
      tabTitle={`Submissions, ${title}`}
      crumbs={crumbsFor(assignment, title)}
      badge={
        assignment && (
          <>
            <AssignmentBadges assignment={assignment} />
            {assignment.rubric_checked && <RubricCheckedLink assignmentId={assignmentId} />}
          </>
        )
      }
      subtitle="Manage submissions and grades"
      actions={
        <>
          {assignment && (
            <PublishButtons
              assignment={assignment}
              counts={counts}
              lmsScores={props.lmsScores}
              changed={(next) => {
                props.assignment.patch(() => next)
                void props.reload()
              }}
            />
          )}
          {canGradeByQuestion && (
            <Button component={Link} to={questionsPath(assignmentId)}>
              Grade by question
            </Button>
          )}
          <ProcessButton
            counts={counts}
            process={props.process}
            disabled={empty || props.running}
            secondary={canGradeByQuestion}
          />
          {uploadInMenu || (
            <Button
              variant="default"
              leftSection={props.uploading ? undefined : <IconUpload size={18} aria-hidden />}
              aria-expanded={props.uploading}
              onClick={props.toggleUpload}
            >
              {props.uploading ? 'Cancel Upload' : 'Upload Files'}
            </Button>
          )}
          <AssignmentMoreMenu
            assignmentId={assignmentId}
            empty={empty}
            graded={counts.graded > 0}
            gradedPapers={props.gradedPapers}
            upload={uploadInMenu ? props.toggleUpload : null}
          />
        </>
      }
    />
  )
}

function crumbsFor(assignment: Assignment | undefined, title: string): Crumb[] {
  if (assignment?.course_id) {
    return [
      { label: 'My Courses', to: '/courses' },
      { label: assignment.course_name ?? 'Course', to: `/courses/${assignment.course_id}` },
      { label: title },
    ]
  }
  return [{ label: 'Dashboard', to: '/dashboard' }, { label: title }]
}
