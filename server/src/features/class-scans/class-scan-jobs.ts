import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import { PaperError } from '../../papers/paper-error.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import type { Services } from '../../services.ts'
import { analyseScan, hasPapers } from './analyse-scan.ts'
import { changeState, findClassScan, scanJobGroup } from './class-scan.service.ts'
import { makePapers, returnUnmade } from './make-papers.ts'

const payload = z.object({ scanId: z.number() })
const analysis = { name: 'analyse-class-scan', payload } as const
const confirmation = { name: 'confirm-class-scan', payload } as const

const newJob = (scanId: number) => [{ key: String(scanId), group: scanJobGroup(scanId), payload: { scanId } }]

export const queueAnalysis = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(analysis, newJob(scanId))

export const queueConfirmation = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(confirmation, newJob(scanId))

/** Stops what is under way wherever it is. */
export const cancelScanJobs = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.cancel(scanJobGroup(scanId))

const messageFor = (error: unknown) =>
  error instanceof PaperError
    ? error.message
    : 'Something went wrong with this scan. Try again, or ask your administrator.'

/** Papers whose names could not be read can still be looked over. */
async function endFailed(scanId: number, failure: string): Promise<void> {
  const scan = await findClassScan(scanId)
  if (scan) await changeState(scanId, ['analysing'], { state: hasPapers(scan) ? 'ready' : 'failed', failure })
}

/** Looks at the pages of class scans, and makes papers of those confirmed. Both go on where an earlier try or process stopped. */
export function classScanWork(services: Services): BackgroundWork {
  return {
    jobs: [
      defineJob({
        ...analysis,
        pool: 'cpu',
        attempts: 2,
        async run({ scanId }, signal) {
          const scan = await findClassScan(scanId)
          if (scan?.state !== 'analysing') return
          try {
            await analyseScan(scan, services, signal)
          } catch (error) {
            if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
            // The same file will fail again.
            await endFailed(scanId, error.message)
          }
        },
        async onFailed({ scanId }, error) {
          await endFailed(scanId, messageFor(error))
        },
      }),
      defineJob({
        ...confirmation,
        pool: 'cpu',
        attempts: 3,
        async run({ scanId }, signal) {
          const scan = await findClassScan(scanId)
          if (scan?.state === 'confirming') await makePapers(scan, services, signal)
        },
        async onFailed({ scanId }, error) {
          await returnUnmade(scanId, messageFor(error))
        },
      }),
    ],
    async resume() {
      // Stored, and the process ended before its job was.
      const open = await ClassScanModel.find(
        { state: { $in: ['analysing', 'confirming'] } },
        { state: 1, failure: 1 },
      ).lean()
      for (const { _id, state } of open)
        await (state === 'analysing' ? queueAnalysis(_id, services) : queueConfirmation(_id, services))
    },
  }
}
