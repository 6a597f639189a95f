import { parentPort, workerData } from 'node:worker_threads'
import { encode } from '../bson-values.ts'
import { commandContext, commandName, type Reply } from '../commands/command.ts'
import { requireCommand } from '../commands/command-table.ts'
import { openStore } from '../storage/open-store.ts'
import { cursorReply } from '../wire/cursor-reply.ts'
import { parseRequest } from '../wire/message.ts'
import { Cursors } from './cursors.ts'
import { type FromThread, failureReply, type ThreadAnswer, type ThreadSettings, type ToThread } from './engine.ts'

const settings = workerData as ThreadSettings
const store = openStore(settings.folder, settings)

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', ({ message, cursorId }: ToThread) => {
  const request = parseRequest(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
  let opened: ThreadAnswer['rest']
  const context = commandContext(request, {
    store,
    cursors: new Cursors(),
    reply(namespace, batch, rest) {
      opened = rest
      return cursorReply('firstBatch', batch, rest ? cursorId : 0n, namespace)
    },
  })
  let reply: Reply
  try {
    store.db.exec(settings.mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    store.refresh()
    reply = requireCommand(commandName(request.body), request.body).run(context)
    store.db.exec('COMMIT')
  } catch (error) {
    if (store.db.isTransaction) store.db.exec('ROLLBACK')
    store.clearCatalogCache()
    reply = failureReply(error, request.body, (line) => post({ kind: 'log', line }))
  }
  post({ kind: 'answer', reply: reply instanceof Uint8Array ? reply : encode(reply), rest: opened })
})
