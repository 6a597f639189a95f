import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Cursors } from '../engine/cursors.ts'
import { MongoError } from '../mongo-error.ts'
import type { Collection } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'
import { exactBody, type Request } from '../wire/message.ts'

export type Reply = Doc | Uint8Array

export interface CommandContext {
  store: Store
  cursors: Cursors
  request: Request
  body: Doc
  database: string
  /** The command's name and its argument, mostly a collection's name. */
  name: string
  argument: unknown
  dataFolder: string
  /** Called by long loops for every hundred documents or so. */
  checkpoint: Checkpoint
}

export interface Command {
  /** `write` goes through the group commit; `state` answers without touching the store. */
  kind: 'read' | 'write' | 'state'
  run(context: CommandContext): Reply
}

export function namespaceOf(context: CommandContext): string {
  return `${context.database}.${collectionName(context)}`
}

export function collectionName({ argument, name }: CommandContext): string {
  if (typeof argument === 'string' && argument !== '' && !argument.includes('\0') && !argument.startsWith('.')) {
    return argument
  }
  throw new MongoError('InvalidNamespace', `Collection name for ${name} must be a non-empty string`)
}

export function findCollection(context: CommandContext): Collection | undefined {
  return context.store.collection(namespaceOf(context))
}

export function requireCollection(context: CommandContext): Collection {
  const found = findCollection(context)
  if (!found) throw new MongoError('NamespaceNotFound', `ns does not exist: ${namespaceOf(context)}`)
  return found
}

export function docOption(body: Doc, name: string): Doc {
  const value = body[name]
  if (value === undefined || value === null) return {}
  if (isDoc(value)) return value
  throw new MongoError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type 'object'`)
}

export function numberOption(body: Doc, name: string): number {
  const value = toNumber(body[name]) ?? 0
  if (value < 0) throw new MongoError('BadValue', `BSON field '${name}' value must be >= 0, actual value '${value}'`)
  return Math.trunc(value)
}

/** Documents sent in their own section or in the body, as raw bytes or decoded with their BSON types. */
export function statementsOf(context: CommandContext, name: string): Doc[] {
  const given = exactBody(context.request)[name]
  return Array.isArray(given) ? given.filter(isDoc) : []
}

/** Strings compare by bytes only, so a collation that would change the result is refused. */
export function rejectCollation(options: Doc): void {
  const { collation } = options
  if (!isDoc(collation) || Object.keys(collation).length === 0 || collation.locale === 'simple') return
  throw new MongoError('CommandNotSupported', 'collation is not supported by the embedded database')
}
