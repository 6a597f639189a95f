import { runPipeline } from '../aggregate/run-pipeline.ts'
import { type Doc, encode } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import * as catalog from './catalog.commands.ts'
import { assertOptions, type Command, findCollection, namespaceOf } from './command.ts'
import { count, distinct, explain, find, getMore, killCursors } from './find.commands.ts'
import { deleteCommand, findAndModify, insert, update } from './write.commands.ts'

const FIRST_BATCH = 101

/** Everything beyond the first batch is computed now: no statement stays open between calls. */
const aggregate: Command = {
  kind: 'read',
  run(context) {
    const documents: Uint8Array[] = []
    for (const doc of runPipeline(findCollection(context), context.body.pipeline)) {
      checkpoint()
      documents.push(encode(doc))
    }
    const batch = documents.splice(0, FIRST_BATCH)
    return context.reply(namespaceOf(context), batch, documents.length > 0 ? { documents } : undefined)
  },
}

/** Presents itself as a MongoDB 7.0 without a replica set. */
const WIRE_VERSION = 21

const hello: Command = {
  kind: 'state',
  run: ({ name }) => ({
    helloOk: true,
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  }),
}

const done: Command = { kind: 'state', run: () => ({ ok: 1 }) }

const COMMANDS = new Map<string, Command>(
  Object.entries({
    hello,
    ismaster: hello,
    isMaster: hello,
    ping: done,
    endSessions: done,
    find,
    getMore,
    killCursors,
    count,
    distinct,
    explain,
    aggregate,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    ...catalog,
  }),
)

/** Drivers add options to the handshake in each version. */
const WITH_ANY_OPTION = new Set(['hello', 'ismaster', 'isMaster'])

export function requireCommand(name: string, body: Doc): Command {
  const command = COMMANDS.get(name)
  if (!command) throw new MongoError('CommandNotFound', `no such command: '${name}', in the embedded database`)
  if (body.autocommit === false) throw notSupported('A transaction')
  if (!WITH_ANY_OPTION.has(name)) assertOptions(name, body)
  return command
}
