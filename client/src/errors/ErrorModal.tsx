import { Modal } from '@mantine/core'
import type { ApiError } from '../lib/api-error.ts'
import { ErrorActions } from './ErrorActions.tsx'
import { ErrorId, ErrorWords } from './ErrorDetails.tsx'
import { titleOf } from './error-words.ts'

interface Props {
  /** Null while there is none. */
  error: ApiError | null
  retry?: () => unknown
  close: () => void
}

/** A structured error that has to be seen before one goes on. */
export function ErrorModal({ error, retry, close }: Props) {
  return (
    <Modal
      opened={error !== null}
      onClose={close}
      title={error ? titleOf(error) : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && (
        <>
          <ErrorWords error={error} />
          <ErrorActions error={error} retry={retry} />
          <ErrorId error={error} />
        </>
      )}
    </Modal>
  )
}
