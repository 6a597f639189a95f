import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { hasEnded, type ProcessIdentity, thisProcess } from '../machine.ts'
import { connectedDatabase, databaseNow, unlessDuplicate } from './database.ts'

/** A killed process's lock is free after it, or at once for others on its machine. */
const LEASE_MS = 30_000
const RETRY_MS = 100

type LockRow = ProcessIdentity & { _id: string; holder: string; until: Date }

// Without a model: needed before old data is migrated, and so before models create their collections.
const locks = () => connectedDatabase().collection<LockRow>('locks')

/** Null while another holder has it. */
async function take(name: string): Promise<string | null> {
  const holder = randomUUID()
  const now = await databaseNow()
  const mine = { holder, ...thisProcess, until: new Date(now.getTime() + LEASE_MS) }
  if (await unlessDuplicate(locks().insertOne({ _id: name, ...mine }))) return holder
  const held = await locks().findOne({ _id: name })
  if (!held) return null
  const isOver = held.until < now || hasEnded(held)
  if (!isOver) return null
  const taken = await locks().updateOne({ _id: name, holder: held.holder, until: held.until }, { $set: mine })
  return taken.modifiedCount > 0 ? holder : null
}

async function whileHeld<T>(name: string, holder: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController()
  const renew = async () => {
    const until = new Date((await databaseNow()).getTime() + LEASE_MS)
    const renewed = await locks().updateOne({ _id: name, holder }, { $set: { until } })
    if (renewed.matchedCount === 0) lost.abort(new Error(`the lock ${name} was lost`))
  }
  // A failed renewal is repeated before the lease is over.
  const renewals = setInterval(() => void renew().catch(() => {}), LEASE_MS / 3)
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(renewals)
    await locks().deleteOne({ _id: name, holder })
  }
}

/** Not reentrant. @param work its signal aborts if the lock was lost @param stop ends the waiting, with its reason */
export async function withDatabaseLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal) {
  for (;;) {
    stop?.throwIfAborted()
    const holder = await take(name)
    if (holder !== null) return whileHeld(name, holder, work)
    await after(RETRY_MS)
  }
}

/** Does nothing while another process has the lock. */
export async function tryDatabaseLock(name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const holder = await take(name)
  if (holder !== null) await whileHeld(name, holder, work)
}
