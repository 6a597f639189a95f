/** As far as ours go. */
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

/** Or a reference to a shared one. */
export interface OpenApiResponse {
  description?: string
  headers?: Record<string, object>
  content?: Content
  $ref?: string
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content } | undefined
  responses: Record<string, OpenApiResponse>
}

/** As far as the page shows it. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, object>
    schemas: Record<string, Schema>
    responses: Record<string, OpenApiResponse>
  }
}
