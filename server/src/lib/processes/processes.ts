import { randomUUID } from 'node:crypto'
import { databaseNow } from '../database/database.ts'
import type { Log } from '../log.ts'
import { hasEndedHere, machineId } from './machine.ts'
import { DEAD_AFTER_MS, ProcessModel, type ProcessRow } from './process.model.ts'

const HEARTBEAT_MS = 5_000

let id: string = randomUUID()
/** Where no other process can be at work on the database: it is embedded in this one. */
let isAlone = true

/** What this process marks as under way with it. Another one after each start. */
export const currentProcessId = (): string => id

export interface RegisteredProcess {
  id: string
  /** Where it ends: others take up what it left. */
  end(): Promise<void>
}

type Own = Pick<ProcessRow, 'role' | 'papers' | 'secret_check'>

/** For a process whose database nobody else uses; what others of it left marked is of processes that have ended. */
export function beAlone(): RegisteredProcess {
  id = randomUUID()
  isAlone = true
  return { id, end: async () => {} }
}

/** Says that this process is alive, every few seconds until it ends. */
export async function registerProcess(own: Own, log: Log): Promise<RegisteredProcess> {
  const mine = randomUUID()
  id = mine
  isAlone = false
  const beat = async () => {
    // Also where another process has taken this one for dead: the machine may have slept.
    await ProcessModel.updateOne(
      { _id: mine },
      { $set: { ...own, machine: machineId, pid: process.pid }, $currentDate: { seen_at: true } },
      { upsert: true },
    )
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
    async end() {
      clearInterval(timer)
      await underWay
      await ProcessModel.updateOne({ _id: mine }, { $set: { seen_at: new Date(0) } })
    },
  }
}

const isDead = ({ _id, machine, pid, seen_at }: ProcessRow, now: Date) =>
  _id !== id && (now.getTime() - seen_at.getTime() > DEAD_AFTER_MS || hasEndedHere(machine, pid))

async function findProcesses(): Promise<{ row: ProcessRow; dead: boolean }[]> {
  if (isAlone) return []
  const rows = await ProcessModel.find().lean()
  const now = await databaseNow()
  return rows.map((row) => ({ row, dead: isDead(row, now) }))
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
