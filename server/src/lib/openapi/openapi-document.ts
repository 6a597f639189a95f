import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { type ErrorCode, ErrorReply, errorKinds } from '@assay/shared/http/errors.ts'
import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { z } from 'zod'

export interface Schema {
  type?: string | string[]
  $ref?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  items?: Schema
  maxItems?: number
  contentMediaType?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export type Content = Record<string, { schema?: Schema; example?: unknown }>

interface OpenApiResponse {
  description?: string
  headers?: Record<string, object>
  content?: Content
  $ref?: string
}

export type Operation = ReturnType<typeof operationOf>

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>

const mediaTypes = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  picture: 'image/*',
  'class-scan': 'application/pdf',
} as const

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest as Schema // zod has more ways to say things than we read.
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query') {
  if (!schema) return []
  const { properties, required } = schemaOf(schema, 'input')
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

function multipartSchema(endpoint: Endpoint): Schema {
  const fields: Schema = endpoint.body ? schemaOf(endpoint.body, 'input') : { type: 'object', properties: {} }
  const contentMediaType = mediaTypes[endpoint.fileType ?? 'pdf']
  const file = { type: 'string', format: 'binary', contentMediaType }
  const many = { type: 'array', items: file, maxItems: MAX_FILES_PER_UPLOAD }
  const files = Object.entries(endpoint.files ?? {}).map(([name, how]) => [name, how === 'one' ? file : many])
  return { ...fields, properties: { ...fields.properties, ...Object.fromEntries(files) } }
}

function bodyOf(endpoint: Endpoint): { required: boolean; content: Content } | undefined {
  if (endpoint.files)
    return { required: true, content: { 'multipart/form-data': { schema: multipartSchema(endpoint) } } }
  if (!endpoint.body) return undefined
  const type = endpoint.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: !endpoint.body.safeParse(undefined).success,
    content: { [type]: { schema: schemaOf(endpoint.body, 'input') } },
  }
}

/** Changes by a signed-in caller need the CSRF token too. */
function securityOf({ access, method }: Endpoint) {
  if (access === 'public') return []
  return [method === 'get' ? { bearer: [] } : { bearer: [], csrf: [] }]
}

function operationOf(tag: string, name: string, endpoint: Endpoint) {
  const content: Content = endpoint.raw
    ? { [endpoint.raw]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } }
  const body = bodyOf(endpoint)
  const access = endpoint.access === 'public' ? 'Anyone.' : `Roles: ${endpoint.access.join(', ')}.`
  const total = { 'X-Total-Count': { description: 'How many there are in all', schema: { type: 'integer' } } }
  return {
    operationId: name,
    tags: [tag],
    summary: endpoint.summary,
    description: access,
    security: securityOf(endpoint),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: {
      [endpoint.status ?? 200]: { description: 'Done', content, ...(endpoint.hasTotalCount ? { headers: total } : {}) },
      ...errorResponsesOf(endpoint),
      default: {
        description: 'Failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

export function createOpenApiDocument(
  contract: { tag: string; name: string; endpoint: Endpoint }[],
  version: string,
  tagDescriptions: Record<string, string> = {},
) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { tag, name, endpoint } of contract) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(tag, name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version,
      description:
        'Changes by a signed-in caller carry the header X-CSRF-Token, from GET /auth/csrf-token. Times are ISO 8601 UTC, ids positive whole numbers.',
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(contract.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? '',
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token of POST /auth/token.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'The csrf_token of GET /auth/csrf-token, made for this session and good for an hour.',
        },
      },
      schemas: { Error: schemaOf(ErrorReply, 'output') },
      responses: errorResponses,
    },
  }
}

/** An example and what the status means. */
const failures: Record<number, [example: ErrorCode, description: string]> = {
  401: ['auth_required', 'No token, or its session has ended'],
  403: [
    'auth_insufficient_permissions',
    'Not allowed for the caller’s role, or the CSRF token is missing (`type` is `csrf_error`)',
  ],
  404: ['resource_not_found', 'Not found, or not visible to the caller'],
  413: ['file_too_large', 'A file of more than 50 MB, or too large a body'],
  415: ['unsupported_media_type', 'A content type that this call does not accept'],
  422: ['validation_failed', 'The request is invalid; `detail` says what and where'],
  429: ['rate_limit_exceeded', 'Too many calls; `Retry-After` says how long to wait'],
  500: ['service_unavailable', 'Internal error; look up `request_id` in the server log'],
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

const errorResponses: Record<string, OpenApiResponse> = Object.fromEntries(
  Object.entries(failures).map(([status, [code, description]]) => [
    `Failure${status}`,
    {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(code) } },
    },
  ]),
)

function errorResponsesOf(endpoint: Endpoint): Record<string, OpenApiResponse> {
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
