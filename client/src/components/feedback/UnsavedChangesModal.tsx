import { Button, Modal } from '@mantine/core'
import confirm from './ConfirmModal.module.css'

interface Props {
  opened: boolean
  children: string
  stay: () => void
  discard: () => void
}

export function UnsavedChangesModal({ opened, children, stay, discard }: Props) {
  return (
    <Modal opened={opened} onClose={stay} title={<span className={confirm.title}>Discard your changes?</span>}>
      <div className={confirm.words}>{children}</div>
      <div className={confirm.buttons}>
        <Button variant="default" onClick={discard}>
          Discard changes
        </Button>
        <Button onClick={stay} data-autofocus>
          Keep editing
        </Button>
      </div>
    </Modal>
  )
}
