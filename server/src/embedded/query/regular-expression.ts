import { BSONRegExp } from 'bson'
import { MongoError } from '../mongo-error.ts'
import { translatePattern } from './pcre-pattern.ts'

/** MongoDB reads patterns as PCRE does. They are translated to mean the same in JavaScript, or refused. */
export function compileRegExp(pattern: unknown, options: unknown): RegExp {
  const given = typeof options === 'string' ? options : undefined
  if (pattern instanceof RegExp) return compile(pattern.source, given ?? pattern.flags)
  if (pattern instanceof BSONRegExp) return compile(pattern.pattern, given ?? pattern.options)
  if (typeof pattern === 'string') return compile(pattern, given ?? '')
  throw new MongoError('BadValue', '$regex has to be a string')
}

function compile(pattern: string, options: string): RegExp {
  for (const option of options) {
    if (!'imsxu'.includes(option)) {
      throw new MongoError('Location51108', `invalid flag in regex options: ${option}`)
    }
  }
  const { source, flags } = translatePattern(pattern, options)
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new MongoError(
      'Location51091',
      `Regular expression is invalid: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
