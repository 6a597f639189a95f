import { MongoError } from '../mongo-error.ts'
import { aggregateCommand, aggregateIntoCommand, writesOut } from './aggregate.commands.ts'
import {
  collMod,
  collStats,
  create,
  createIndexes,
  dbStats,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
  renameCollection,
} from './catalog.commands.ts'
import type { Command } from './command.ts'
import { assertOptions } from './command-options.ts'
import { count, distinct, explain, find, getMore, killCursors } from './find.commands.ts'
import { findAndModify } from './find-and-modify.commands.ts'
import { buildInfo, connectionStatus, getParameter, hello, ping, serverStatus } from './server-info.commands.ts'
import { deleteCommand, insert, update } from './write.commands.ts'

const COMMANDS = new Map<string, Command>(
  Object.entries({
    hello,
    ismaster: hello,
    isMaster: hello,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    connectionStatus,
    getParameter,
    serverStatus,
    find,
    getMore,
    killCursors,
    count,
    distinct,
    explain,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    findandmodify: findAndModify,
    listCollections,
    listDatabases,
    create,
    drop,
    dropDatabase,
    renameCollection,
    createIndexes,
    listIndexes,
    dropIndexes,
    collMod,
    collStats,
    dbStats,
  }),
)

/** Listed so that they are refused as not supported rather than unknown. */
const UNSUPPORTED_COMMANDS = new Set([
  'mapReduce',
  'mapreduce',
  'geoSearch',
  'convertToCapped',
  'createSearchIndexes',
  'createUser',
  'createRole',
  'shardCollection',
  'replSetInitiate',
  'fsync',
  'validate',
  'bulkWrite',
  'killOp',
  'currentOp',
])

export function requireCommand(name: string, body: Record<string, unknown>): Command {
  assertOptions(name, body)
  if (name === 'aggregate') return writesOut(body.pipeline) ? aggregateIntoCommand : aggregateCommand
  const command = COMMANDS.get(name)
  if (command) return command
  if (UNSUPPORTED_COMMANDS.has(name)) {
    throw new MongoError('CommandNotSupported', `${name} is not supported by the embedded database`)
  }
  throw new MongoError('CommandNotFound', `no such command: '${name}'`)
}
