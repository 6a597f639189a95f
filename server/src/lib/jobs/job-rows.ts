import { hostname } from 'node:os'
import { JobModel, type JobRow } from './job.model.ts'
import type { DeferJob, Job, NewJob } from './job.ts'

/** Long enough for one paper to be read; renewed while the work goes on. */
export const LEASE_MS = 30_000

/** Jobs from before shares were kept take their group's places. */
const excludingShares = (shares: string[]) => ({
  share: { $nin: shares },
  $or: [{ share: { $exists: true } }, { group: { $nin: shares } }],
})

/** What stands in the queue already stays as it is. */
export async function insertJobRows(job: Pick<Job, 'name' | 'payload'>, rows: NewJob[]): Promise<void> {
  const now = new Date()
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
            run_at: now,
            attempts: 0,
            claims: 0,
            owner: null,
            locked_until: null,
            error: null,
          },
          // One put in by a version of Assay that knew no shares learns its own when it is put in again, at the start.
          $set: { share: fairShareKey },
        },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

/** Work that this process does not know is left to those that do: an older one beside a newer, say. */
export async function claimJobRow({
  names,
  fullShares,
  owner,
  mine,
}: {
  names: string[]
  fullShares: string[]
  owner: string
  /** The ids of what runs here. */
  mine: string[]
}): Promise<JobRow | null> {
  const now = new Date()
  const take = {
    $set: {
      status: 'running' as const,
      owner,
      locked_until: new Date(now.getTime() + LEASE_MS),
    },
    $inc: { claims: 1 },
  }
  const known = {
    name: { $in: names },
    ...(fullShares.length > 0 ? excludingShares(fullShares) : {}),
  }
  const waiting = { ...known, status: 'queued' as const, run_at: { $lte: now } }
  // After a machine has slept our own leases look run out before they are renewed; what runs here runs here.
  const letGo = { ...known, status: 'running' as const, locked_until: { $lt: now }, _id: { $nin: mine } }
  const after = { returnDocument: 'after' } as const
  return (
    (await JobModel.findOneAndUpdate(waiting, take, { ...after, sort: { run_at: 1 } }).lean()) ??
    (await JobModel.findOneAndUpdate(letGo, take, after).lean())
  )
}

/** @returns how many a process on this machine left that is gone */
export async function releaseDeadLeases(): Promise<number> {
  const prefix = `${hostname()}/`
  const rows = await JobModel.find({ status: 'running' }, { owner: 1 }).lean()
  const dead = rows.filter(({ owner }) => owner?.startsWith(prefix) && !isProcessAlive(Number(owner.split('/')[1])))
  if (dead.length === 0) return 0
  await JobModel.updateMany(
    { _id: { $in: dead.map((row) => row._id) }, status: 'running' },
    { $set: { status: 'queued', owner: null, locked_until: null } },
  )
  return dead.length
}

/** Back into the queue; it counts as no attempt. */
export async function deferJobRow(row: JobRow, owner: string, { message, delayMs }: DeferJob): Promise<void> {
  const later = {
    status: 'queued' as const,
    run_at: new Date(Date.now() + delayMs),
    claims: row.claims - 1,
    owner: null,
    locked_until: null,
    error: message,
  }
  await JobModel.updateOne({ _id: row._id, owner }, { $set: later })
}

/** Back into the queue after an attempt that failed. */
export async function retryJobRow(
  row: JobRow,
  owner: string,
  attempts: number,
  waitMs: number,
  message: string,
): Promise<void> {
  const again = {
    status: 'queued' as const,
    run_at: new Date(Date.now() + waitMs),
    attempts,
    owner: null,
    locked_until: null,
    error: message,
  }
  await JobModel.updateOne({ _id: row._id, owner }, { $set: again })
}

function isProcessAlive(pid: number): boolean {
  if (pid === process.pid) return false // An earlier process with our number is gone, else we would not have it.
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
