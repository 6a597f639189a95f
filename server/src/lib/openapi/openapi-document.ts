import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { ErrorReply } from '@assay/shared/http/errors.ts'
import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { z } from 'zod'
import { errorResponses, errorResponsesOf } from './openapi-responses.ts'
import type { Content, OpenApiDocument, Operation, Schema } from './openapi-types.ts'

const mediaTypes = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  picture: 'image/*',
  'class-scan': 'application/pdf',
} as const

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  })
  return rest as Schema // zod has more ways to say things than we read.
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Operation['parameters'] {
  if (!schema) return []
  const { properties, required } = schemaOf(schema, 'input')
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

/** Fields and files of a form, each file field with what it takes. */
function multipartSchema(endpoint: Endpoint): Schema {
  const fields: Schema = endpoint.body ? schemaOf(endpoint.body, 'input') : { type: 'object', properties: {} }
  const contentMediaType = mediaTypes[endpoint.fileType ?? 'pdf']
  const file = { type: 'string', format: 'binary', contentMediaType }
  const many = { type: 'array', items: file, maxItems: MAX_FILES_PER_UPLOAD }
  const files = Object.entries(endpoint.files ?? {}).map(([name, how]) => [name, how === 'one' ? file : many])
  return { ...fields, properties: { ...fields.properties, ...Object.fromEntries(files) } }
}

function bodyOf(endpoint: Endpoint): Operation['requestBody'] {
  if (endpoint.files)
    return { required: true, content: { 'multipart/form-data': { schema: multipartSchema(endpoint) } } }
  if (!endpoint.body) return undefined
  const type = endpoint.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: !endpoint.body.safeParse(undefined).success,
    content: { [type]: { schema: schemaOf(endpoint.body, 'input') } },
  }
}

/** A change by a signed-in caller carries the CSRF token too. */
function securityOf({ access, method }: Endpoint): Operation['security'] {
  if (access === 'public') return []
  return [method === 'get' ? { bearer: [] } : { bearer: [], csrf: [] }]
}

function operationOf(tag: string, name: string, endpoint: Endpoint): Operation {
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
      [endpoint.status ?? 200]: {
        description: 'Done',
        content,
        ...(endpoint.hasTotalCount ? { headers: total } : {}),
      },
      ...errorResponsesOf(endpoint),
      default: {
        description: 'Failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** The contract as OpenAPI 3.1. */
export function createOpenApiDocument(
  contract: { tag: string; name: string; endpoint: Endpoint }[],
  version: string,
  tagDescriptions: Record<string, string> = {},
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
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
