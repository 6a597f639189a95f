import { deleteAssignment } from '@assay/shared/assignments.ts'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { type ApiError, asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { DeletionPreview } from './DeleteAssignmentsModal.tsx'

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
  // With nothing but its status said, the screen says it in its own words.
  if (error.status === 400 && error.message === error.reply.message)
    return 'Cannot delete assignment due to validation errors'
  return messageOf(error, 'Failed to delete assignment. Please try again.')
}
