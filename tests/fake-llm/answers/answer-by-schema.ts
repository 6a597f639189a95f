import type { JsonSchema } from '../received-request.ts'

/** The first choice everywhere, and lists with one entry. */
export function answerBySchema(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const either = schema.anyOf?.find(({ type }) => type !== 'null')
  if (either) return answerBySchema(either)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, answerBySchema(of)]))
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => answerBySchema(schema.items ?? {}))
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'yes'
  }
}
