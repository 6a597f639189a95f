import { reconcileAbandonedCalls } from './features/llm/usage/reconcile-abandoned-calls.ts'
import { deleteLeftUploads } from './join-processes.ts'
import { withDatabaseLock } from './lib/database/database-lock.ts'
import { type BackgroundWork, repeatedWork } from './lib/jobs/background-work.ts'
import { findDead, forgetProcesses } from './lib/processes/processes.ts'
import { recoverInterruptedChanges } from './records/grading/analytics-invalidation.ts'
import type { Services } from './services.ts'

/** How soon it is seen that another process has died, beyond the half minute after which it counts as dead; in ms. */
const LOOK_EVERY_MS = 5_000

/** Books what processes that have ended left open. */
export async function reconcileAbandoned({ clock }: Services): Promise<void> {
  await withDatabaseLock('recovery', async () => {
    await recoverInterruptedChanges()
    await reconcileAbandonedCalls(clock.now())
  })
}

interface Recovery extends Required<Pick<BackgroundWork, 'repeat' | 'stop'>> {
  /** Takes up what processes that have ended left unfinished; one process at a time. */
  recover(): Promise<void>
}

/** Jobs are in the queue, and taken over by their leases. What is lost with a process is what it was about to queue, or did without a job. */
export function createRecovery(services: Services, background: BackgroundWork[]): Recovery {
  const recover = () =>
    withDatabaseLock('recovery', async () => {
      const dead = await findDead()
      for (const work of background) await work.resume?.()
      await forgetProcesses(dead)
    })

  async function recoverFromDead(): Promise<void> {
    const dead = await findDead()
    if (dead.length === 0) return
    services.log.info({ processes: dead.length }, 'taking up what another process has left')
    await services.jobs.releaseDead()
    await reconcileAbandoned(services)
    await recover()
    await deleteLeftUploads(services.config)
  }

  const options = { log: services.log, failure: 'what a process left could not be taken up', atStart: false }
  return { recover, ...repeatedWork(LOOK_EVERY_MS, recoverFromDead, options) }
}
