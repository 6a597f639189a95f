import { z } from 'zod'

export const errorCategories = ['auth', 'validation', 'system', 'database', 'other', 'client'] as const
const ErrorCategory = z.enum(errorCategories)
type ErrorCategory = z.infer<typeof ErrorCategory>

interface ErrorKind {
  status: number
  category: ErrorCategory
  message: string
  suggestions: string[]
  can_retry: boolean
  contact_support: boolean
}

function errorKind(status: number, category: ErrorCategory, message: string, more: Partial<ErrorKind> = {}): ErrorKind {
  return { status, category, message, suggestions: [], can_retry: false, contact_support: false, ...more }
}

export const errorKinds = {
  bad_request: errorKind(
    400,
    'client',
    'The request contains invalid information. Please check your input and try again.',
    { can_retry: true },
  ),
  invalid_json: errorKind(400, 'client', 'The request body is not valid JSON. Please check it and try again.', {
    can_retry: true,
  }),
  auth_required: errorKind(401, 'auth', 'You need to log in to access this resource.', {
    suggestions: ['Log in and try again.'],
  }),
  invalid_credentials: errorKind(401, 'auth', 'Login failed. Please check your credentials.', { can_retry: true }),
  account_pending: errorKind(403, 'auth', 'Your instructor account is waiting for an administrator to approve it.', {
    suggestions: ['Ask your administrator to approve the account.'],
  }),
  account_deactivated: errorKind(
    403,
    'auth',
    'This account has been deactivated. Contact your administrator if you need it.',
  ),
  lms_deactivated: errorKind(403, 'auth', 'This LMS has been deactivated in Assay.', {
    suggestions: ['Ask your LMS administrator about it.'],
  }),
  registration_closed: errorKind(
    403,
    'auth',
    'Instructors cannot register here. Ask your administrator for an account.',
  ),
  link_invalid: errorKind(400, 'auth', 'This link is invalid or has expired. Please request a new one.', {
    suggestions: ['Links work once and for a limited time. Request a new one.'],
  }),
  auth_insufficient_permissions: errorKind(403, 'auth', "You don't have permission to perform this action."),
  csrf_failed: errorKind(403, 'auth', 'Your session token has expired. Please try again.', { can_retry: true }),
  resource_not_found: errorKind(404, 'client', 'The requested resource could not be found.'),
  request_timeout: errorKind(408, 'client', 'The request took too long to arrive. Please try again.', {
    can_retry: true,
  }),
  duplicate: errorKind(409, 'validation', 'This already exists.'),
  conflict: errorKind(409, 'client', 'Someone else changed this in the meantime. Reload the page and try again.', {
    can_retry: true,
  }),
  own_account: errorKind(409, 'client', 'You cannot do this to your own account. Ask another administrator.'),
  last_administrator: errorKind(409, 'client', 'At least one active administrator is required.'),
  run_in_progress: errorKind(
    409,
    'client',
    'These papers are being graded right now. Wait until grading has finished, or stop it.',
  ),
  nothing_to_grade: errorKind(409, 'client', 'There is nothing to grade. Every paper already has a grade.'),
  names_hidden: errorKind(409, 'client', 'Names are hidden while this assignment is graded. Show names first.'),
  hand_in_refused: errorKind(409, 'client', 'This assignment is not accepting papers now.'),
  file_too_large: errorKind(413, 'validation', 'File size must be less than 50MB', {
    suggestions: ['Export the PDF with a lower resolution, or split it.'],
  }),
  payload_too_large: errorKind(413, 'client', 'The request is too large.'),
  unsupported_media_type: errorKind(415, 'client', 'The content type of this request is not supported.'),
  validation_failed: errorKind(422, 'validation', 'Please check your input and correct any errors before submitting.', {
    can_retry: true,
  }),
  files_refused: errorKind(422, 'validation', 'Some files were rejected. Nothing was saved.', { can_retry: true }),
  rate_limit_exceeded: errorKind(429, 'client', 'Too many requests. Please wait 60 seconds before trying again.', {
    can_retry: true,
  }),
  service_unavailable: errorKind(
    500,
    'system',
    'A server error occurred. Our team has been notified and is working to fix the issue.',
    { suggestions: ['Try again in a moment.'], can_retry: true, contact_support: true },
  ),
  storage_full: errorKind(507, 'system', 'There is no disk space left to store this. Nothing was saved.', {
    suggestions: ['Ask your administrator to free some space, then try again.'],
    can_retry: true,
    contact_support: true,
  }),
  lms_failed: errorKind(502, 'system', 'The LMS could not complete the request.', {
    suggestions: ['Try again in a moment. If the problem persists, run the self-test on the LMS’s page.'],
    can_retry: true,
  }),
  paper_store_unreachable: errorKind(503, 'system', 'The paper store cannot be reached. Please try again.', {
    can_retry: true,
  }),
  starting_up: errorKind(503, 'system', 'Assay is starting. Please try again in a moment.', { can_retry: true }),
  network_error: errorKind(0, 'client', 'Assay cannot be reached. Check your connection and try again.', {
    can_retry: true,
  }),
  timeout: errorKind(0, 'client', 'The server did not answer in time. Please try again.', { can_retry: true }),
  unexpected_error: errorKind(500, 'other', 'An unexpected error occurred. Please try again or contact support.', {
    can_retry: true,
    contact_support: true,
  }),
} satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

/** `loc`: e.g. `['body', 'name']`. */
export const ErrorDetail = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})
export type ErrorDetail = z.infer<typeof ErrorDetail>

/** `detail` is a list for 422. */
export const ErrorReply = z.object({
  detail: z.union([z.string(), z.array(ErrorDetail)]),
  message: z.string(),
  error_code: z.string(),
  category: ErrorCategory,
  suggestions: z.array(z.string()),
  can_retry: z.boolean(),
  contact_support: z.boolean(),
  request_id: z.string(),
  timestamp: z.string(),
  retry_after: z.number().optional(),
  validation_errors: z.array(z.object({ field: z.string(), message: z.string(), constraint: z.string() })).optional(),
  type: z.string().optional(),
  lms: z.string().optional(),
})
export type ErrorReply = z.infer<typeof ErrorReply>

/** For bodies that are not ours: a proxy's page, an empty reply. */
export function codeForStatus(status: number): ErrorCode {
  if (status === 400) return 'bad_request'
  if (status === 401) return 'auth_required'
  if (status === 403) return 'auth_insufficient_permissions'
  if (status === 404) return 'resource_not_found'
  if (status === 408) return 'request_timeout'
  if (status === 413) return 'payload_too_large'
  if (status === 415) return 'unsupported_media_type'
  if (status === 422) return 'validation_failed'
  if (status === 429) return 'rate_limit_exceeded'
  if (status === 500 || status === 502 || status === 503 || status === 504) return 'service_unavailable'
  return 'unexpected_error'
}
