import { defineJob, type Job } from '../../lib/jobs.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { layOutAgain } from '../transcriptions/lay-out-paper.ts'
import { findToLayAgain, forgetStale } from './lay-again.ts'
import { rubricOf } from './rubric-of-assignment.ts'
import { findRunHead } from './run.service.ts'
import type { RunProgress } from './run-progress.ts'
import { layAgainStep } from './run-steps.ts'

/** For the class alone: the paper's own state and grade stay as they are. */
export function layAgainJob(services: Services, progress: RunProgress): Job<typeof layAgainStep.payload> {
  return defineJob({
    ...layAgainStep,
    attempts: 3,
    async run({ runId, submissionId }, signal) {
      const run = await findRunHead(runId)
      const assignment = run?.status === 'reading' ? await findAssignment(run.assignment_id) : null
      const submission = assignment ? await findToLayAgain(assignment, submissionId) : null
      if (assignment && submission) {
        try {
          const { blank, rubric, laidBy } = await rubricOf(assignment, services, signal)
          const answers = await layOutAgain(submission, { assignment, blank, rubric }, services, signal)
          const own = { _id: submissionId, file_hash: submission.file.hash }
          await AnswersModel.updateOne(own, { $set: { rubric_version: laidBy, ...answers } })
        } catch (error) {
          if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
          await forgetStale(submissionId, assignment)
        }
      }
      await progress.advance(runId)
    },
    async onGivenUp({ runId, submissionId }) {
      const run = await findRunHead(runId)
      const assignment = run && (await findAssignment(run.assignment_id))
      if (assignment) await forgetStale(submissionId, assignment)
      await progress.advance(runId)
    },
  })
}
