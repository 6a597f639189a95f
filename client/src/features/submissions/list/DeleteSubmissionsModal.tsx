import { deleteSubmission, deleteSubmissions, type SubmissionRow } from '@assay/shared/submissions.ts'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { ApiError, asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { hasGrade } from './row-status.ts'

interface Props {
  assignmentId: number
  /** Ids; empty while closed. */
  doomed: readonly number[]
  /** Those on screen, of which more can be said. */
  rows: readonly SubmissionRow[]
  nameOf: (id: number) => string
  close: () => void
  gone: (ids: readonly number[]) => void
}

/** One call for so many: each is over long before a call may not take longer. */
const BATCH = 1000
/** Names told of those that could not be deleted. */
const MOST_NAMES = 5

export function DeleteSubmissionsModal({ assignmentId, doomed, rows, nameOf, close, gone }: Props) {
  const one = useSend(deleteSubmission)
  const many = useSend(deleteSubmissions)
  const [done, setDone] = useState(0)
  const [first] = doomed
  const single = doomed.length === 1

  async function removeOne(submissionId: number) {
    try {
      await one.send({ params: { assignmentId, submissionId } })
    } catch (cause) {
      const error = asApiError(cause)
      if (error.status !== 404) throw withFallbackMessage(error, 'Failed to delete submission.')
    }
    toast.good('Submission deleted successfully!')
    gone([submissionId])
  }

  async function removeAll() {
    const deleted: number[] = []
    /** What was there no longer need not stay selected; what failed does. */
    const missing: number[] = []
    const failed: string[] = []
    try {
      for (let from = 0; from < doomed.length; from += BATCH) {
        const submission_ids = doomed.slice(from, from + BATCH)
        const { results } = await many.send({ params: { assignmentId }, body: { submission_ids } })
        deleted.push(...results.successful_deletions)
        missing.push(...results.validation_failures.map(({ id }) => id))
        failed.push(
          ...results.failed_deletions.map(({ title }) => title),
          ...results.validation_failures.map(({ id }) => `${nameOf(id)} (gone already)`),
        )
        setDone(from + submission_ids.length)
      }
    } catch (cause) {
      // What went before is gone all the same; the rest stays selected.
      if (deleted.length > 0) gone([...deleted, ...missing])
      throw withFallbackMessage(asApiError(cause), 'Failed to delete submissions.')
    } finally {
      setDone(0)
    }
    if (deleted.length > 0) toast.good(`Successfully deleted ${deleted.length} submission(s)!`)
    if (failed.length > 0) {
      toast.bad(`Failed to delete ${failed.length} submission(s). Check logs for details. ${nameList(failed)}`)
    }
    gone([...deleted, ...missing])
  }

  return (
    <ConfirmModal
      opened={first !== undefined}
      close={close}
      title={single ? `Delete submission #${first}?` : `Delete ${formatCount(doomed.length)} submissions?`}
      confirmLabel={single ? 'Delete' : `Delete ${formatCount(doomed.length)} submissions`}
      dangerous
      onConfirm={() => (single && first !== undefined ? removeOne(first) : removeAll())}
    >
      <p>
        {single && first !== undefined ? `The paper of ${nameOf(first)}` : `${formatCount(doomed.length)} papers`}
        {gradesPhrase(doomed, rows)} will be deleted.
      </p>
      <p>This action cannot be undone.</p>
      <p role="status">{done > 0 && `${formatCount(done)} of ${formatCount(doomed.length)} done`}</p>
    </ConfirmModal>
  )
}

/** Counted where all of them are on screen. */
function gradesPhrase(doomed: readonly number[], rows: readonly SubmissionRow[]): string {
  const ids = new Set(doomed)
  const seen = rows.filter(({ id }) => ids.has(id))
  if (seen.length < doomed.length) return ', with the grades they have,'
  const graded = seen.filter(hasGrade).length
  if (graded === 0) return ''
  return ` and ${doomed.length === 1 ? 'its grade' : plural(graded, 'grade')}`
}

function nameList(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function withFallbackMessage(error: ApiError, fallback: string): ApiError {
  return new ApiError(error.status, { ...error.reply, detail: messageOf(error, fallback) })
}
