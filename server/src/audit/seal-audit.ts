import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import { type BackgroundWork, repeatedWork } from '../lib/jobs/background-work.ts'
import { defineJob } from '../lib/jobs/job.ts'
import type { JobQueue } from '../lib/jobs/job-queue.ts'
import type { Log } from '../lib/log.ts'
import { AuditModel } from './audit.service.ts'
import { type AuditSealDoc, AuditSealModel, createSealKey, hashSeal, joinProof, proveEntry } from './audit-seal.ts'

/** How long an entry is without a seal, in ms. */
const SEAL_EVERY_MS = 60_000
/** Entries in a seal: its document stays small. */
const BATCH = 500

interface SealServices {
  config: { secretKey: string }
  clock: Clock
  log: Log
}

/**
 * Seals the entries that have no seal yet. Ended anywhere, it is completed by the next time; of two at once one fails, as a seal's number is
 * given once.
 */
export async function sealAudit({ config, clock, log }: SealServices, signal?: AbortSignal): Promise<void> {
  const key = createSealKey(config.secretKey)
  for (;;) {
    signal?.throwIfAborted()
    const last = await AuditSealModel.findOne().sort({ _id: -1 }).lean()
    // A word for a number would keep all others from being sealed; `check-audit` tells of it.
    const found = await AuditModel.find({ seal: null, _id: { $gte: 0 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean()
    if (found.length === 0) return
    // What was sealed may not be marked yet, or not any more, and gets no second proof.
    const sealed = await AuditSealModel.find({ entries: { $in: found.map(({ _id }) => _id) } }).lean()
    for (const seal of sealed) await markSealed(seal)
    const before = new Set(sealed.flatMap(({ entries }) => entries))
    const entries = found.filter(({ _id }) => !before.has(_id))
    if (entries.length === 0) continue
    const unhashed = {
      _id: (last?._id ?? 0) + 1,
      previous: last?.hash ?? '',
      sealed_at: clock.now(),
      entries: entries.map(({ _id }) => _id),
      proofs: entries.map((entry) => joinProof(proveEntry(entry, key))),
      key: key.id,
    }
    const seal: AuditSealDoc = { ...unhashed, hash: hashSeal(unhashed, key) }
    await AuditSealModel.create(seal)
    await markSealed(seal)
    // In logs that are kept elsewhere: without it, the newest seals could be cut off unseen.
    log.info({ seal: seal._id, entries: entries.length, hash: seal.hash }, 'audit log sealed')
  }
}

const markSealed = ({ _id, entries }: AuditSealDoc) =>
  AuditModel.updateMany({ _id: { $in: entries }, seal: null }, { $set: { seal: _id } })

/** Once a minute, by one process at a time. */
export function auditSealing(services: SealServices & { jobs: JobQueue }): BackgroundWork {
  const job = defineJob({
    name: 'seal-audit',
    payload: z.object({}),
    attempts: 3,
    pool: 'io',
    run: (_, signal) => sealAudit(services, signal),
  })
  const queue = () => services.jobs.add(job, [{ key: 'all', group: 'audit', payload: {} }])
  const options = { log: services.log, failure: 'the audit log could not be sealed', atStart: false }
  return { jobs: [job], ...repeatedWork(SEAL_EVERY_MS, queue, options) }
}
