import { Button, Modal } from '@mantine/core'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { SecondaryButton } from '../display/buttons.tsx'
import confirm from './ConfirmModal.module.css'

export function UnsavedChanges({ when, children }: { when: boolean; children: string }) {
  const { isBlocked, stay, proceed } = useUnsavedChanges(when)
  return (
    <UnsavedChangesModal opened={isBlocked} stay={stay} discard={proceed}>
      {children}
    </UnsavedChangesModal>
  )
}

interface Props {
  opened: boolean
  children: string
  stay: () => void
  discard: () => void
}

export function UnsavedChangesModal({ opened, children, stay, discard }: Props) {
  return (
    <Modal opened={opened} onClose={stay} title="Discard your changes?">
      <div className={confirm.words}>{children}</div>
      <div className={confirm.buttons}>
        <SecondaryButton onClick={discard}>Discard changes</SecondaryButton>
        <Button onClick={stay} data-autofocus>
          Keep editing
        </Button>
      </div>
    </Modal>
  )
}
