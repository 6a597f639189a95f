import { BSONRegExp, ObjectId } from 'bson'
import { type Doc, decodeExact, encode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { type FindSpec, rowsToChange } from '../query/find.ts'
import { isOperatorDoc } from '../query/matcher.ts'
import { overlaps } from '../query/paths.ts'
import { compileProjection } from '../query/projection.ts'
import { type Collection, normaliseDocument, type StoredDocument } from '../storage/collection.ts'
import { type CompiledUpdate, compileUpdate } from '../update/compile-update.ts'
import { setAt } from '../update/update-paths.ts'
import { exactBody } from '../wire/message.ts'
import {
  assertOptions,
  type Command,
  type CommandContext,
  collectionName,
  docOption,
  findCollection,
  statementsOf,
} from './command.ts'

/** An error ends an ordered batch. */
function eachStatement<T>(context: CommandContext, statements: T[], run: (statement: T, index: number) => void): Doc[] {
  const errors: Doc[] = []
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index)
    } catch (error) {
      // Errors that are not the client's fail the whole command.
      if (!(error instanceof MongoError) || error.codeName === 'InternalError') throw error
      const { keyPattern, keyValue } = error.details
      errors.push({ index, code: error.code, errmsg: error.message, ...(keyPattern ? { keyPattern, keyValue } : {}) })
      if (context.body.ordered !== false) break
    }
  }
  return errors
}

function withErrors(reply: Doc, errors: Doc[]): Doc {
  return { ...reply, ...(errors.length > 0 ? { writeErrors: errors } : {}), ok: 1 }
}

export const insert: Command = {
  kind: 'write',
  run(context) {
    const collection = context.store.ensureCollection(context.database, collectionName(context))
    const sent = context.request.sequences.get('documents')
    const documents: Uint8Array[] = sent ?? statementsOf(context, 'documents').map(encode)
    let n = 0
    const errors = eachStatement(context, documents, (bytes) => {
      collection.insert(normaliseDocument(bytes))
      n++
    })
    return withErrors({ n }, errors)
  },
}

function sentStatements(context: CommandContext, name: 'updates' | 'deletes'): Doc[] {
  const sent = context.request.sequences.get(name)
  const statements = sent ? sent.map(decodeExact) : statementsOf(context, name)
  for (const statement of statements) assertOptions(context.name, statement)
  return statements
}

