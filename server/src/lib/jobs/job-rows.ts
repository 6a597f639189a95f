import { hostname } from 'node:os'
import { JobModel, type JobRow } from './job.model.ts'
import type { DeferJob, Job, NewJob } from './job.ts'

/** Long enough for one paper to be read; renewed while the work goes on. */
export const LEASE_MS = 30_000

/** Jobs of versions without fair-share keys count under their group. */
const excludingKeys = (keys: string[]) => ({
  share: { $nin: keys },
  $or: [{ share: { $exists: true } }, { group: { $nin: keys } }],
})

/** Jobs that are in the queue already stay as they are. */
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
          // A job added by a version without fair-share keys gets its key when it is added again, at the start.
          $set: { share: fairShareKey },
        },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

/** Jobs this process does not know are left to those that do, for instance an older version beside a newer. */
export async function claimJobRow({
  names,
  saturatedKeys,
  owner,
  mine,
}: {
  names: string[]
  saturatedKeys: string[]
  owner: string
  /** The ids of the jobs that run here. */
  mine: string[]
}): Promise<JobRow | null> {
  const now = new Date()
  const claim = {
    $set: {
      status: 'running' as const,
      owner,
      locked_until: new Date(now.getTime() + LEASE_MS),
    },
    $inc: { claims: 1 },
  }
  const known = {
    name: { $in: names },
    ...(saturatedKeys.length > 0 ? excludingKeys(saturatedKeys) : {}),
  }
  const waiting = { ...known, status: 'queued' as const, run_at: { $lte: now } }
  // After a machine has slept our own leases look expired until they are renewed; do not claim what runs here.
  const expired = { ...known, status: 'running' as const, locked_until: { $lt: now }, _id: { $nin: mine } }
  const after = { returnDocument: 'after' } as const
  return (
    (await JobModel.findOneAndUpdate(waiting, claim, { ...after, sort: { run_at: 1 } }).lean()) ??
    (await JobModel.findOneAndUpdate(expired, claim, after).lean())
  )
}

/** @returns how many jobs were left by processes of this machine that are gone */
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

/** Puts it back into the queue; not counted as an attempt. */
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

/** Puts it back into the queue after a failed attempt. */
export async function retryJobRow(
  row: JobRow,
  owner: string,
  attempts: number,
  delayMs: number,
  message: string,
): Promise<void> {
  const again = {
    status: 'queued' as const,
    run_at: new Date(Date.now() + delayMs),
    attempts,
    owner: null,
    locked_until: null,
    error: message,
  }
  await JobModel.updateOne({ _id: row._id, owner }, { $set: again })
}

function isProcessAlive(pid: number): boolean {
  if (pid === process.pid) return false // An earlier process with our number must be gone.
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
