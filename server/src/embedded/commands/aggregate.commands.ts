import { runPipeline } from '../aggregate/run-pipeline.ts'
import { type Doc, encode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import { type Command, type CommandContext, docOption, rejectCollation } from './command.ts'
import { cursorOver } from './find.commands.ts'
import { hintOf } from './hint.ts'
import { variablesOf } from './variables.ts'

const FIRST_BATCH = 101

export function writesOut(pipeline: unknown): boolean {
  const last: unknown = Array.isArray(pipeline) ? pipeline.at(-1) : undefined
  return isDoc(last) && ('$out' in last || '$merge' in last)
}

function aggregate(context: CommandContext) {
  const { body, store, database, argument } = context
  rejectCollation(body)
  if (body.explain)
    throw new MongoError('CommandNotSupported', 'explain of a pipeline is not supported by the embedded database')
  if (!isDoc(body.cursor)) {
    throw new MongoError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    )
  }
  const collection = typeof argument === 'string' ? argument : undefined
  const variables = variablesOf(body.let)
  const hint = collection === undefined ? undefined : hintOf(store.collection(`${database}.${collection}`), body)
  const docs = runPipeline({ store, database, variables }, collection, body.pipeline, hint)
  const size = toNumber(docOption(body, 'cursor').batchSize) ?? FIRST_BATCH
  return cursorOver(context, `${database}.${collection ?? '$cmd.aggregate'}`, encoded(docs), size)
}

function* encoded(docs: Iterable<Doc>): Generator<Uint8Array> {
  for (const doc of docs) {
    const bytes = encode(doc)
    if (bytes.length > MAX_DOCUMENT_BYTES) {
      throw new MongoError('BSONObjectTooLarge', 'A document of the result is larger than 16 MB')
    }
    yield bytes
  }
}

export const aggregateCommand: Command = { kind: 'read', run: aggregate }
/** A pipeline that ends with `$out` or `$merge`. */
export const aggregateIntoCommand: Command = { kind: 'write', run: aggregate }
