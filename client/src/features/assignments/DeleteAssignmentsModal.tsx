import { deleteAssignments, previewDeletion } from '@assay/shared/assignments.ts'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'

interface AssignmentToDelete {
  id: number
  title: string
}

interface Props {
  /** Empty while closed. */
  assignments: AssignmentToDelete[]
  close: () => void
  onDeleted: (ids: number[]) => void
}

export function DeleteAssignmentsModal({ assignments, close, onDeleted }: Props) {
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

export function DeletionPreview({ ids }: { ids: number[] }) {
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
