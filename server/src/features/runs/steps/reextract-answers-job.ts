import type { Job } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { ensureRubric, RubricUnavailableError } from '../../rubrics/assignment-rubric.ts'
import { updateAnswers } from '../../transcriptions/answers.service.ts'
import { reextractSubmissionAnswers } from '../../transcriptions/extract-submission-answers.ts'
import { findRunHead } from '../run.service.ts'
import type { RunProgress } from '../run-progress.ts'
import { defineRunStep } from './run-step.ts'
import { type RunPaperPayload, reextractStep } from './run-steps.ts'
import { excludeFromClass, findSubmissionToReextract } from './stale-answers.ts'

/** For the class alone: the paper's own state and grade stay as they are. */
export function reextractAnswersJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(
    {
      jobs: reextractStep,
      async find({ runId, submissionId }: RunPaperPayload) {
        const run = await findRunHead(runId)
        const assignment = run?.status === 'reading' ? await findAssignment(run.assignment_id) : null
        const submission = assignment && (await findSubmissionToReextract(assignment, submissionId))
        return assignment && submission && { assignment, submission }
      },
      async run({ assignment, submission }, { signal }) {
        const { blank, rubric, extractionVersion } = await ensureRubric(assignment, services, signal)
        const answers = await reextractSubmissionAnswers(submission, { assignment, blank, rubric }, services, signal)
        await updateAnswers(submission, { rubric_version: extractionVersion, ...answers })
        return null
      },
      expected: [PaperError, RubricUnavailableError],
      async fail({ runId, submissionId }) {
        const run = await findRunHead(runId)
        const assignment = run && (await findAssignment(run.assignment_id))
        if (assignment) await excludeFromClass(submissionId, assignment)
        await progress.advance(runId)
      },
      proceed: progress.advance,
    },
    services,
    progress,
  )
}
