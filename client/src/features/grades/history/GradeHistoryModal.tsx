import { Modal } from '@mantine/core'
import { Suspense } from 'react'
import confirm from '../../../components/feedback/ConfirmModal.module.css'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { lazyComponent } from '../../../lib/loading/lazy-component.tsx'

const GradeHistoryView = lazyComponent(() => import('./GradeHistoryView.tsx').then((part) => part.GradeHistoryView))

interface Props {
  ids: { assignmentId: number; submissionId: number }
  opened: boolean
  close: () => void
}

export function GradeHistoryModal({ ids, opened, close }: Props) {
  return (
    <Modal opened={opened} onClose={close} size="xl" title={<span className={confirm.title}>Grade history</span>}>
      <Suspense fallback={<RowSkeletons count={4} label="Loading the history" />}>
        <GradeHistoryView ids={ids} />
      </Suspense>
    </Modal>
  )
}
