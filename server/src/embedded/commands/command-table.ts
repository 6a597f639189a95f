import type { Doc } from '../bson-values.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { aggregate } from './aggregate.command.ts'
import * as catalog from './catalog.commands.ts'
import { assertOptions, type Command } from './command.ts'
import { count, distinct, explain, find, getMore, killCursors } from './find.commands.ts'
import { findAndModify } from './find-and-modify.command.ts'
import { done, hello } from './server-info.commands.ts'
import { deleteCommand, insert, update } from './write.commands.ts'

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
