import { randomUUID } from 'node:crypto'
import { databaseNow } from '../../lib/database/database.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'
import type { Log } from '../../lib/log.ts'
import { hasEnded, setAlone, thisProcess } from '../../lib/machine.ts'

const HEARTBEAT_MS = 5_000
const ENDED = new Date(0)
let id: string = randomUUID()
let isAlone = true
let others = 0
export const currentProcessId = (): string => id

export interface RegisteredProcess {
  id: string
  since: Date
  join(): Promise<void>
  /** Others then take up what this process left. */
  end(): Promise<void>
}

type Own = Pick<ProcessRow, 'role' | 'papers' | 'secret_check' | 'last_migration'>

export function beAlone(): RegisteredProcess {
  id = randomUUID()
  isAlone = true
  setAlone(true)
  return { id, since: new Date(), join: async () => {}, end: async () => {} }
}

/** @param onBeat runs before each report */
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
    // Also after another process has taken this one for dead: the machine may have slept.
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

export const worksAlone = (): boolean => isAlone || others === 0
/** By this process's own clock. */
const silent = new Map<string, { seenAt: number; since: number }>()
let lookedAt = Number.NEGATIVE_INFINITY
/** Looks farther apart tell nothing of the time between: the database or this machine was away. */
const LOOK_GAP_MS = 3 * HEARTBEAT_MS

/** After a pause of all processes every row looks old: one is dead only if this process, still running, misses it. */
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

export async function findOthers(): Promise<ProcessRow[]> {
  const all = await findProcesses()
  return all.flatMap(({ row, dead }) => (dead || row._id === id ? [] : [row]))
}

export async function findDead(): Promise<ProcessRow[]> {
  return (await findProcesses()).flatMap(({ row, dead }) => (dead ? [row] : []))
}

export async function forgetProcesses(dead: ProcessRow[]): Promise<void> {
  // Spares a process that turned out to be alive.
  for (const { _id, seen_at } of dead) await ProcessModel.deleteOne({ _id, seen_at })
}

/** Read `found` first: processes register before they mark. */
export async function abandonedOf<T>(found: T[], processOf: (one: T) => string | undefined): Promise<T[]> {
  if (found.length === 0) return []
  const living = new Set([id, ...(await findOthers()).map(({ _id }) => _id)])
  return found.filter((one) => !living.has(processOf(one) ?? ''))
}

export const DEAD_AFTER_MS = 30_000

const processSchema = schemaOf({
  _id: field.id(String),
  machine: field.required(String),
  pid: field.required(Number),
  start: field.optional(String),
  role: field.required(String),
  /** An address in S3, or `disk`. */
  papers: field.required(String),
  /** A keyed hash, to compare the processes' SECRET_KEYs. */
  secret_check: field.required(String),
  /** Missing in versions before this was stored. */
  last_migration: field.optional(String),
  /** By the database's clock. */
  since: field.required(Date),
  joined: field.required(Boolean),
  seen_at: field.required(Date),
})
export type ProcessRow = DocOf<typeof processSchema>
export const ProcessModel = defineModel('Process', processSchema, 'processes')
