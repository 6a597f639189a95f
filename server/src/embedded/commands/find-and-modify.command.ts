import { type Doc, decodeExact } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { compileProjection } from '../query/projection.ts'
import { compileUpdate } from '../update/compile-update.ts'
import { exactBody } from '../wire/message.ts'
import { type Command, docOption } from './command.ts'
import { change, insertUpserted, rowsFor } from './write.commands.ts'

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
    const compiled = compileUpdate({ update: body.update, filter, arrayFilters: body.arrayFilters })
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
