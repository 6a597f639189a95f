import { ErrorReply } from '@assay/shared/errors.ts'
import { ApiError } from '../lib/api-error.ts'

/** The browser event by which errors outside React are told; its `detail` is the structured error. */
export const GLOBAL_ERROR = 'assay:error'

function tell(reply: ErrorReply) {
  window.dispatchEvent(new CustomEvent(GLOBAL_ERROR, { detail: reply }))
}

/** Unhandled rejections in our shape, and any script error, become a browser event. */
export function reportGlobalErrors(): void {
  window.addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof ApiError) tell(event.reason.reply)
    else {
      const reply = ErrorReply.safeParse(event.reason)
      if (reply.success) tell(reply.data)
    }
  })
  window.addEventListener('error', () => {
    const error = ApiError.of(
      'unexpected_error',
      'An unexpected error occurred in the application. Please refresh the page and try again.',
    )
    tell({ ...error.reply, message: error.message, error_code: 'javascript_error' })
  })
}
