import { findDead, forgetProcesses } from './cluster/processes/processes.ts'
import { reconcileAbandonedCalls } from './features/llm/usage/reconcile-abandoned-calls.ts'
import { deleteLeftUploads } from './join-processes.ts'
import { withDatabaseLock } from './lib/database/database-lock.ts'
import { type BackgroundWork, repeatedWork } from './lib/jobs/background-work.ts'
import { recoverInterruptedChanges } from './records/grading/analytics-invalidation.ts'
import type { Services } from './services.ts'

/** How soon it is seen that another process has died, beyond the half minute after which it counts as dead; in ms. */
const LOOK_EVERY_MS = 5_000
/** After something could not be taken up. */
const TRY_AGAIN_MS = 60_000

/** Books what processes that have ended left open. False where something is left, since living processes were too busy with it. */
async function reconcile({ clock }: Services): Promise<boolean> {
  await recoverInterruptedChanges()
  return reconcileAbandonedCalls(clock.now())
}

export async function reconcileAbandoned(services: Services): Promise<void> {
  await withDatabaseLock('recovery', () => reconcile(services))
}

interface Recovery extends Required<Pick<BackgroundWork, 'repeat' | 'stop'>> {
  /** Takes up what processes that have ended left unfinished; one process at a time. */
  recover(): Promise<void>
}

/** Jobs are in the queue, and taken over by their leases. What is lost with a process is what it was about to queue, or did without a job. */
export function createRecovery(services: Services, background: BackgroundWork[]): Recovery {
  let quietUntil = Number.NEGATIVE_INFINITY

  /** Whether all of it was. */
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
        // Those who die from now on may leave something after it was looked for.
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
