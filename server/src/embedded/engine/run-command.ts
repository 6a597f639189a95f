import { type Doc, encode, isDoc } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import type { CommandContext } from '../commands/command.ts'
import { toMongoError } from '../mongo-error.ts'
import type { Store } from '../storage/store.ts'
import type { Request } from '../wire/message.ts'
import type { Cursors } from './cursors.ts'

export function commandContext(request: Request, store: Store, cursors: Cursors, dataFolder: string): CommandContext {
  const { body } = request
  const name = commandName(body)
  return {
    store,
    cursors,
    request,
    body,
    database: String(body.$db ?? 'admin'),
    name,
    argument: body[name],
    dataFolder,
    checkpoint,
  }
}

export function commandName(body: Doc): string {
  return Object.keys(body)[0] ?? ''
}

/** What a client is told of an error. Those that are not the client's are logged. */
export function failureReply(error: unknown, body: Doc, log: (line: string) => void): Doc {
  const shown = toMongoError(error)
  if (shown.codeName === 'InternalError' || shown.codeName === 'OutOfDiskSpace') {
    log(`embedded database: ${commandName(body)} failed: ${shown.message}`)
  }
  const { labels, keyPattern, keyValue } = shown.details
  return {
    ok: 0,
    errmsg: shown.message,
    code: shown.code,
    codeName: shown.codeName,
    ...(keyPattern ? { keyPattern, keyValue } : {}),
    ...(labels ? { errorLabels: labels } : {}),
  }
}

export function sessionKey(lsid: unknown): string {
  return isDoc(lsid) ? Buffer.from(encode({ id: lsid.id })).toString('base64') : ''
}
