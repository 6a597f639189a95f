import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { type ErrorCode, errorKinds } from '@assay/shared/http/errors.ts'
import type { OpenApiResponse } from './openapi-types.ts'

/** The code of a status in the examples. */
const exampleCodes: Record<number, ErrorCode> = {
  401: 'auth_required',
  403: 'auth_insufficient_permissions',
  404: 'resource_not_found',
  413: 'file_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limit_exceeded',
  500: 'service_unavailable',
}

const statusDescriptions: Record<number, string> = {
  401: 'No token, or its session has ended',
  403: 'Not allowed for the caller’s role, or the CSRF token is missing (`type` is `csrf_error`)',
  404: 'Not found, or not visible to the caller',
  413: 'A file of more than 50 MB, or too large a body',
  415: 'A content type that this call does not accept',
  422: 'The request is invalid; `detail` says what and where',
  429: 'Too many calls; `Retry-After` says how long to wait',
  500: 'Internal error; look up `request_id` in the server log',
}

function exampleOf(code: ErrorCode): object {
  const { status, ...kind } = errorKinds[code]
  const detail = [{ loc: ['body', 'name'], msg: 'Name is required', type: 'too_small' }]
  const wrong = { field: 'name', message: 'Name is required', constraint: 'too_small' }
  return {
    detail: status === 422 ? detail : kind.message,
    ...kind,
    error_code: code,
    request_id: '8571b067-3983-4e95-871b-170b4d3c2b1f',
    timestamp: '2026-01-12T14:02:00.000Z',
    ...(status === 422 ? { validation_errors: [wrong] } : {}),
    ...(status === 429 ? { retry_after: 60 } : {}),
  }
}

/** Ways to fail that many calls share, each with an example. */
export const errorResponses: Record<string, OpenApiResponse> = Object.fromEntries(
  Object.entries(exampleCodes).map(([status, code]) => [
    `Failure${status}`,
    {
      description: statusDescriptions[Number(status)] ?? '',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(code) },
      },
    },
  ]),
)

/** Which of them a call can meet, as references. */
export function errorResponsesOf(endpoint: Endpoint): Record<string, OpenApiResponse> {
  const isOpen = endpoint.access === 'public'
  const statuses = [
    ...(isOpen ? [] : [401, 403]),
    ...(endpoint.params ? [404] : []),
    ...(endpoint.files ? [413] : []),
    ...(endpoint.body || endpoint.files ? [415] : []),
    ...(endpoint.body || endpoint.query || endpoint.files ? [422] : []),
    ...(endpoint.method === 'get' ? [] : [429]),
    500,
  ]
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]))
}
