import { Modal } from '@mantine/core'
import type { ApiError } from '../lib/api/api-error.ts'
import { ErrorActions, errorTitle } from './ErrorActions.tsx'
import { ErrorId, ErrorMessage } from './ErrorDetails.tsx'

export function ErrorModal({ error, close }: { error: ApiError | null; close: () => void }) {
  return (
    <Modal opened={error !== null} onClose={close} title={error ? errorTitle(error) : ''}>
      {error && (
        <>
          <ErrorMessage error={error} />
          <ErrorActions error={error} />
          <ErrorId error={error} />
        </>
      )}
    </Modal>
  )
}
