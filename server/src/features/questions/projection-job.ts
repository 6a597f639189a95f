import { z } from 'zod'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findQuestionAnswers } from './question-answers.ts'

const projection = { name: 'project-answers', payload: z.object({ assignmentId: z.number() }) } as const

/** Projects and groups the answers when a run ends, so that nobody who opens a question of thousands has to wait. */
export function answerProjectionWork({ jobs, events, log }: Pick<Services, 'jobs' | 'events' | 'log'>): BackgroundWork {
  events.onLocal('assignment_completion', ({ assignmentId }) => {
    const job = { key: String(assignmentId), group: `project/${assignmentId}`, payload: { assignmentId } }
    // Otherwise the first to open a question waits.
    jobs.trigger(projection, [job]).catch((error) => log.error({ err: error }, 'answers were not projected'))
  })
  return {
    jobs: [
      defineJob({
        ...projection,
        pool: 'cpu',
        attempts: 2,
        async run({ assignmentId }, signal) {
          const assignment = await findAssignment(assignmentId)
          for (const question of assignment?.rubric?.questions ?? []) {
            if (signal.aborted || !assignment) return
            await findQuestionAnswers(assignment, question)
          }
        },
      }),
    ],
  }
}
