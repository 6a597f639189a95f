import { LlmError } from '../../../grader/llm/llm-error.ts'
import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import { RunModel, runPaperId } from '../../../records/grading/run.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import type { Services } from '../../../services.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import { assignByNameOnPaper } from '../../matches/match-submissions.ts'
import { ensureRubric } from '../../rubrics/assignment-rubric.ts'
import { extractSubmissionAnswers } from '../../transcriptions/extract-submission-answers.ts'
import type { SelectedGrader } from '../context/select-grader.ts'
import { runGroup } from '../run.service.ts'
import { failPaper, setPaperState, updateSubmission } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { runOrWait } from './llm-wait.ts'
import { type RunPaperPayload, readByLlmStep, readStep } from './run-steps.ts'
import { failPaperOnExhaustion, loadStepInput, skipPaper } from './step-work.ts'

/**
 * Reads a paper, unless the same content was read before, and lays it against the questions. Where a model has to look at its
 * pages, that is done by a second job, in the lane for what waits.
 */
export function readPaperJobs(services: Services, progress: RunProgress): Job<typeof readStep.payload>[] {
  async function read(ids: RunPaperPayload, lane: SelectedGrader['lane'], signal: AbortSignal): Promise<void> {
    const { runId, submissionId } = ids
    const found = await loadStepInput(ids, 'reading', progress)
    if (!found) return
    const { run, assignment } = found
    const submission = await updateSubmission(runId, submissionId, { status: 'reading' }, services)
    if (!submission) return skipPaper(ids, progress)
    const { blank, rubric, laidBy } = await ensureRubric(assignment, services, signal)
    const asking =
      lane === 'llm' ? { run_id: runId, guard: <T>(work: () => Promise<T>) => runOrWait(run, services, work) } : null
    const out = await extractSubmissionAnswers(submission, { assignment, blank, rubric }, services, signal, asking)
    if (!out) {
      const share = fairShareKey(assignment.course_id)
      const row = { key: runPaperId(runId, submissionId), group: runGroup(runId), payload: ids, fairShareKey: share }
      return services.jobs.add(readByLlmStep, [row])
    }
    const answers = {
      assignment_id: assignment._id,
      rubric_version: laidBy,
      file_hash: submission.file.hash,
      ...out.answers,
    }
    await AnswersModel.updateOne({ _id: submissionId }, { $set: answers }, { upsert: true })
    const { pages } = out.paper
    const turned_pages = pages.flatMap(({ number, turned }) => (turned ? [{ page: number, turned }] : []))
    const change = { status: 'grading' as const, page_count: pages.length, turned_pages }
    const moved = await updateSubmission(runId, submissionId, change, services)
    if (!moved) return skipPaper(ids, progress)
    await assignByNameOnPaper(moved, out.answers.laid.name_on_paper, services)
    await setPaperState(runId, submissionId, 'read')
    await progress.advance(runId)
  }

  /** What stands in the way of a reading, and is no error of ours. */
  async function readOrFail(ids: RunPaperPayload, lane: SelectedGrader['lane'], signal: AbortSignal): Promise<void> {
    try {
      await read(ids, lane, signal)
    } catch (error) {
      const unreadable = error instanceof PaperError && error.code !== 'cancelled'
      if (!unreadable && !(error instanceof LlmError)) throw error
      if (error instanceof LlmError && error.scope === 'budget') {
        const run = await RunModel.findById(ids.runId).lean()
        if (run) progress.endLater(run, 'stopped', error.message)
        return
      }
      const failure = { code: error.code, message: error.message }
      await failPaper(ids.runId, ids.submissionId, failure, services)
      await progress.advance(ids.runId)
    }
  }

  const jobInPool = (lane: SelectedGrader['lane']) =>
    defineJob({
      ...(lane === 'llm' ? readByLlmStep : readStep),
      pool: lane,
      attempts: 3,
      run: (ids, signal) => readOrFail(ids, lane, signal),
      onFailed: failPaperOnExhaustion(services, progress),
    })
  return [jobInPool('cpu'), jobInPool('llm')]
}
