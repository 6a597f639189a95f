import { ApiError } from '../../lib/api/api-error.ts'

export const errorTypes = ['render', 'async', 'network', 'chunk', 'validation', 'auth'] as const
export type ErrorType = (typeof errorTypes)[number]

export const boundaryTypes = ['component', 'smart', 'auth', 'data', 'api', 'file'] as const
export type BoundaryType = (typeof boundaryTypes)[number]

export function createFailure(type: ErrorType): Error {
  if (type === 'network') return ApiError.of('network_error')
  if (type === 'auth') return ApiError.of('auth_required')
  if (type === 'chunk') return new TypeError('Failed to fetch dynamically imported module')
  if (type === 'validation') {
    const error = ApiError.of('validation_failed')
    error.reply.validation_errors = [{ field: 'name', message: 'Course name is required', constraint: 'too_small' }]
    return error
  }
  return new Error(`Test error: ${type}`)
}

const smartTitles = {
  smart: 'Component Error',
  auth: 'Authentication Error',
  data: 'Data Loading Error',
  api: 'Service Error',
  file: 'File Processing Error',
} as const

export function expectedTitle(boundary: BoundaryType, type: ErrorType): string {
  if (boundary !== 'component') return smartTitles[boundary]
  if (type === 'validation') return 'Please Check Your Input'
  if (type === 'auth') return 'Authentication Required'
  return type === 'network' ? 'Error Occurred' : 'System Error'
}
