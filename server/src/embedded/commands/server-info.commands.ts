import { isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import type { Command } from './command.ts'

/** Answers like a MongoDB 7.0 replica set of one, so that drivers allow transactions. */
const VERSION = '7.0.0'
const WIRE_VERSION = 21
const SET_NAME = 'embedded'

export const hello: Command = {
  kind: 'state',
  run({ name }) {
    const role = name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }
    return {
      helloOk: true,
      ...role,
      setName: SET_NAME,
      setVersion: 1,
      secondary: false,
      hosts: ['embedded:27017'],
      primary: 'embedded:27017',
      me: 'embedded:27017',
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
    }
  },
}

export const ping: Command = { kind: 'state', run: () => ({ ok: 1 }) }

export const buildInfo: Command = {
  kind: 'state',
  run: () => ({
    version: VERSION,
    versionArray: [...VERSION.split('.').map(Number), 0],
    gitVersion: 'embedded',
    modules: ['embedded'],
    storageEngines: ['sqlite'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    ok: 1,
  }),
}

export const connectionStatus: Command = {
  kind: 'state',
  run: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 }),
}

export const getParameter: Command = {
  kind: 'state',
  run: ({ body, argument }) => {
    if (argument !== '*' && !('featureCompatibilityVersion' in body)) {
      throw new MongoError('InvalidOptions', 'no option found to get')
    }
    return { featureCompatibilityVersion: { version: '7.0' }, ok: 1 }
  },
}

export const serverStatus: Command = {
  kind: 'state',
  run: ({ active }) => ({
    host: 'embedded',
    version: VERSION,
    process: 'embedded',
    pid: process.pid,
    uptime: process.uptime(),
    localTime: new Date(),
    storageEngine: { name: 'sqlite' },
    globalLock: { activeClients: active?.() ?? { readers: 0, writers: 0 } },
    ok: 1,
  }),
}

export function sessionsIn(body: Record<string, unknown>): unknown[] {
  return Array.isArray(body.endSessions) ? body.endSessions.filter(isDoc) : []
}
