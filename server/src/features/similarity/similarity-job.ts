import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { comparePapers } from './compare-papers.ts'
import { isSimilarityEnabled, storeCompared, storeComparing } from './similarity.service.ts'

const comparison = { name: 'compare-papers', payload: z.object({ assignmentId: z.number() }) } as const

/** Compares an assignment's papers; once more where that is under way. */
export const queueComparison = (assignmentId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(comparison, [
    { key: String(assignmentId), group: `similarity/${assignmentId}`, payload: { assignmentId } },
  ])

/** Compares papers where it is asked for, and again after each run. */
export function similarityWork(services: Services): BackgroundWork {
  const { events, log, clock } = services
  events.on('assignment_completion', async ({ assignmentId }) => {
    try {
      if (!(await isSimilarityEnabled(assignmentId))) return
      await storeComparing(assignmentId, 'comparing')
      await queueComparison(assignmentId, services)
    } catch (error) {
      log.error({ err: error }, 'papers were not compared')
    }
  })
  return {
    jobs: [
      defineJob({
        ...comparison,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const assignment = await findAssignment(assignmentId)
          if (!assignment || !(await isSimilarityEnabled(assignmentId))) return
          await storeCompared(assignmentId, await comparePapers(assignment, signal), clock.now())
        },
        onFailed: ({ assignmentId }) => storeComparing(assignmentId, 'failed'),
      }),
    ],
  }
}
