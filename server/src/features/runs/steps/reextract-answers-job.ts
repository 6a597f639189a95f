import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { ensureRubric } from '../../rubrics/assignment-rubric.ts'
import { reextractSubmissionAnswers } from '../../transcriptions/extract-submission-answers.ts'
import { findRunHead } from '../run.service.ts'
import type { RunProgress } from '../run-progress.ts'
import { reextractStep } from './run-steps.ts'
import { deleteStaleAnswers, findSubmissionToReextract } from './stale-answers.ts'

/** For the class alone: the paper's own state and grade stay as they are. */
export function reextractAnswersJob(services: Services, progress: RunProgress): Job<typeof reextractStep.payload> {
  return defineJob({
    ...reextractStep,
    pool: 'cpu',
    attempts: 3,
    async run({ runId, submissionId }, signal) {
      const run = await findRunHead(runId)
      const assignment = run?.status === 'reading' ? await findAssignment(run.assignment_id) : null
      const submission = assignment ? await findSubmissionToReextract(assignment, submissionId) : null
      if (assignment && submission) {
        try {
          const { blank, rubric, laidBy } = await ensureRubric(assignment, services, signal)
          const answers = await reextractSubmissionAnswers(submission, { assignment, blank, rubric }, services, signal)
          const own = { _id: submissionId, file_hash: submission.file.hash }
          await AnswersModel.updateOne(own, { $set: { rubric_version: laidBy, ...answers } })
        } catch (error) {
          if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
          await deleteStaleAnswers(submissionId, assignment)
        }
      }
      await progress.advance(runId)
    },
    async onFailed({ runId, submissionId }) {
      const run = await findRunHead(runId)
      const assignment = run && (await findAssignment(run.assignment_id))
      if (assignment) await deleteStaleAnswers(submissionId, assignment)
      await progress.advance(runId)
    },
  })
}
