import { deleteSubmission, deleteSubmissions, type SubmissionRow } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { hasGrade } from './row-status.ts'

interface Props {
  assignmentId: number
  submissionIds: readonly number[]
  rows: readonly SubmissionRow[]
  nameOf: (id: number) => string
  close: () => void
  onDeleted: (ids: readonly number[]) => void
}

/** Few enough to finish well before the request times out. */
const BATCH = 1000
const MOST_NAMES = 5

export function DeleteSubmissionsModal({ assignmentId, submissionIds, rows, nameOf, close, onDeleted }: Props) {
  const one = useSend(deleteSubmission)
  const many = useSend(deleteSubmissions)
  const [done, setDone] = useState(0)
  const [first] = submissionIds
  const single = submissionIds.length === 1

  async function removeOne(submissionId: number) {
    try {
      await one.send({ params: { assignmentId, submissionId } })
    } catch (cause) {
      const error = asApiError(cause)
      if (error.status !== 404) throw error.withDetail(messageOf(error, 'Failed to delete submission.'))
    }
    toast.success('Submission deleted successfully!')
    onDeleted([submissionId])
  }

  async function removeAll() {
    const deleted: number[] = []
    const missing: number[] = []
    const failed: string[] = []
    try {
      for (let from = 0; from < submissionIds.length; from += BATCH) {
        const submission_ids = submissionIds.slice(from, from + BATCH)
        const { results } = await many.send({ params: { assignmentId }, body: { submission_ids } })
        deleted.push(...results.successful_deletions)
        missing.push(...results.validation_failures.map(({ id }) => id))
        failed.push(
          ...results.failed_deletions.map(({ title }) => title),
          ...results.validation_failures.map(({ id }) => `${nameOf(id)} (already deleted)`),
        )
        setDone(from + submission_ids.length)
      }
    } catch (cause) {
      // What was deleted before is gone; the rest stays selected.
      if (deleted.length > 0) onDeleted([...deleted, ...missing])
      throw asApiError(cause).withDetail(messageOf(cause, 'Failed to delete submissions.'))
    } finally {
      setDone(0)
    }
    if (deleted.length > 0) toast.success(`Successfully deleted ${deleted.length} submission(s)!`)
    if (failed.length > 0) {
      toast.error(`Failed to delete ${failed.length} submission(s). Check logs for details. ${nameList(failed)}`)
    }
    onDeleted([...deleted, ...missing])
  }

  return (
    <ConfirmModal
      opened={first !== undefined}
      close={close}
      title={single ? `Delete submission #${first}?` : `Delete ${formatCount(submissionIds.length)} submissions?`}
      confirmLabel={single ? 'Delete' : `Delete ${formatCount(submissionIds.length)} submissions`}
      dangerous
      onConfirm={() => (single && first !== undefined ? removeOne(first) : removeAll())}
    >
      <p>
        {single && first !== undefined
          ? `The paper of ${nameOf(first)}`
          : `${formatCount(submissionIds.length)} papers`}
        {gradesPhrase(submissionIds, rows)} will be deleted.
      </p>
      <p>This action cannot be undone.</p>
      <p role="status">{done > 0 && `${formatCount(done)} of ${formatCount(submissionIds.length)} done`}</p>
    </ConfirmModal>
  )
}

/** Counted where all of them are on screen. */
function gradesPhrase(toDelete: readonly number[], rows: readonly SubmissionRow[]): string {
  const ids = new Set(toDelete)
  const seen = rows.filter(({ id }) => ids.has(id))
  if (seen.length < toDelete.length) return ', with any grades,'
  const graded = seen.filter(hasGrade).length
  if (graded === 0) return ''
  return ` and ${toDelete.length === 1 ? 'its grade' : plural(graded, 'grade')}`
}

function nameList(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
