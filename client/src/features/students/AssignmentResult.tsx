import type { StudentAssignment } from '@assay/shared/students.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload, IconFileText } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Card } from '../../components/Card.tsx'
import { Notice } from '../../components/Notice.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { saveFile } from '../../lib/api.ts'
import { messageOf } from '../../lib/api-error.ts'
import { formatDate, formatMoment } from '../../lib/format.ts'
import classes from './AssignmentResult.module.css'
import { CriterionScores } from './CriterionScores.tsx'
import { OwnPaperModal } from './OwnPaperModal.tsx'
import { statusMarks, workStatus } from './own-work.ts'
import { ReleasedGrade } from './ReleasedGrade.tsx'

/** One assignment as its student has it: handed in or not, and what came back. */
export function AssignmentResult({ assignment }: { assignment: StudentAssignment }) {
  const { title, created_at, submission_date, submission_id, criterion_grades } = assignment
  const [open, setOpen] = useState(false)
  const details = useId()
  const { status, word } = statusMarks[workStatus(assignment)]
  return (
    <Card label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.dates}>
            Created {formatDate(created_at)}
            {submission_date && ` · Handed in ${formatMoment(submission_date)}`}
          </p>
        </div>
        <StatusMark status={status}>{word}</StatusMark>
      </div>
      {assignment.is_graded && <ReleasedGrade assignment={assignment} />}
      {criterion_grades.length > 0 && (
        <div id={details} className={classes.criteria}>
          <CriterionScores assignment={assignment} full={open} />
        </div>
      )}
      <div className={classes.actions}>
        {criterion_grades.length > 0 && (
          <Button
            variant="default"
            aria-expanded={open}
            aria-controls={details}
            rightSection={
              <IconChevronDown size={16} className={classes.arrow} data-open={open} aria-hidden />
            }
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide Details' : 'View Details'}
          </Button>
        )}
        {submission_id !== null && (
          <OwnPaper assignmentId={assignment.id} submissionId={submission_id} title={title} />
        )}
      </div>
    </Card>
  )
}

interface OwnPaperProps {
  assignmentId: number
  submissionId: number
  title: string
}

function OwnPaper({ assignmentId, submissionId, title }: OwnPaperProps) {
  const [reading, setReading] = useState(false)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setSaving(true)
    setFailure(null)
    try {
      await saveFile(getSubmissionFile, { params: { assignmentId, submissionId } }, `${title}.pdf`)
    } catch (cause) {
      setFailure(messageOf(cause, 'The download failed. Please try again.'))
    } finally {
      setSaving(false)
    }
  }

  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconFileText size={16} aria-hidden />}
        onClick={() => setReading(true)}
      >
        View your paper
      </Button>
      <Button
        variant="subtle"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving}
        onClick={() => void download()}
      >
        Download
      </Button>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <OwnPaperModal
        opened={reading}
        close={() => setReading(false)}
        assignmentId={assignmentId}
        submissionId={submissionId}
        title={title}
      />
    </>
  )
}
