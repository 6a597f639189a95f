import { randomUUID } from 'node:crypto'
import { hasEnded, type ProcessIdentity, thisProcess } from '../machine.ts'
import { currentContext } from '../request-context.ts'
import { JobModel, type JobRow } from './job.model.ts'
import type { DeferJob, Job, NewJob } from './job.ts'

/** Writes to it hold only while its claim does. */
export type ClaimedJobRow = JobRow & { owner: string }

export async function insertJobRows(
  job: Pick<Job, 'name' | 'payload'>,
  rows: NewJob[],
  { now, trigger }: { now: Date; trigger: boolean },
): Promise<void> {
  const { requestId } = currentContext()
  const asked = requestId === undefined ? {} : { request_id: requestId }
  await JobModel.bulkWrite(
    rows.map(({ key, group, payload, fairShareKey = group }) => ({
      updateOne: {
        filter: { _id: `${job.name}:${key}` },
        update: {
          $setOnInsert: {
            name: job.name,
            group,
            payload: job.payload.parse(payload),
            status: 'queued' as const,
            ...(trigger ? {} : { run_at: now, ...asked }),
            attempts: 0,
            claims: 0,
            owner: null,
            locked_until: null,
            error: null,
          },
          // Jobs of versions without fair-share keys get one when added again at the start.
          $set: { share: fairShareKey, ...(trigger ? { again: true, ...asked } : {}) },
          ...(trigger ? { $min: { run_at: now } } : {}),
        },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

interface ClaimOptions {
  names: string[]
  exceptKeys: string[]
  owner: string
  now: Date
  leaseMs: number
}

/** Jobs unknown to this process are left to others, such as a newer version's. */
export async function claimJobRow({ names, exceptKeys, owner, now, leaseMs }: ClaimOptions) {
  const claim = {
    $set: { status: 'running' as const, again: false, owner, locked_until: new Date(now.getTime() + leaseMs) },
    $inc: { claims: 1 },
  }
  const known = { name: { $in: names }, ...(exceptKeys.length > 0 ? { share: { $nin: exceptKeys } } : {}) }
  const waiting = { ...known, status: 'queued' as const, run_at: { $lte: now } }
  const row = await JobModel.findOneAndUpdate(waiting, claim, { sort: { run_at: 1 } }).lean()
  return row && { ...row, owner }
}

export async function findOwners(ids: string[]): Promise<Map<string, string | null>> {
  const rows = await JobModel.find({ _id: { $in: ids } }, { owner: 1 }).lean()
  return new Map(rows.map(({ _id, owner }) => [_id, owner]))
}

export async function findRunningKeys(names: string[]): Promise<{ fairShareKey: string }[]> {
  const rows = await JobModel.find({ status: 'running', name: { $in: names } }, { share: 1, group: 1 }).lean()
  return rows.map(({ share, group }) => ({ fairShareKey: share ?? group }))
}

/**
 * A process that has not renewed its claim is dead or hangs. @param mine jobs running here: after a machine has slept,
 * our own leases look expired until renewed
 */
export async function releaseExpiredLeases(names: string[], mine: string[], now: Date): Promise<void> {
  const expired = { name: { $in: names }, status: 'running' as const, locked_until: { $lt: now }, _id: { $nin: mine } }
  await JobModel.updateMany(expired, { $set: released })
}

export async function releaseDeadLeases(): Promise<number> {
  const rows = await JobModel.find({ status: 'running' }, { owner: 1 }).lean()
  const dead = rows.flatMap(({ owner }) => (owner !== null && hasEnded(processOfOwner(owner)) ? [owner] : []))
  if (dead.length === 0) return 0
  // Not what a living process has claimed meanwhile.
  const { modifiedCount } = await JobModel.updateMany({ owner: { $in: dead }, status: 'running' }, { $set: released })
  return modifiedCount
}

export const newOwner = (): string => `${thisProcess.machine}/${thisProcess.pid}/${thisProcess.start}/${randomUUID()}`

function processOfOwner(owner: string): ProcessIdentity {
  const [machine = '', pid, start] = owner.split('/')
  return { machine, pid: Number(pid), start }
}

const claimFilter = ({ _id, owner }: ClaimedJobRow) => ({ _id, owner })
const released = { status: 'queued' as const, owner: null, locked_until: null }
const triggered = { again: true }
const notTriggered = { again: { $ne: true } }
const readable = { $unset: { unreadable_since: 1 } } as const

/** False when the job was cancelled, or another process has claimed it. */
export async function renewLease(row: ClaimedJobRow, until: Date): Promise<boolean> {
  const renewed = await JobModel.updateOne(claimFilter(row), { $set: { locked_until: until } })
  return renewed.matchedCount > 0
}

export async function unclaimJobRow(row: ClaimedJobRow): Promise<void> {
  await JobModel.updateOne(claimFilter(row), { $set: { ...released, claims: row.claims - 1 } })
}

export async function finishJobRow(row: ClaimedJobRow, now: Date): Promise<void> {
  const finished = await JobModel.deleteOne({ ...claimFilter(row), ...notTriggered })
  if (finished.deletedCount > 0) return
  const again = { ...released, run_at: now, attempts: 0, claims: 0 }
  await JobModel.updateOne({ ...claimFilter(row), ...triggered }, { $set: again, ...readable })
}

/** Not counted as an attempt. One triggered in the meantime is not deferred. */
export async function deferJobRow(row: ClaimedJobRow, { message, delayMs }: DeferJob, now: Date): Promise<void> {
  const later = { ...released, claims: 0, error: message }
  const deferred = await JobModel.updateOne(
    { ...claimFilter(row), ...notTriggered },
    { $set: { ...later, run_at: new Date(now.getTime() + delayMs) }, ...readable },
  )
  if (deferred.matchedCount > 0) return
  await JobModel.updateOne({ ...claimFilter(row), ...triggered }, { $set: { ...later, run_at: now }, ...readable })
}

/** For a version that can read it; not counted as a claim. */
export async function leaveJobRow(row: ClaimedJobRow, since: Date, message: string, retryAt: Date): Promise<void> {
  const later = { ...released, claims: row.claims - 1, run_at: retryAt, unreadable_since: since, error: message }
  await JobModel.updateOne(claimFilter(row), { $set: later })
}

export async function retryJobRow(row: ClaimedJobRow, attempts: number, message: string, retryAt: Date): Promise<void> {
  const again = { ...released, run_at: retryAt, attempts, error: message }
  await JobModel.updateOne(claimFilter(row), { $set: again, ...readable })
}
