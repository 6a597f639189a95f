import { type Doc, decodeExact, encode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import type { FindSpec } from '../query/find.ts'
import { rowsToChange } from '../query/rows-to-change.ts'
import { type Collection, normaliseDocument, type StoredDocument } from '../storage/collection.ts'
import { type CompiledUpdate, compileUpdate } from '../update/compile-update.ts'
import { upsertedDoc } from '../update/upsert.ts'
import {
  type Command,
  type CommandContext,
  collectionName,
  docOption,
  findCollection,
  rejectCollation,
  statementsOf,
} from './command.ts'
import { assertFields } from './command-options.ts'
import { hintOf } from './hint.ts'
import { variablesOf } from './variables.ts'

/** Runs statements one by one; an error is reported with the statement's index, and ends an ordered batch. */
function eachStatement<T>(context: CommandContext, statements: T[], run: (statement: T, index: number) => void): Doc[] {
  const errors: Doc[] = []
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index)
    } catch (error) {
      // Inside a transaction, and for errors that are not the client's, the whole command fails.
      if (!(error instanceof MongoError) || context.body.autocommit === false) throw error
      errors.push(writeError(error, index))
      if (context.body.ordered !== false) break
    }
  }
  return errors
}

function writeError(error: MongoError, index: number): Doc {
  const { keyPattern, keyValue } = error.details
  return { index, code: error.code, errmsg: error.message, ...(keyPattern ? { keyPattern, keyValue } : {}) }
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
  for (const statement of statements) assertFields(`${context.name}.${name}`, statement)
  return statements
}

export const update: Command = {
  kind: 'write',
  run(context) {
    const upserted: Doc[] = []
    let n = 0
    let nModified = 0
    const errors = eachStatement(context, sentStatements(context, 'updates'), (statement, index) => {
      rejectCollation(statement)
      const filter = docOption(statement, 'q')
      const compiled = compiledFrom(context, statement.u, filter, statement.arrayFilters, statement.c)
      if (compiled.isReplacement && statement.multi === true) {
        throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update')
      }
      if (statement.sort !== undefined && statement.multi === true) {
        throw new MongoError('FailedToParse', 'Cannot specify sort with multi=true')
      }
      const found = rowsFor(
        context,
        { filter, limit: statement.multi === true ? 0 : 1, sort: statement.sort },
        statement,
      )
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

function compiledFrom(context: CommandContext, given: unknown, filter: Doc, arrayFilters: unknown, constants: unknown) {
  if (constants !== undefined && !Array.isArray(given)) {
    throw new MongoError('Location51198', 'Constant values may only be specified for pipeline updates')
  }
  const variables = { ...variablesOf(context.body.let), ...(isDoc(constants) ? constants : {}) }
  return compileUpdate({ update: given, filter, arrayFilters, variables })
}

interface Found extends StoredDocument {
  collection: Collection
}

/** All are found before the first is given, so that a change cannot make the scan meet a document twice. */
function* rowsFor(context: CommandContext, spec: FindSpec, statement: Doc): Generator<Found> {
  const collection = findCollection(context)
  if (!collection) return
  const variables = variablesOf(context.body.let)
  const hint = hintOf(collection, statement)
  for (const row of rowsToChange(collection, { ...spec, hint, context: variables ? { variables } : {} })) {
    yield { ...row, collection }
  }
}

function change(
  collection: Collection,
  row: StoredDocument,
  compiled: CompiledUpdate,
): { changed: boolean; bytes: Uint8Array } {
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
      rejectCollation(statement)
      const limit = toNumber(statement.limit)
      if (limit !== 0 && limit !== 1) {
        throw new MongoError(
          'FailedToParse',
          `The limit field in delete objects must be 0 or 1. Got ${String(statement.limit)}`,
        )
      }
      const spec = { filter: docOption(statement, 'q'), limit }
      for (const row of rowsFor(context, spec, statement)) {
        row.collection.remove(row)
        n++
      }
    })
    return withErrors({ n }, errors)
  },
}

export { change, compiledFrom, insertUpserted, rowsFor }
