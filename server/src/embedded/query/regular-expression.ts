import { BSONRegExp } from 'bson'
import { MongoError } from '../mongo-error.ts'

/** JavaScript's syntax in `u` mode, which refuses most of what MongoDB reads differently: `\A`, `(?i)`, `a++`. */
export function compileRegExp(pattern: unknown, options: unknown): RegExp {
  const given = typeof options === 'string' ? options : undefined
  if (pattern instanceof BSONRegExp) return compile(pattern.pattern, given ?? pattern.options)
  if (typeof pattern === 'string') return compile(pattern, given ?? '')
  throw new MongoError('BadValue', '$regex has to be a string')
}

function compile(pattern: string, options: string): RegExp {
  const other = [...options].find((option) => !'imsu'.includes(option))
  if (other !== undefined) throw new MongoError('Location51108', `invalid flag in regex options: ${other}`)
  try {
    return new RegExp(pattern, `${options.replace('u', '')}u`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MongoError('Location51091', `Regular expression is invalid: ${reason}`)
  }
}
