import type { Endpoint } from '@assay/shared/endpoint.ts'
import { ErrorReply } from '@assay/shared/errors.ts'
import { z } from 'zod'

type Json = Record<string, unknown>

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  })
  return rest as Json
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties, required } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (required ?? []).includes(name),
    schema: property,
  }))
}

function multipart(endpoint: Endpoint): Json {
  const fields = endpoint.body ? schemaOf(endpoint.body, 'input') : { type: 'object', properties: {} }
  const file = { type: 'string', format: 'binary' }
  const files = Object.entries(endpoint.files ?? {}).map(([name, many]) => [
    name,
    many === 'one' ? file : { type: 'array', items: file },
  ])
  return { ...fields, properties: { ...(fields.properties as Json), ...Object.fromEntries(files) } }
}

function bodyOf(endpoint: Endpoint): Json | undefined {
  if (endpoint.files)
    return { required: true, content: { 'multipart/form-data': { schema: multipart(endpoint) } } }
  if (!endpoint.body) return undefined
  const type = endpoint.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: !endpoint.body.safeParse(undefined).success,
    content: { [type]: { schema: schemaOf(endpoint.body, 'input') } },
  }
}

function operationOf(tag: string, name: string, endpoint: Endpoint): Json {
  const content = endpoint.raw
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
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Done',
        content,
        ...(endpoint.counted ? { headers: total } : {}),
      },
      default: {
        description: 'Failed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** The contract as OpenAPI 3.1. */
export function openApi(
  contract: { tag: string; name: string; endpoint: Endpoint }[],
  version: string,
): Json {
  const paths: Record<string, Json> = {}
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
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: schemaOf(ErrorReply, 'output') },
    },
  }
}
