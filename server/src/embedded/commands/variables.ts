import { type Doc, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileExpression } from '../query/expression.ts'

/** The values of a command's `let`, which are expressions without fields. */
export function variablesOf(given: unknown): Doc | undefined {
  if (given === undefined || given === null) return undefined
  if (!isDoc(given)) {
    throw new MongoError('TypeMismatch', "BSON field 'let' is the wrong type, expected type 'object'")
  }
  const entries = Object.entries(given).map(([name, expression]) => {
    if (!/^[a-z\u0080-\uffff]\w*$/.test(name)) {
      throw new MongoError('FailedToParse', `'${name}' starts with an invalid character for a user variable name`)
    }
    // Most are plain values.
    if (typeof expression !== 'string' && !isDoc(expression) && !Array.isArray(expression)) return [name, expression]
    const value = compileExpression(expression)({})
    if (value === undefined) {
      throw new MongoError('Location4890500', `Command let Expression does not evaluate to a constant: ${name}`)
    }
    return [name, value]
  })
  return Object.fromEntries(entries)
}
