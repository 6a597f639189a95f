import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { DeferJob, defineJob } from '../../lib/jobs/job.ts'
import type { SimilarityReportDoc } from '../../records/grading/similarity-report.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { comparePapers } from './compare-papers.ts'
import {
  findReport,
  findToCompare,
  storeCompared,
  storeComparing,
  storeDue,
  storeEnded,
  storeProgress,
} from './similarity.service.ts'

const comparison = { name: 'compare-papers', payload: z.object({ assignmentId: z.number() }) } as const
const groupOf = (assignmentId: number) => `similarity/${assignmentId}`

/** How long after the last correction of read words papers are compared again, in ms: people correct several in a row. */
export const AFTER_CORRECTIONS_MS = 60_000
/** In percent. */
const REPORT_STEP = 5

/** Compares an assignment's papers; once more where that is under way. */
export const queueComparison = (assignmentId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(comparison, [{ key: String(assignmentId), group: groupOf(assignmentId), payload: { assignmentId } }])

/** Stops it wherever it is. */
export const cancelComparison = (assignmentId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.cancel(groupOf(assignmentId))

/** Compares papers where it is asked for, again after each run, and once read words were corrected. */
export function similarityWork(services: Services): BackgroundWork {
  const { events, log, clock } = services
  events.onLocal('assignment_completion', async ({ assignmentId }) => {
    try {
      if (await storeComparing(assignmentId)) await queueComparison(assignmentId, services)
    } catch (error) {
      log.error({ err: error }, 'papers were not compared')
    }
  })
  events.onLocal('answer_rescored', async ({ assignmentId }) => {
    try {
      const due = new Date(clock.now().getTime() + AFTER_CORRECTIONS_MS)
      if (await storeDue(assignmentId, due)) await queueComparison(assignmentId, services)
    } catch (error) {
      log.error({ err: error }, 'papers are not compared after a correction')
    }
  })

  async function compare(report: SimilarityReportDoc, signal: AbortSignal): Promise<void> {
    const { _id: assignmentId } = report
    const assignment = await findAssignment(assignmentId)
    if (!assignment) return
    let [reported, stored] = [0, Promise.resolve()]
    const compared = await comparePapers(assignment, signal, (share) => {
      const percent = Math.floor(100 * share)
      if (percent < reported + REPORT_STEP) return
      reported = percent
      stored = stored.then(() => storeProgress(assignmentId, percent)).catch(() => {})
    })
    await stored
    signal.throwIfAborted()
    await storeCompared(report, compared, clock.now())
  }

  return {
    jobs: [
      defineJob({
        ...comparison,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const report = await findReport(assignmentId)
          if (!report?.enabled) return
          if (report.state === 'comparing') return compare(report, signal)
          // Run once more by what has been taken in since.
          if (report.due_at === undefined) return
          const wait = report.due_at.getTime() - clock.now().getTime()
          if (wait > 0) throw new DeferJob(wait, 'more may be corrected')
          const begun = await storeComparing(assignmentId)
          if (begun) await compare(begun, signal)
        },
        onFailed: ({ assignmentId }) => storeEnded(assignmentId, 'failed'),
      }),
    ],
    async resume() {
      // Stored, and the process ended before its job was.
      for (const assignmentId of await findToCompare()) await queueComparison(assignmentId, services)
    },
  }
}
