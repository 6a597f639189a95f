import { BSON } from 'bson'
import type { Doc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { getAt, setAt, unsetAt } from './update-paths.ts'

export function renameTarget(from: string, argument: unknown): string {
  if (typeof argument !== 'string') throw new MongoError('BadValue', "The 'to' field for $rename must be a string")
  if (argument === from) {
    throw new MongoError('BadValue', `The source and target field for $rename must differ: ${from}`)
  }
  if (argument.startsWith(`${from}.`) || from.startsWith(`${argument}.`)) {
    throw new MongoError(
      'BadValue',
      `The source and target field for $rename must not be on the same path: ${from}: "${argument}"`,
    )
  }
  for (const [side, path] of [
    ['source', from],
    ['destination', argument],
  ] as const) {
    if (path.split('.').some((part) => part === '$' || part.startsWith('$['))) {
      throw new MongoError('BadValue', `The ${side} field for $rename may not be dynamic: ${path}`)
    }
  }
  return argument
}

export function rename(doc: Doc, from: string[], to: string[]): void {
  const value = getAt(doc, from)
  if (value === undefined) return
  assertNoElement(doc, 'source', from)
  assertNoElement(doc, 'destination', to)
  unsetAt(doc, from)
  setAt(doc, to, value)
}

function assertNoElement(doc: Doc, side: string, parts: string[]): void {
  for (let length = 1; length < parts.length; length++) {
    if (!Array.isArray(getAt(doc, parts.slice(0, length)))) continue
    throw new MongoError(
      'BadValue',
      `The ${side} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${BSON.EJSON.stringify(doc._id as Doc)} has an array field called '${parts[length - 1]}'`,
    )
  }
}
