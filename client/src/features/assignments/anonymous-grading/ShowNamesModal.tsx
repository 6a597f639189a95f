import { type Assignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'

interface Props {
  assignment: Assignment
  opened: boolean
  close: () => void
  shown?: (assignment: Assignment) => void
}

/** What one has seen cannot be hidden again. */
export function ShowNamesModal({ assignment, opened, close, shown }: Props) {
  const { setHidden } = useNamesHidden(assignment)
  async function show() {
    const next = await setHidden(false)
    shown?.(next)
    toast.success('Names are shown.')
  }
  return (
    <ConfirmModal opened={opened} close={close} title="Show names?" confirmLabel="Show Names" onConfirm={show}>
      <p>
        Everyone who grades “{assignment.title}” will see who wrote each paper. You can hide names again, but not what
        has been seen.
      </p>
      <p>The audit log records who showed names, and when.</p>
    </ConfirmModal>
  )
}

export function useNamesHidden(assignment: Pick<Assignment, 'id'>) {
  const change = useSend(setNamesHidden)
  const refresh = useRevalidate()
  return {
    sending: change.sending,
    async setHidden(names_hidden: boolean): Promise<Assignment> {
      const next = await change.send({ params: { assignmentId: assignment.id }, body: { names_hidden } })
      await refresh('/assignments', '/analytics')
      return next
    },
  }
}
