import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import type { Cursors } from '../engine/cursors.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import type { Collection } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'
import { exactBody, type Request } from '../wire/message.ts'

export type Reply = Doc | Uint8Array
/** Documents, or row ids of a find. */
export type Rest = { rids: number[] } | { documents: Uint8Array[] }

export interface CommandContext {
  store: Store
  request: Request
  body: Doc
  database: string
  /** Mostly a collection's name. */
  name: string
  argument: unknown
  cursors: Cursors
  reply(namespace: string, batch: Uint8Array[], rest?: Rest): Reply
}

export interface Command {
  /** `write` joins the group commit; `state` does not touch the store. */
  kind: 'read' | 'write' | 'state'
  run(context: CommandContext): Reply
}

export function commandContext(request: Request, own: Pick<CommandContext, 'store' | 'cursors' | 'reply'>) {
  const { body } = request
  const name = commandName(body)
  return { ...own, request, body, database: String(body.$db ?? 'admin'), name, argument: body[name] }
}

export const commandName = (body: Doc): string => Object.keys(body)[0] ?? ''

export const namespaceOf = (context: CommandContext): string => `${context.database}.${collectionName(context)}`

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
  if (value < 0)
    throw new MongoError('Location51024', `BSON field '${name}' value must be >= 0, actual value '${value}'`)
  return Math.trunc(value)
}

export function statementsOf(context: CommandContext, name: string): Doc[] {
  const given = exactBody(context.request)[name]
  return Array.isArray(given) ? given.filter(isDoc) : []
}

/** Those that cannot change an answer of a single server are ignored. */
const OPTIONS = new Set([
  ...['$db', 'lsid', '$clusterTime', '$readPreference', 'readConcern', 'writeConcern', 'comment'],
  ...['filter', 'projection', 'sort', 'skip', 'limit', 'batchSize', 'singleBatch', 'noCursorTimeout', 'allowDiskUse'],
  ...['collection', 'cursors', 'query', 'key', 'fields', 'pipeline', 'cursor', 'verbosity'],
  ...['documents', 'updates', 'deletes', 'ordered', 'bypassDocumentValidation'],
  ...['q', 'u', 'multi', 'upsert', 'update', 'remove', 'new'],
  ...['indexes', 'index', 'commitQuorum', 'to', 'dropTarget', 'nameOnly', 'authorizedCollections'],
])

/** Ignoring an unknown option could answer differently from MongoDB. */
export function assertOptions(name: string, options: Doc): void {
  const refused = Object.keys(options).find((option) => option !== name && !OPTIONS.has(option))
  if (refused !== undefined) throw notSupported(`The option '${refused}' of ${name}`)
}
