import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { defineJob, type Job } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { storeSuggestion } from '../grades/grade.service.ts'
import { hashInputs } from '../grades/hash-inputs.ts'
import { shareOf } from '../model/places.ts'
import { tellSubmissionChanged } from '../submissions/submission.events.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { classFor, ownOf } from './class-of-run.ts'
import { gradeContext } from './grade-context.ts'
import { type GradesBy, graderFor } from './grader-for.ts'
import { orWait } from './model-wait.ts'
import { gradeOutdated } from './only-outdated.ts'
import { requireRubric } from './rubric-of-assignment.ts'
import { type RunHead, RunModel, runPaperId } from './run.model.ts'
import { runGroup } from './run.service.ts'
import { failPaper, setState } from './run-papers.ts'
import type { RunProgress } from './run-progress.ts'
import { gradeByModelStep, gradeStep, type OfPaper } from './run-steps.ts'
import { dropPaper, findWork, givingUp } from './run-work.ts'
import { isStuck } from './stuck-paper.ts'

const stepOf = { work: gradeStep, model: gradeByModelStep } as const

/** Grades a paper that has been read: one job for each lane, as who grades may change while a run goes on. */
export function gradePaperJobs(services: Services, progress: RunProgress): Job<typeof gradeStep.payload>[] {
  const { jobs, clock } = services

  async function grade(ids: OfPaper, lane: GradesBy['lane'], signal: AbortSignal): Promise<void> {
    const { runId, submissionId } = ids
    const found = await findWork(ids, 'grading', progress)
    if (!found) return
    const { run, assignment } = found
    const submission = await SubmissionModel.findOne({ _id: submissionId, run_id: runId }).lean()
    if (!submission) return dropPaper(ids, progress)
    // Stored before the process died, and only the run has not heard of it.
    if (submission.status !== 'graded') {
      const by = await graderFor(assignment, run, submission, services)
      if (by.lane !== lane) {
        const share = shareOf(assignment.course_id)
        const moved = { key: runPaperId(runId, submissionId), group: runGroup(runId), payload: ids, share }
        return jobs.add(stepOf[by.lane], [moved])
      }
      const { rubric, version } = requireRubric(assignment)
      const everyone = await classFor(run, submissionId)
      const inputs = hashInputs({ submission, rubric, laid: ownOf(everyone, submissionId) })
      const suggestion = await gradeOutdated(run, assignment, submission, (only) =>
        orWait(run, services, async () => {
          const context = await gradeContext(run, assignment, submission, services, signal)
          return by.grader.grade(rubric, submissionId, everyone, { ...context, ...(only ? { only } : {}) })
        }),
      )
      signal.throwIfAborted()
      await noteGrader(run, by)
      const { grader } = by
      const made = { runId, classKey: run.class_key ?? '', rubricVersion: version, grader, inputs }
      const stored = await storeSuggestion(submissionId, suggestion, made, clock.now())
      if (stored) await tellSubmissionChanged(stored, services)
      else if (!(await isGradedBy(ids))) return dropPaper(ids, progress)
    }
    await setState(runId, submissionId, 'graded')
    await progress.advance(runId)
  }

  /** What stands in the way of a grade, and is no error of ours. */
  async function gradeOrFail(ids: OfPaper, lane: GradesBy['lane'], signal: AbortSignal): Promise<void> {
    try {
      await grade(ids, lane, signal)
    } catch (caught) {
      const error = (await isStuck(ids, caught)) && caught instanceof Error ? caught.cause : caught
      if (!(error instanceof ModelTrouble)) throw error
      if (error.scope === 'budget') {
        const run = await RunModel.findById(ids.runId).lean()
        if (run) progress.endLater(run, 'stopped', error.message)
        return
      }
      await failPaper(ids.runId, ids.submissionId, { code: error.code, message: error.message }, services)
      await progress.advance(ids.runId)
    }
  }

  const jobIn = (lane: GradesBy['lane']) =>
    defineJob({
      ...stepOf[lane],
      lane,
      attempts: 3,
      run: (ids, signal) => gradeOrFail(ids, lane, signal),
      onGivenUp: givingUp(services, progress),
    })
  return [jobIn('work'), jobIn('model')]
}

/** Whether this run has graded it already: a paper may stand in both lanes when settings change. */
async function isGradedBy({ runId, submissionId }: OfPaper): Promise<boolean> {
  const graded = { _id: submissionId, run_id: runId, status: 'graded' as const, 'grade.run_id': runId }
  return (await SubmissionModel.exists(graded)) !== null
}

async function noteGrader(run: RunHead, { grader }: GradesBy): Promise<void> {
  if (run.graders?.includes(grader.name)) return
  await RunModel.updateOne({ _id: run._id }, { $addToSet: { graders: grader.name } })
}