export const update: Command = {
  kind: 'write',
  run(context) {
    const upserted: Doc[] = []
    let n = 0
    let nModified = 0
    const errors = eachStatement(context, sentStatements(context, 'updates'), (statement, index) => {
      const filter = docOption(statement, 'q')
      const compiled = compileUpdate(statement.u, filter)
      const multi = statement.multi === true
      if (compiled.isReplacement && multi) {
        throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update')
      }
      const found = rowsFor(context, { filter, limit: multi ? 0 : 1, sort: statement.sort })
      let matched = 0
      for (const row of found) {
        matched++
        if (change(row.collection, row, compiled).changed) nModified++
      }
      n += matched
      if (matched > 0 || statement.upsert !== true) return
      const doc = insertUpserted(context, filter, compiled)
      n++
      upserted.push({ index, _id: doc._id })
    })
    return withErrors({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors)
  },
}

interface Found extends StoredDocument {
  collection: Collection
}

/** Finds all before yielding the first: a change could make the scan meet a document twice. */
function* rowsFor(context: CommandContext, spec: FindSpec): Generator<Found> {
  const collection = findCollection(context)
  if (!collection) return
  for (const row of rowsToChange(collection, spec)) yield { ...row, collection }
}

function change(collection: Collection, row: StoredDocument, compiled: CompiledUpdate) {
  const before = decodeExact(row.bytes)
  const id = before._id
  const after = compiled.apply(before, false)
  const bytes = normaliseDocument(encode(after))
  assertSameId(id, after._id)
  if (Buffer.compare(bytes, row.bytes) === 0) return { changed: false, bytes }
  collection.replace(row, bytes)
  return { changed: true, bytes }
}

function assertSameId(before: unknown, after: unknown): void {
  if (before === after || Buffer.compare(encode({ before }), encode({ before: after })) === 0) return
  throw new MongoError(
    'ImmutableField',
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  )
}

function insertUpserted(context: CommandContext, filter: Doc, compiled: CompiledUpdate): Doc {
  const collection = context.store.ensureCollection(context.database, collectionName(context))
  const bytes = normaliseDocument(encode(upsertedDoc(filter, compiled)))
  collection.insert(bytes)
  return decodeExact(bytes)
}

export const deleteCommand: Command = {
  kind: 'write',
  run(context) {
    let n = 0
    const errors = eachStatement(context, sentStatements(context, 'deletes'), (statement) => {
      const limit = toNumber(statement.limit)
      if (limit !== 0 && limit !== 1) {
        throw new MongoError(
          'FailedToParse',
          `The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`,
        )
      }
      for (const row of rowsFor(context, { filter: docOption(statement, 'q'), limit })) {
        row.collection.remove(row)
        n++
      }
    })
    return withErrors({ n }, errors)
  },
}

export const findAndModify: Command = {
  kind: 'write',
  run(context) {
    const body = exactBody(context.request)
    assertKind(body)
    const filter = docOption(body, 'query')
    const project = compileProjection(docOption(context.body, 'fields')) ?? ((doc: Doc) => doc)
    const shown = (bytes: Uint8Array) => project(decodeExact(bytes))
    const [row] = rowsFor(context, { filter, limit: 1, sort: context.body.sort })
    if (body.remove === true) {
      if (!row) return { lastErrorObject: { n: 0 }, value: null, ok: 1 }
      row.collection.remove(row)
      return { lastErrorObject: { n: 1 }, value: shown(row.bytes), ok: 1 }
    }
    const compiled = compileUpdate(body.update, filter)
    if (row) {
      const { bytes } = change(row.collection, row, compiled)
      return {
        lastErrorObject: { n: 1, updatedExisting: true },
        value: shown(body.new === true ? bytes : row.bytes),
        ok: 1,
      }
    }
    if (body.upsert !== true) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 }
    const doc = insertUpserted(context, filter, compiled)
    return {
      lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id },
      value: body.new === true ? project(doc) : null,
      ok: 1,
    }
  },
}

function assertKind({ remove, update, upsert, new: after }: Doc): void {
  if (remove === true ? update === undefined && upsert !== true && after !== true : update !== undefined) return
  throw new MongoError('FailedToParse', 'Either an update or remove=true must be specified, and not both')
}

function upsertedDoc(filter: Doc, compiled: CompiledUpdate): Doc {
  const found: Doc = {}
  addEqualities(found, filter)
  const start = compiled.isReplacement && '_id' in found ? { _id: found._id } : found
  const doc = compiled.apply(start, true)
  return doc._id === undefined ? { _id: new ObjectId(), ...doc } : doc
}

/** Each field may be given once, also through `$and`; of two values the order would decide. */
function addEqualities(doc: Doc, filter: Doc, given: string[] = []): void {
  for (const [key, operand] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(operand)) {
      for (const branch of operand) if (isDoc(branch)) addEqualities(doc, branch, given)
    } else if (key === '$or' && Array.isArray(operand) && operand.length === 1 && isDoc(operand[0])) {
      addEqualities(doc, operand[0], given)
    } else if (!key.startsWith('$')) {
      const value = equalityOf(operand)
      if (value === undefined) continue
      assertFirst(key, given)
      given.push(key)
      setAt(doc, key.split('.'), value)
    }
  }
}

function assertFirst(path: string, given: string[]): void {
  const other = given.find((known) => overlaps(known, path))
  if (other !== undefined)
    throw new MongoError(
      'NotSingleValueField',
      `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
    )
}

function equalityOf(operand: unknown): unknown {
  if (operand instanceof BSONRegExp) return undefined
  if (!isOperatorDoc(operand)) return operand
  if ('$eq' in operand) return operand.$eq
  return Array.isArray(operand.$in) && operand.$in.length === 1 ? operand.$in[0] : undefined
}
