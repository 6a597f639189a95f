import { ApiError } from '../lib/api/api-error.ts'
import { InvalidRouteIdError } from '../lib/hooks/useRouteIds.ts'

export function errorTitle(error: ApiError): string {
  const { category } = error.reply
  if (category === 'validation') return 'Please Check Your Input'
  if (category === 'auth') return 'Authentication Required'
  if (category === 'system' || category === 'database') return 'System Error'
  return 'Error Occurred'
}

export function supportMailLink(error: ApiError, address: string | null = null): string {
  const subject = 'Assay: something went wrong'
  const body = `Error ID: ${error.reply.request_id || 'none'}\nCode: ${error.code}\nMessage: ${error.message}\nAt: ${error.reply.timestamp}\n`
  return `mailto:${encodeURIComponent(address ?? '').replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

export function toCrashError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  if (cause instanceof InvalidRouteIdError) return ApiError.of('resource_not_found', cause.message, { cause })
  const error = ApiError.of('unexpected_error', 'An unexpected error occurred in the application.', { cause })
  error.reply.error_code = 'component_error'
  error.reply.category = 'system'
  error.reply.suggestions = [
    'Refresh the page.',
    'Clear the browser’s cache if it happens again.',
    'Contact support if the problem continues.',
  ]
  return error
}
