import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { defineJob, type Job } from '../../lib/jobs.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import { shareOf } from '../model/places.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { claimByName } from '../submissions/match-papers.ts'
import { layOutPaper } from '../transcriptions/lay-out-paper.ts'
import type { GradesBy } from './grader-for.ts'
import { orWait } from './model-wait.ts'
import { rubricOf } from './rubric-of-assignment.ts'
import { RunModel, runPaperId } from './run.model.ts'
import { runGroup } from './run.service.ts'
import { failPaper, moveSubmission, setState } from './run-papers.ts'
import type { RunProgress } from './run-progress.ts'
import { type OfPaper, readByModelStep, readStep } from './run-steps.ts'
import { dropPaper, findWork, givingUp } from './run-work.ts'

/**
 * Reads a paper, unless the same content was read before, and lays it against the questions. Where a model has to look at its
 * pages, that is done by a second job, in the lane for what waits.
 */
export function readPaperJobs(services: Services, progress: RunProgress): Job<typeof readStep.payload>[] {
  async function read(ids: OfPaper, lane: GradesBy['lane'], signal: AbortSignal): Promise<void> {
    const { runId, submissionId } = ids
    const found = await findWork(ids, 'reading', progress)
    if (!found) return
    const { run, assignment } = found
    const submission = await moveSubmission(runId, submissionId, { status: 'reading' }, services)
    if (!submission) return dropPaper(ids, progress)
    const { blank, rubric, laidBy } = await rubricOf(assignment, services, signal)
    const asking =
      lane === 'model'
        ? { run_id: runId, guard: <T>(work: () => Promise<T>) => orWait(run, services, work) }
        : null
    const out = await layOutPaper(submission, { assignment, blank, rubric }, services, signal, asking)
    if (!out) {
      const share = shareOf(assignment.course_id)
      const row = { key: runPaperId(runId, submissionId), group: runGroup(runId), payload: ids, share }
      return services.jobs.add(readByModelStep, [row])
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
    const moved = await moveSubmission(runId, submissionId, change, services)
    if (!moved) return dropPaper(ids, progress)
    await claimByName(moved, out.answers.laid.name_on_paper, services)
    await setState(runId, submissionId, 'read')
    await progress.advance(runId)
  }

  /** What stands in the way of a reading, and is no error of ours. */
  async function readOrFail(ids: OfPaper, lane: GradesBy['lane'], signal: AbortSignal): Promise<void> {
    try {
      await read(ids, lane, signal)
    } catch (error) {
      const unreadable = error instanceof PaperError && error.code !== 'cancelled'
      if (!unreadable && !(error instanceof ModelTrouble)) throw error
      if (error instanceof ModelTrouble && error.scope === 'budget') {
        const run = await RunModel.findById(ids.runId).lean()
        if (run) progress.endLater(run, 'stopped', error.message)
        return
      }
      const failure = { code: error.code, message: error.message }
      await failPaper(ids.runId, ids.submissionId, failure, services)
      await progress.advance(ids.runId)
    }
  }

  const jobIn = (lane: GradesBy['lane']) =>
    defineJob({
      ...(lane === 'model' ? readByModelStep : readStep),
      lane,
      attempts: 3,
      run: (ids, signal) => readOrFail(ids, lane, signal),
      onGivenUp: givingUp(services, progress),
    })
  return [jobIn('work'), jobIn('model')]
}
