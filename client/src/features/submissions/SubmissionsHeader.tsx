import type { Assignment } from '@assay/shared/assignments.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import type { LmsScores } from '@assay/shared/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { IconListCheck, IconSettings, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Crumb } from '../../components/Breadcrumbs.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SaveFileButton } from '../../components/SaveFileButton.tsx'
import { type Loaded, saveFile } from '../../lib/api.ts'
import { AssignmentMarks } from '../assignments/AssignmentMarks.tsx'
import { ProcessButton } from './ProcessButton.tsx'
import { PublishButtons } from './PublishButtons.tsx'
import type { Process } from './useProcess.ts'

interface Props {
  assignmentId: number
  assignment: Loaded<Assignment>
  counts: SubmissionCounts
  lmsScores: LmsScores | undefined
  running: boolean
  process: Process
  uploading: boolean
  toggleUpload: () => void
  reload: () => Promise<unknown>
}

export function SubmissionsHeader(props: Props) {
  const { assignmentId, counts } = props
  const assignment = props.assignment.data
  const empty = counts.all === 0
  const title = assignment?.title ?? `Assignment ${assignmentId}`
  return (
    <PageHeader
      title={title}
      tabTitle={`Submissions, ${title}`}
      crumbs={crumbsFor(assignment, title)}
      beside={assignment && <AssignmentMarks assignment={assignment} />}
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
          <ProcessButton counts={counts} process={props.process} disabled={empty || props.running} />
          <SaveFileButton
            save={() =>
              saveFile(exportGrades, { params: { assignmentId } }, `assignment_${assignmentId}_grades.csv`)
            }
            failed="Failed to export grades. Please try again."
            disabled={empty}
          >
            Export CSV
          </SaveFileButton>
          <Button
            component={Link}
            to={`/assignments/${assignmentId}/rubric`}
            variant="default"
            leftSection={<IconListCheck size={18} aria-hidden />}
          >
            Rubric
          </Button>
          <Button
            component={Link}
            to={`/assignments/${assignmentId}/settings`}
            variant="default"
            leftSection={<IconSettings size={18} aria-hidden />}
          >
            Settings
          </Button>
          <Button
            variant="default"
            leftSection={props.uploading ? undefined : <IconUpload size={18} aria-hidden />}
            aria-expanded={props.uploading}
            onClick={props.toggleUpload}
          >
            {props.uploading ? 'Cancel Upload' : 'Upload Files'}
          </Button>
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
