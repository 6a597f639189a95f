import type { ErrorReply } from '@assay/shared/http/errors.ts'
import { ApiError } from '../lib/api/api-error.ts'
import { isErrorReply } from '../lib/api/error-reply.ts'
import { toast } from '../lib/toast.ts'
import { reportError } from './ErrorBoundary.tsx'

export const GLOBAL_ERROR = 'assay:error'

function dispatchErrorEvent(reply: ErrorReply) {
  window.dispatchEvent(new CustomEvent(GLOBAL_ERROR, { detail: reply }))
}

/** The browser's remark that a layout took two rounds; nothing has failed. */
const isResizeObserverWarning = (message: string) => message.startsWith('ResizeObserver loop')

function onRejection({ reason }: PromiseRejectionEvent) {
  if (reason instanceof ApiError) return dispatchErrorEvent(reason.reply)
  if (isErrorReply(reason)) dispatchErrorEvent(reason)
}

function onScriptError({ message }: ErrorEvent) {
  if (isResizeObserverWarning(message)) return
  const error = ApiError.of(
    'unexpected_error',
    'An unexpected error occurred in the application. Please refresh the page and try again.',
  )
  dispatchErrorEvent({ ...error.reply, message: error.message, error_code: 'javascript_error', category: 'system' })
}

function onGlobalError(event: Event) {
  const reply: unknown = event instanceof CustomEvent ? event.detail : null
  if (!isErrorReply(reply)) return
  const error = new ApiError(0, reply)
  reportError(error, 'window')
  toast.apiError(error)
}

export function installGlobalErrorHandlers(): () => void {
  window.addEventListener('unhandledrejection', onRejection)
  window.addEventListener('error', onScriptError)
  window.addEventListener(GLOBAL_ERROR, onGlobalError)
  return () => {
    window.removeEventListener('unhandledrejection', onRejection)
    window.removeEventListener('error', onScriptError)
    window.removeEventListener(GLOBAL_ERROR, onGlobalError)
  }
}
