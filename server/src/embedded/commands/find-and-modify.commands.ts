import { type Doc, decodeExact } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileProjection } from '../query/projection.ts'
import { exactBody } from '../wire/message.ts'
import { type Command, docOption, rejectCollation } from './command.ts'
import { change, compiledFrom, insertUpserted, rowsFor } from './write.commands.ts'

/** Finds one document, changes or removes it, and returns it as before or after. */
export const findAndModify: Command = {
  kind: 'write',
  run(context) {
    const body = exactBody(context.request)
    rejectCollation(body)
    assertKind(body)
    const filter = docOption(body, 'query')
    const project = compileProjection(docOption(context.body, 'fields'), filter) ?? ((doc: Doc) => doc)
    const shown = (bytes: Uint8Array) => project(decodeExact(bytes))
    const [row] = rowsFor(context, { filter, limit: 1, sort: context.body.sort }, context.body)
    if (body.remove === true) {
      if (!row) return { lastErrorObject: { n: 0 }, value: null, ok: 1 }
      row.collection.remove(row)
      return { lastErrorObject: { n: 1 }, value: shown(row.bytes), ok: 1 }
    }
    const compiled = compiledFrom(context, body.update, filter, body.arrayFilters, undefined)
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

function assertKind(body: Doc): void {
  const remove = body.remove === true
  const refused = remove
    ? body.update !== undefined
      ? 'Cannot specify both an update and remove=true'
      : body.upsert === true
        ? 'Cannot specify both upsert=true and remove=true'
        : body.new === true
          ? "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document"
          : undefined
    : body.update === undefined
      ? 'Either an update or remove=true must be specified'
      : undefined
  if (refused) throw new MongoError('FailedToParse', refused)
}
