import type { Schema } from '../lib/openapi/openapi-types.ts'

const SAFE = 9007199254740991

/** A value's constraints, besides its type. */
function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength } = schema
  const words = [
    minimum !== undefined && minimum > -SAFE ? `from ${minimum}` : '',
    maximum !== undefined && maximum < SAFE ? `to ${maximum}` : '',
    minLength ? `at least ${minLength} characters` : '',
    maxLength ? `at most ${maxLength} characters` : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
  return words.length > 0 ? ` (${words.join(', ')})` : ''
}

/** A schema as one writes a type: names, what is optional (`?`), and what a value may be. */
export function schemaText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((one) => schemaText(one, indent)).join(' | ')
  if (schema.type === 'array') {
    const item = schemaText(schema.items ?? {}, indent)
    const { anyOf, oneOf, enum: words } = schema.items ?? {}
    return anyOf || oneOf || words ? `(${item})[]` : `${item}[]`
  }
  if (schema.properties) {
    const inner = `${indent}  `
    const lines = Object.entries(schema.properties).map(([name, property]) => {
      const optional = schema.required?.includes(name) ? '' : '?'
      return `${inner}${name}${optional}: ${schemaText(property, inner)}`
    })
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}'
  }
  if (typeof schema.additionalProperties === 'object') {
    return `{ [name]: ${schemaText(schema.additionalProperties, indent)} }`
  }
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'anything')
  const format = schema.format === 'binary' ? 'file' : schema.format
  return (format ? (format === 'file' ? 'file' : `${type}, ${format}`) : type) + boundsOf(schema)
}
