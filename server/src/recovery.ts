import { findDead, forgetProcesses } from './cluster/processes/processes.ts'
import { reconcileAbandonedCalls } from './features/llm/usage/llm-call-ledger.ts'
import { deleteLeftUploads } from './join-processes.ts'
import { withDatabaseLock } from './lib/database/database-lock.ts'
import { type BackgroundWork, repeatedWork } from './lib/jobs/job.ts'
import { recoverInterruptedChanges } from './records/grading/analytics-invalidation.ts'
import type { Services } from './services.ts'

/** Beyond the half minute after which a process counts as dead. */
const LOOK_EVERY_MS = 5_000
const TRY_AGAIN_MS = 60_000

async function reconcile({ clock }: Services): Promise<boolean> {
  await recoverInterruptedChanges()
  return reconcileAbandonedCalls(clock.now())
}

export async function reconcileAbandoned(services: Services): Promise<void> {
  await withDatabaseLock('recovery', () => reconcile(services))
}

interface Recovery extends Required<Pick<BackgroundWork, 'repeat' | 'stop'>> {
  /** In one process at a time. */
  recover(): Promise<void>
}

/** Leases free queued jobs; this finds what a process was about to queue, or did without a job. */
export function createRecovery(services: Services, background: BackgroundWork[]): Recovery {
  let quietUntil = Number.NEGATIVE_INFINITY

  async function takeUp(lost: AbortSignal): Promise<boolean> {
    let isComplete = await reconcile(services)
    for (const work of background) {
      lost.throwIfAborted()
      try {
        await work.resume?.()
      } catch (error) {
        isComplete = false
        services.log.error({ err: error }, 'what a process left could not be taken up')
      }
    }
    return isComplete
  }

  const recover = (stop?: AbortSignal) =>
    withDatabaseLock(
      'recovery',
      async (lost) => {
        // A process that dies from now on may leave something after the search.
        const dead = await findDead()
        if (await takeUp(lost)) await forgetProcesses(dead)
        else quietUntil = performance.now() + TRY_AGAIN_MS
      },
      stop,
    )

  async function recoverFromDead(stop: AbortSignal): Promise<void> {
    const dead = await findDead()
    if (dead.length === 0 || performance.now() < quietUntil) return
    services.log.info({ processes: dead.length }, 'taking up what another process has left')
    await services.jobs.releaseDead()
    await recover(stop)
    await deleteLeftUploads(services.config)
  }

  const options = { log: services.log, failure: 'what a process left could not be taken up', atStart: false }
  return { recover: () => recover(), ...repeatedWork(LOOK_EVERY_MS, recoverFromDead, options) }
}
