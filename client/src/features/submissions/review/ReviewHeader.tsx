import type { Assignment } from '@assay/shared/assignments.ts'
import { getGradedPaper } from '@assay/shared/graded-papers.ts'
import type { Grade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { IconChevronLeft, IconChevronRight, IconDownload, IconKeyboard } from '@tabler/icons-react'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { ToolButton } from '../../../components/display/ToolButton.tsx'
import { useFileExport } from '../../../components/files/useFileExport.ts'
import { downloadFile } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { gradeStatus, HELD, isHeld } from '../list/row-status.ts'
import classes from './ReviewHeader.module.css'
import { HeaderFact, ReviewHeaderFrame } from './ReviewHeaderFrame.tsx'
import { studentName } from './student-name.ts'
import { isInProgress } from './useSubmissionEvents.ts'

interface Props {
  submission: Submission
  assignment: Assignment | undefined
  list: string
  open: (id: number | null) => void
  showKeys: () => void
}

export function ReviewHeader({ submission, assignment, list, open, showKeys }: Props) {
  const { id, student_identifier, position, total, previous_id, next_id, created_at } = submission
  const name = studentName(submission)
  return (
    <ReviewHeaderFrame
      back={list}
      backLabel="Back to submissions"
      crumbs={[{ label: assignment?.title ?? 'Assignment', to: list }, { label: `Submission #${id}` }]}
      title={name}
      facts={
        <HeaderFact>
          {submission.names_hidden && 'names hidden · '}
          {name !== student_identifier && `${student_identifier} · `}
          {/* When the student handed it in is not known unless a teacher says so. */}
          {submission.handed_in_by === 'teacher' && submission.said_hand_in !== 'time' && 'uploaded '}
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {submission.said_hand_in === 'on_time' && ' · on time'}
          {submission.late && ' · late'}
        </HeaderFact>
      }
    >
      <span className={classes.status}>
        <GradeStatus submission={submission} />
      </span>
      <nav aria-label="Submissions" className={classes.ways}>
        <ToolButton
          label="Previous student"
          keyName="k"
          variant="default"
          disabled={previous_id === null}
          onClick={() => open(previous_id)}
        >
          <IconChevronLeft size={20} />
        </ToolButton>
        <span className={classes.place}>
          {position} of {total}
        </span>
        <ToolButton
          label="Next student"
          keyName="j"
          variant="default"
          disabled={next_id === null}
          onClick={() => open(next_id)}
        >
          <IconChevronRight size={20} />
        </ToolButton>
      </nav>
      {submission.grade && <GradedPaperButton submission={submission} name={name} />}
      <ToolButton
        label="Keyboard shortcuts"
        tooltip="Keyboard shortcuts (?)"
        className={classes.keys}
        onClick={showKeys}
      >
        <IconKeyboard size={20} />
      </ToolButton>
    </ReviewHeaderFrame>
  )
}

function GradedPaperButton({ submission, name }: { submission: Submission; name: string }) {
  const params = { assignmentId: submission.assignment_id, submissionId: submission.id }
  const paper = useFileExport(
    () => downloadFile(getGradedPaper, { params }, `${name}.pdf`),
    'The graded paper could not be downloaded. Please try again.',
  )
  return (
    <ToolButton label="Download graded paper" loading={paper.busy} onClick={() => void paper.start()}>
      <IconDownload size={20} />
    </ToolButton>
  )
}

function GradeStatus({ submission }: { submission: Submission }) {
  if (submission.grade) return <GradeStatusBadge grade={submission.grade} />
  if (submission.status === 'failed') return <StatusBadge status="failed" />
  if (isHeld(submission)) return <HeldBadge />
  return <StatusBadge status={isInProgress(submission) ? 'working' : 'pending'} />
}

export function GradeStatusBadge({
  grade,
}: {
  grade: Pick<Grade, 'needs_review' | 'reviewed_at' | 'unscored_points'>
}) {
  const { status, word } = gradeStatus({ ...grade, reviewed: grade.reviewed_at !== null })
  return <StatusBadge status={status}>{status === 'flagged' ? 'Flagged for Review' : word}</StatusBadge>
}

export function HeldBadge() {
  return <StatusBadge status={HELD.status}>{HELD.word}</StatusBadge>
}
