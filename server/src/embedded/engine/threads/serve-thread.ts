import { parentPort, workerData } from 'node:worker_threads'
import { encode } from '../../bson-values.ts'
import { type CommandLimits, Interruption, UNLIMITED, withLimits } from '../../command-limits.ts'
import type { Reply } from '../../commands/command.ts'
import { requireCommand } from '../../commands/command-table.ts'
import { MongoError } from '../../mongo-error.ts'
import { openStore } from '../../storage/open-store.ts'
import { parseRequest, type Request } from '../../wire/message.ts'
import { Cursors } from '../cursors.ts'
import { commandContext, commandName, failureReply } from '../run-command.ts'
import {
  type ControlKind,
  ControlSlot,
  type FromThread,
  Phase,
  type RunMode,
  type ThreadSettings,
  type ToThread,
  type Work,
} from './thread-messages.ts'

// Runs one long command, or the statements of one transaction, at a time, on its own connection.
const settings = workerData as ThreadSettings
const control = new Int32Array(settings.control)
const store = openStore(settings.folder, settings)
store.db.exec(`PRAGMA cache_size=-${Math.trunc(settings.cacheKilobytes)}; PRAGMA busy_timeout=2000`)
const cursors = new Cursors(settings.number)

function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

const log = (line: string) => post({ kind: 'log', line })

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'call') answer(message.call, message.work)
  else if (message.kind === 'kill-cursor') cursors.kill(message.id)
  else {
    cursors.close()
    store.close()
    parentPort?.close()
  }
})

function answer(call: number, work: Work): void {
  if (work.kind !== 'run') {
    const { reply, failed } = attempt({ [`${work.kind}Transaction`]: 1 }, () => runControl(work.kind))
    send(call, reply, failed)
    return
  }
  const request = parseRequest(Buffer.from(work.message.buffer, work.message.byteOffset, work.message.byteLength))
  const { reply, failed } = attempt(request.body, () => run(request, work.mode, limitsOf(call, work.endsAt)))
  send(call, reply, failed)
}

function send(call: number, reply: Uint8Array, failed: boolean): void {
  // A part of a larger buffer, such as Node's pool, cannot be handed over.
  const own = reply.byteLength === reply.buffer.byteLength ? reply : new Uint8Array(reply)
  post({ kind: 'answer', call, reply: own, failed, cursors: cursors.ids() }, [own.buffer as ArrayBuffer])
}

function attempt(body: Request['body'], work: () => Reply): { reply: Uint8Array; failed: boolean } {
  try {
    const reply = work()
    return { reply: reply instanceof Uint8Array ? reply : encode(reply), failed: false }
  } catch (error) {
    return { reply: encode(failureReply(error, body, log)), failed: true }
  }
}

function runControl(kind: ControlKind): Reply {
  if (kind === 'begin') {
    store.db.exec('BEGIN IMMEDIATE')
    try {
      store.refresh()
    } catch (error) {
      rollBack()
      throw error
    }
  } else if (kind === 'commit') commit()
  else if (kind === 'rollback') rollBack()
  else store.db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  return { ok: 1 }
}

function run(request: Request, mode: RunMode, limits: CommandLimits): Reply {
  const command = requireCommand(commandName(request.body), request.body)
  const context = commandContext(request, store, cursors, settings.folder)
  try {
    if (mode === 'transaction') assertInTransaction()
    else {
      store.db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE')
      store.refresh()
    }
    const reply = withLimits(limits, () => command.run(context))
    if (mode !== 'transaction') commit()
    return reply
  } catch (error) {
    // MongoDB too ends the whole transaction when a statement in it fails.
    rollBack()
    throw error
  }
}

/** A statement before this one may have ended it, or the thread it was in. Outside of it, each step would be committed by itself. */
function assertInTransaction(): void {
  if (store.db.isTransaction) return
  throw new MongoError('NoSuchTransaction', 'The transaction has ended.', { labels: ['TransientTransactionError'] })
}

function commit(): void {
  const phase = Atomics.compareExchange(control, ControlSlot.phase, Phase.open, Phase.committing)
  try {
    if (phase === Phase.ending) throw new Interruption('Interrupted')
    store.prepare('COMMIT').run()
    if (settings.commitMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, settings.commitMs)
  } catch (error) {
    rollBack()
    throw error
  } finally {
    Atomics.compareExchange(control, ControlSlot.phase, Phase.committing, Phase.open)
  }
}

function rollBack(): void {
  if (store.db.isTransaction) store.db.exec('ROLLBACK')
  store.clearCatalogCache()
}

function limitsOf(call: number, endsAt: number): CommandLimits {
  return {
    ...UNLIMITED,
    endsAt: endsAt - performance.timeOrigin,
    poll() {
      Atomics.add(control, ControlSlot.progress, 1)
      if (Atomics.load(control, ControlSlot.ended) === call) throw new Interruption('Interrupted')
    },
    inRegex() {
      Atomics.add(control, ControlSlot.regex, 1)
    },
  }
}
