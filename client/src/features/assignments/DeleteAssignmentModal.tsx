import { deleteAssignment, deleteAssignments, previewDeletion } from '@assay/shared/assignments.ts'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { type ApiError, asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'

export interface AssignmentToDelete {
  id: number
  title: string
  status: 'draft' | 'published'
  submissions?: number
  graded?: number
}

interface Props {
  assignment: AssignmentToDelete | null
  close: () => void
  onDeleted: (id: number) => void
}

export function DeleteAssignmentModal({ assignment, close, onDeleted }: Props) {
  const { send } = useSend(deleteAssignment)
  const refresh = useRevalidate()

  async function remove({ id }: AssignmentToDelete) {
    try {
      await send({ params: { assignmentId: id } })
      toast.success('Assignment deleted successfully!')
    } catch (cause) {
      const error = asApiError(cause)
      if (error.status !== 404) throw error.withDetail(deletionErrorMessage(error))
      toast.info('Assignment already deleted.')
    }
    onDeleted(id)
    void refresh('/assignments', '/courses')
  }
  return (
    <ConfirmModal
      opened={assignment !== null}
      close={close}
      title={`Delete “${assignment?.title ?? ''}”?`}
      confirmLabel="Delete Assignment"
      dangerous
      onConfirm={() => (assignment ? remove(assignment) : undefined)}
    >
      <p>This permanently deletes:</p>
      {assignment && assignment.submissions === undefined ? (
        <DeletionPreview ids={[assignment.id]} />
      ) : (
        <ul>
          <li>{plural(assignment?.submissions ?? 0, 'submission')}</li>
          <li>{plural(assignment?.graded ?? 0, 'grade')} with feedback</li>
          <li>the blank assignment, the answer key and all uploaded files</li>
        </ul>
      )}
      {assignment?.status === 'published' && assignment.submissions !== undefined && (
        <p>It is published: students will no longer see it or their grades.</p>
      )}
      <p>This action cannot be undone.</p>
    </ConfirmModal>
  )
}

function deletionErrorMessage(error: ApiError): string {
  if (error.status === 403) return 'You do not have permission to delete this assignment'
  // The server said nothing but its status.
  if (error.status === 400 && error.message === error.reply.message)
    return 'Cannot delete assignment due to validation errors'
  return messageOf(error, 'Failed to delete assignment. Please try again.')
}

interface SeveralProps {
  assignments: AssignmentToDelete[]
  close: () => void
  onDeleted: (ids: number[]) => void
}

export function DeleteAssignmentsModal({ assignments, close, onDeleted }: SeveralProps) {
  const { send } = useSend(deleteAssignments)
  const refresh = useRevalidate()

  async function remove() {
    const { results } = await send({ body: { assignment_ids: assignments.map(({ id }) => id) } })
    const { total_deleted, total_requested, failed_deletions, validation_failures } = results
    if (total_deleted > 0) {
      toast.success(`Successfully deleted ${total_deleted}/${total_requested} assignments`)
    }
    if (failed_deletions.length > 0) {
      toast.error(`Failed to delete: ${failed_deletions.map(({ title }) => title).join(', ')}`)
    }
    if (validation_failures.length > 0) {
      toast.error(`Validation failures: ${validation_failures.map(({ error }) => error).join(', ')}`)
    }
    onDeleted([...results.successful_deletions, ...validation_failures.map(({ id }) => id)])
    void refresh('/assignments', '/courses')
  }
  return (
    <ConfirmModal
      opened={assignments.length > 0}
      close={close}
      title={`Delete ${plural(assignments.length, 'assignment')}?`}
      confirmLabel={`Delete ${plural(assignments.length, 'assignment')}`}
      dangerous
      failed="Failed to perform bulk deletion"
      onConfirm={remove}
    >
      <p>This permanently deletes: {assignments.map(({ title }) => `“${title}”`).join(', ')}.</p>
      <DeletionPreview ids={assignments.map(({ id }) => id)} />
      <p>This action cannot be undone.</p>
    </ConfirmModal>
  )
}

function DeletionPreview({ ids }: { ids: number[] }) {
  const preview = useGet(previewDeletion, undefined, { ids }, { enabled: ids.length > 0 })
  const known = preview.data
  return (
    <ul aria-live="polite">
      {known ? (
        known.validation_details.warnings.map((warning) => <li key={warning}>{warning}</li>)
      ) : (
        <li>all submissions, grades and feedback</li>
      )}
      <li>the blank assignment, the answer key and all uploaded files</li>
    </ul>
  )
}
