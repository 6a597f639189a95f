import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import type { Job } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { Services } from '../../../services.ts'
import { unmatchIfOthers } from '../../matches/match-submissions.ts'
import { ensureRubric, RubricUnavailableError } from '../../rubrics/assignment-rubric.ts'
import { ownerOnPaper, storeAnswers } from '../../transcriptions/answers.service.ts'
import { extractSubmissionAnswers } from '../../transcriptions/extract-submission-answers.ts'
import { dropPaper, failPaper, setPaperState, updateSubmission } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { runOrWait } from './llm-wait.ts'
import { defineRunStep, findPendingPaper } from './run-step.ts'
import { type RunPaperPayload, readStep } from './run-steps.ts'

/** Reuses an earlier reading of the same file. Changes pools where an LLM has to read pages. */
export function readPaperJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(
    {
      jobs: readStep,
      find: (ids: RunPaperPayload) => findPendingPaper(ids, 'reading'),
      async run({ run, assignment }, { ids, pool, signal }) {
        const { runId, submissionId } = ids
        const submission = await updateSubmission(runId, submissionId, { status: 'reading' }, services)
        if (!submission) return dropPaper(ids)
        const { blank, rubric, extractionVersion } = await ensureRubric(assignment, services, signal)
        const guard = <T>(work: () => Promise<T>) => runOrWait(run, services, work)
        const llmAccess = pool === 'llm' ? { run_id: runId, guard } : null
        const read = await extractSubmissionAnswers(
          submission,
          { assignment, blank, rubric },
          services,
          signal,
          llmAccess,
        )
        if (!read) return 'llm'
        const { pages } = read.paper
        await storeAnswers(submission, { rubric_version: extractionVersion, ...read.answers })
        const turned_pages = pages.flatMap(({ number, turned }) => (turned ? [{ page: number, turned }] : []))
        const change = { status: 'grading' as const, page_count: pages.length, turned_pages }
        const moved = await updateSubmission(runId, submissionId, change, services)
        if (!moved) return dropPaper(ids)
        await unmatchIfOthers(moved, ownerOnPaper(read.answers), services)
        await setPaperState(runId, submissionId, 'read')
        return null
      },
      expected: [PaperError, RubricUnavailableError, LlmError],
      async fail({ runId, submissionId }, failure) {
        await failPaper(runId, submissionId, failure, services)
        await progress.advance(runId)
      },
      proceed: progress.advance,
    },
    services,
    progress,
  )
}
