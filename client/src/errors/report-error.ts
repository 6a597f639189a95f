import type { ErrorReply } from '@assay/shared/http/errors.ts'
import type { ApiError } from '../lib/api/api-error.ts'

/** A school's own script may set one; without it nothing leaves the browser. */
interface ErrorReporter {
  report(error: ErrorReply, where: { boundary: string; cause?: unknown; componentStack?: string }): void
}

declare global {
  interface Window {
    assayErrorReporter?: ErrorReporter
  }
}

export function reportError(error: ApiError, boundary: string, componentStack?: string | null): void {
  try {
    window.assayErrorReporter?.report(error.reply, {
      boundary,
      cause: error.cause,
      ...(componentStack ? { componentStack } : {}),
    })
  } catch (cause) {
    console.error('The error reporter failed', cause)
  }
}
