import { randomUUID } from 'node:crypto'
import { databaseNow } from '../../lib/database/database.ts'
import type { Log } from '../../lib/log.ts'
import { hasEnded, setAlone, thisProcess } from '../../lib/machine.ts'
import { DEAD_AFTER_MS, ProcessModel, type ProcessRow } from './process.model.ts'

const HEARTBEAT_MS = 5_000
/** When one was last seen that said itself that it ends. */
const ENDED = new Date(0)

let id: string = randomUUID()
let isAlone = true
/** How many others were alive at the last heartbeat. */
let others = 0

/** What this process marks as under way with it. Another one after each start. */
export const currentProcessId = (): string => id

export interface RegisteredProcess {
  id: string
  since: Date
  /** Says that it works as the others do. */
  join(): Promise<void>
  /** Where it ends: others take up what it left. */
  end(): Promise<void>
}

type Own = Pick<ProcessRow, 'role' | 'papers' | 'secret_check' | 'last_migration'>

/** For a process whose database nobody else can use; what others of it left marked is of processes that have ended. */
export function beAlone(): RegisteredProcess {
  id = randomUUID()
  isAlone = true
  setAlone(true)
  return { id, since: new Date(), join: async () => {}, end: async () => {} }
}

/**
 * Says that this process is alive, every few seconds until it ends.
 * @param onBeat what else is to be there while it lives; done first each time
 */
export async function registerProcess(
  own: Own,
  log: Log,
  onBeat: (id: string) => Promise<unknown>,
): Promise<RegisteredProcess> {
  const mine = randomUUID()
  const since = await databaseNow()
  let joined = false
  id = mine
  isAlone = false
  setAlone(false)
  const beat = async () => {
    await onBeat(mine)
    // Also where another process has taken this one for dead: the machine may have slept.
    await ProcessModel.updateOne(
      { _id: mine },
      { $set: { ...own, ...thisProcess, since, joined }, $currentDate: { seen_at: true } },
      { upsert: true },
    )
    others = (await findOthers()).length
  }
  await beat()
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= beat()
      .catch((error: unknown) => log.warn({ err: error }, 'this process could not be marked as alive'))
      .finally(() => {
        underWay = null
      })
  }, HEARTBEAT_MS)
  timer.unref()
  return {
    id: mine,
    since,
    async join() {
      joined = true
      await beat()
    },
    async end() {
      clearInterval(timer)
      await underWay
      await ProcessModel.updateOne({ _id: mine }, { $set: { seen_at: ENDED } })
    },
  }
}

/** Whether nobody else was at work on the database a few seconds ago. */
export const worksAlone = (): boolean => isAlone || others === 0

/** Since when each of the others has not been seen, in ms of this process's own clock. */
const silent = new Map<string, { seenAt: number; since: number }>()
let lookedAt = Number.NEGATIVE_INFINITY
/** Two looks further apart than that say nothing of what was between them: the database or this machine was away. In ms. */
const LOOK_GAP_MS = 3 * HEARTBEAT_MS

/**
 * Looks at what each process last said. After a pause of all of them nobody has been seen for long, so one is dead only once this
 * process, which was there all the time, has not seen it.
 */
function noteSilence(rows: readonly ProcessRow[]): void {
  const now = performance.now()
  if (now - lookedAt > LOOK_GAP_MS) silent.clear()
  lookedAt = now
  for (const { _id, seen_at } of rows) {
    const seenAt = seen_at.getTime()
    if (silent.get(_id)?.seenAt !== seenAt) silent.set(_id, { seenAt, since: now })
  }
  const known = new Set(rows.map(({ _id }) => _id))
  for (const _id of silent.keys()) if (!known.has(_id)) silent.delete(_id)
}

function isDead(row: ProcessRow): boolean {
  if (row._id === id) return false
  if (row.seen_at.getTime() === ENDED.getTime() || hasEnded(row)) return true
  return performance.now() - (silent.get(row._id)?.since ?? performance.now()) > DEAD_AFTER_MS
}

async function findProcesses(): Promise<{ row: ProcessRow; dead: boolean }[]> {
  if (isAlone) return []
  const rows = await ProcessModel.find().lean()
  noteSilence(rows)
  return rows.map((row) => ({ row, dead: isDead(row) }))
}

/** Those beside this one that are alive. */
export async function findOthers(): Promise<ProcessRow[]> {
  const all = await findProcesses()
  return all.flatMap(({ row, dead }) => (dead || row._id === id ? [] : [row]))
}

/** Those that have ended, and of which nobody has taken up yet what they left. */
export async function findDead(): Promise<ProcessRow[]> {
  return (await findProcesses()).flatMap(({ row, dead }) => (dead ? [row] : []))
}

export async function forgetProcesses(dead: ProcessRow[]): Promise<void> {
  // Not one that turned out to be alive in the meantime.
  for (const { _id, seen_at } of dead) await ProcessModel.deleteOne({ _id, seen_at })
}

/**
 * Of what processes marked as under way with them, what was left by those that have ended; also what nobody has marked, as versions
 * before did. `found` is read before it is asked who is alive: a process says so before it marks anything.
 */
export async function abandonedOf<T>(found: T[], processOf: (one: T) => string | undefined): Promise<T[]> {
  if (found.length === 0) return []
  const living = new Set([id, ...(await findOthers()).map(({ _id }) => _id)])
  return found.filter((one) => !living.has(processOf(one) ?? ''))
}
