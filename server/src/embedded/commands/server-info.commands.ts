import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import type { Command } from './command.ts'

/** Presents itself as a MongoDB 7.0 without a replica set. */
const WIRE_VERSION = 21

export const hello: Command = {
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

export const done: Command = { kind: 'state', run: () => ({ ok: 1 }) }
