import { Modal } from '@mantine/core'
import type { ApiError } from '../lib/api/api-error.ts'
import { ErrorActions } from './ErrorActions.tsx'
import { ErrorId, ErrorMessage } from './ErrorDetails.tsx'
import { errorTitle } from './error-messages.ts'

interface Props {
  error: ApiError | null
  retry?: () => unknown
  close: () => void
}

export function ErrorModal({ error, retry, close }: Props) {
  return (
    <Modal opened={error !== null} onClose={close} title={error ? errorTitle(error) : ''}>
      {error && (
        <>
          <ErrorMessage error={error} />
          <ErrorActions error={error} retry={retry} />
          <ErrorId error={error} />
        </>
      )}
    </Modal>
  )
}
