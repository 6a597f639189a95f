import { Button, Modal } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { CancelButton, SecondaryButton } from '../display/buttons.tsx'
import classes from './ConfirmModal.module.css'
import { ErrorNotice } from './Notice.tsx'

interface Props {
  opened: boolean
  close: () => void
  title: string
  children: ReactNode
  confirmLabel: string
  dangerous?: boolean
  disabled?: boolean
  failed?: string
  /** Closes when done; a failure is shown here and the dialog stays open. */
  onConfirm: () => Promise<unknown> | undefined
}

export function ConfirmModal(props: Props) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const words = useId()

  async function confirm() {
    setBusy(true)
    setFailure(null)
    try {
      await props.onConfirm()
      props.close()
    } catch (cause) {
      setFailure(asApiError(cause))
    } finally {
      setBusy(false)
    }
  }

  function confirmByKey(event: KeyboardEvent) {
    const isLine = event.target instanceof HTMLInputElement && event.target.type === 'text'
    const { isComposing } = event.nativeEvent
    const isOther = event.ctrlKey || event.metaKey || event.repeat || isComposing || event.defaultPrevented
    if (event.key !== 'Enter' || isOther || !isLine || props.dangerous || props.disabled || busy) return
    event.preventDefault()
    void confirm()
  }

  function close() {
    if (busy) return
    setFailure(null)
    props.close()
  }

  return (
    <Modal opened={props.opened} onClose={close} title={props.title} aria-describedby={words} onKeyDown={confirmByKey}>
      <div id={words} className={classes.words}>
        {props.children}
      </div>
      {failure && <ErrorNotice error={failure} fallback={props.failed ?? failure.message} />}
      <div className={classes.buttons}>
        <CancelButton onClick={close} disabled={busy} data-autofocus={props.dangerous || undefined} />
        <Button
          color={props.dangerous ? 'red.8' : undefined}
          onClick={() => void confirm()}
          loading={busy}
          disabled={props.disabled}
          data-autofocus={props.dangerous ? undefined : true}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </Modal>
  )
}

interface AskFirstProps extends Omit<Props, 'opened' | 'close'> {
  button: (ask: () => void) => ReactNode
}

/** A button that asks before it acts. */
export function AskFirst({ button, ...question }: AskFirstProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      {button(() => setAsking(true))}
      <ConfirmModal {...question} opened={asking} close={() => setAsking(false)} />
    </>
  )
}

export function UnsavedChanges({ when, children }: { when: boolean; children: string }) {
  const { isBlocked, stay, proceed } = useUnsavedChanges(when)
  return (
    <UnsavedChangesModal opened={isBlocked} stay={stay} discard={proceed}>
      {children}
    </UnsavedChangesModal>
  )
}

interface UnsavedChangesModalProps {
  opened: boolean
  children: string
  stay: () => void
  discard: () => void
}

export function UnsavedChangesModal({ opened, children, stay, discard }: UnsavedChangesModalProps) {
  return (
    <Modal opened={opened} onClose={stay} title="Discard your changes?">
      <div className={classes.words}>{children}</div>
      <div className={classes.buttons}>
        <SecondaryButton onClick={discard}>Discard changes</SecondaryButton>
        <Button onClick={stay} data-autofocus>
          Keep editing
        </Button>
      </div>
    </Modal>
  )
}
