import { LlmError } from '../../../grader/llm/llm-error.ts'
import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { type RunHead, RunModel, runPaperId } from '../../../records/grading/run.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { storeSuggestion } from '../../grades/grade.service.ts'
import { hashInputs } from '../../grades/hash-inputs.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import { requireRubric } from '../../rubrics/assignment-rubric.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { buildGradeContext } from '../context/grade-context.ts'
import { classForSubmission, ownAnswers } from '../context/run-class.ts'
import { type SelectedGrader, selectGrader } from '../context/select-grader.ts'
import { runGroup } from '../run.service.ts'
import { failPaper, setPaperState } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { gradeOutdated } from './grade-outdated.ts'
import { runOrWait } from './llm-wait.ts'
import { hasRepeatedTimeouts } from './repeated-timeouts.ts'
import { gradeByLlmStep, gradeStep, type RunPaperPayload } from './run-steps.ts'
import { failPaperOnExhaustion, loadStepInput, skipPaper } from './step-work.ts'

const stepByPool = { cpu: gradeStep, llm: gradeByLlmStep } as const

/** Grades a paper that has been read: one job for each lane, as who grades may change while a run goes on. */
export function gradePaperJobs(services: Services, progress: RunProgress): Job<typeof gradeStep.payload>[] {
  const { jobs, clock } = services

  async function grade(ids: RunPaperPayload, lane: SelectedGrader['lane'], signal: AbortSignal): Promise<void> {
    const { runId, submissionId } = ids
    const found = await loadStepInput(ids, 'grading', progress)
    if (!found) return
    const { run, assignment } = found
    const submission = await SubmissionModel.findOne({ _id: submissionId, run_id: runId }).lean()
    if (!submission) return skipPaper(ids, progress)
    // Stored before the process died, and only the run has not heard of it.
    if (submission.status !== 'graded') {
      const by = await selectGrader(assignment, run, submission, services)
      if (by.lane !== lane) {
        const share = fairShareKey(assignment.course_id)
        const moved = {
          key: runPaperId(runId, submissionId),
          group: runGroup(runId),
          payload: ids,
          fairShareKey: share,
        }
        return jobs.add(stepByPool[by.lane], [moved])
      }
      const { rubric, version } = requireRubric(assignment)
      const everyone = await classForSubmission(run, submissionId)
      const inputs = hashInputs({ submission, rubric, laid: ownAnswers(everyone, submissionId) })
      const suggestion = await gradeOutdated(run, assignment, submission, (only) =>
        runOrWait(run, services, async () => {
          const context = await buildGradeContext(run, assignment, submission, services, signal)
          return by.grader.grade(rubric, submissionId, everyone, { ...context, ...(only ? { only } : {}) })
        }),
      )
      signal.throwIfAborted()
      await recordGrader(run, by)
      const { grader } = by
      const made = { runId, classKey: run.class_key ?? '', rubricVersion: version, grader, inputs }
      const stored = await storeSuggestion(submissionId, suggestion, made, clock.now())
      if (stored) await notifySubmissionChanged(stored, services)
      else if (!(await isGradedBy(ids))) return skipPaper(ids, progress)
    }
    await setPaperState(runId, submissionId, 'graded')
    await progress.advance(runId)
  }

  /** What stands in the way of a grade, and is no error of ours. */
  async function gradeOrFail(ids: RunPaperPayload, lane: SelectedGrader['lane'], signal: AbortSignal): Promise<void> {
    try {
      await grade(ids, lane, signal)
    } catch (caught) {
      const error = (await hasRepeatedTimeouts(ids, caught)) && caught instanceof Error ? caught.cause : caught
      if (!(error instanceof LlmError)) throw error
      if (error.scope === 'budget') {
        const run = await RunModel.findById(ids.runId).lean()
        if (run) progress.endLater(run, 'stopped', error.message)
        return
      }
      await failPaper(ids.runId, ids.submissionId, { code: error.code, message: error.message }, services)
      await progress.advance(ids.runId)
    }
  }

  const jobInPool = (lane: SelectedGrader['lane']) =>
    defineJob({
      ...stepByPool[lane],
      pool: lane,
      attempts: 3,
      run: (ids, signal) => gradeOrFail(ids, lane, signal),
      onFailed: failPaperOnExhaustion(services, progress),
    })
  return [jobInPool('cpu'), jobInPool('llm')]
}

/** Whether this run has graded it already: a paper may stand in both lanes when settings change. */
async function isGradedBy({ runId, submissionId }: RunPaperPayload): Promise<boolean> {
  const graded = { _id: submissionId, run_id: runId, status: 'graded' as const, 'grade.run_id': runId }
  return (await SubmissionModel.exists(graded)) !== null
}

async function recordGrader(run: RunHead, { grader }: SelectedGrader): Promise<void> {
  if (run.graders?.includes(grader.name)) return
  await RunModel.updateOne({ _id: run._id }, { $addToSet: { graders: grader.name } })
}
