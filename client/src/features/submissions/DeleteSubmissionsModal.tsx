import { deleteSubmission, deleteSubmissions, type SubmissionRow } from '@assay/shared/submissions.ts'
import { ConfirmModal } from '../../components/ConfirmModal.tsx'
import { useSend } from '../../lib/api.ts'
import { ApiError, asApiError, messageOf } from '../../lib/api-error.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { hasGrade } from './row-status.ts'

interface Props {
  assignmentId: number
  /** Empty while closed. */
  doomed: SubmissionRow[]
  close: () => void
  gone: (ids: number[]) => void
}

export function DeleteSubmissionsModal({ assignmentId, doomed, close, gone }: Props) {
  const one = useSend(deleteSubmission)
  const many = useSend(deleteSubmissions)
  const [first] = doomed
  const graded = doomed.filter(hasGrade).length

  async function removeOne(row: SubmissionRow) {
    try {
      await one.send({ params: { assignmentId, submissionId: row.id } })
    } catch (cause) {
      const error = asApiError(cause)
      if (error.status !== 404) throw reworded(error, 'Failed to delete submission.')
    }
    toast.good('Submission deleted successfully!')
    gone([row.id])
  }

  async function removeAll() {
    try {
      const reply = await many.send({
        params: { assignmentId },
        body: { submission_ids: doomed.map((row) => row.id) },
      })
      const { total_deleted, successful_deletions, failed_deletions, validation_failures } = reply.results
      if (total_deleted > 0) toast.good(`Successfully deleted ${total_deleted} submission(s)!`)
      if (failed_deletions.length > 0) {
        const names = failed_deletions.map(({ title }) => title).join(', ')
        toast.bad(
          `Failed to delete ${failed_deletions.length} submission(s). Check logs for details. ${names}`,
        )
      }
      if (validation_failures.length > 0) {
        toast.bad(`Validation failures: ${validation_failures.map(({ error }) => error).join(', ')}`)
      }
      gone(successful_deletions)
    } catch (cause) {
      throw reworded(asApiError(cause), 'Failed to delete submissions.')
    }
  }

  return (
    <ConfirmModal
      opened={first !== undefined}
      close={close}
      title={
        doomed.length === 1 ? `Delete submission #${first?.id}?` : `Delete ${doomed.length} submissions?`
      }
      confirmLabel={doomed.length === 1 ? 'Delete' : `Delete ${doomed.length} submissions`}
      dangerous
      onConfirm={() => (doomed.length === 1 && first ? removeOne(first) : removeAll())}
    >
      <p>
        {doomed.length === 1 ? `The paper of ${first?.student_identifier}` : `${doomed.length} papers`}
        {graded > 0 && ` and ${doomed.length === 1 ? 'its grade' : plural(graded, 'grade')}`} will be deleted.
      </p>
      <p>This action cannot be undone.</p>
    </ConfirmModal>
  )
}

function reworded(error: ApiError, fallback: string): ApiError {
  return new ApiError(error.status, { ...error.reply, detail: messageOf(error, fallback) })
}
