import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { DeferJob, type Job } from '../../../lib/jobs/job.ts'
import { RunPaperModel, runPaperId } from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { storeSuggestion } from '../../grades/grade.service.ts'
import { hashInputs } from '../../grades/hash-inputs.ts'
import { requireRubric } from '../../rubrics/assignment-rubric.ts'
import { withPaperProblems } from '../../submissions/problems/flag-problems.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { findSubmissionInRun } from '../../submissions/submission-grading.ts'
import { buildGradeContext } from '../context/grade-context.ts'
import { measureGrading } from '../context/measure-grading.ts'
import { classForSubmission, ownAnswers } from '../context/run-class.ts'
import { selectGrader } from '../context/select-grader.ts'
import { recordGrader } from '../run.service.ts'
import { dropPaper, failPaper, findRunPaper, hasOtherPaperInState, setPaperState } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { gradeOutdated } from './grade-outdated.ts'
import { runOrWait } from './llm-wait.ts'
import { findPendingPaper } from './paper-step.ts'
import { defineRunStep } from './run-step.ts'
import { gradeStep, pendingStateOf, type RunPaperPayload } from './run-steps.ts'

/** Grades a paper that has been read. It changes pools where settings have changed who grades. */
export function gradePaperJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(
    {
      jobs: gradeStep,
      find: (ids: RunPaperPayload) => findPendingPaper(ids, 'grading'),
      async run({ run, assignment }, { ids, pool, signal }) {
        const { runId, submissionId } = ids
        const submission = await findSubmissionInRun(submissionId, runId)
        if (!submission) return dropPaper(ids)
        // An earlier attempt may have stored the grade and not lived to tell the run.
        if (submission.status !== 'graded') {
          const by = await selectGrader(assignment, run, submission, services)
          if (by.pool !== pool) return by.pool
          const { rubric, version } = requireRubric(assignment)
          const everyone = await classForSubmission(run, submissionId)
          const inputs = hashInputs({ submission, rubric, extracted: ownAnswers(everyone, submissionId) })
          const ask = (only: ReadonlySet<string> | null) =>
            runOrWait(run, services, async () => {
              const context = await buildGradeContext(run, assignment, submission, services, signal)
              const answers = only?.size ?? rubric.questions.length
              return measureGrading(services.metrics, by.llm ? 'llm' : 'offline', answers, () =>
                by.grader.grade(rubric, submissionId, everyone, { ...context, ...(only ? { only } : {}) }),
              )
            }).catch(async (error: Error) => {
              throw (await hasRepeatedTimeouts(ids, error)) ? error.cause : error
            })
          const suggestion = withPaperProblems(await gradeOutdated(run, assignment, submission, ask), submission)
          signal.throwIfAborted()
          await recordGrader(run, by.grader)
          const made = { runId, classKey: run.class_key ?? '', rubricVersion: version, grader: by.grader, inputs }
          const stored = await storeSuggestion(submissionId, suggestion, made, services.clock.now())
          if (stored) await notifySubmissionChanged(stored, services)
          else if (!(await isGradedInRun(ids))) return dropPaper(ids)
        }
        await setPaperState(runId, submissionId, 'graded')
        return null
      },
      expected: [LlmError],
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

/** When settings change, a paper may have a job in both pools, and the other one may have graded it. */
async function isGradedInRun({ runId, submissionId }: RunPaperPayload): Promise<boolean> {
  const submission = await findSubmissionInRun(submissionId, runId)
  return submission?.status === 'graded' && submission.grade?.run_id === runId
}

const MAX_TIMEOUTS = 3

/**
 * Whether an LLM grades every paper but this one: its request timed out three times, and each time others had been graded
 * since, or there were none left. Such a paper would make its run wait for ever. Called for each failure; counts timeouts.
 */
async function hasRepeatedTimeouts({ runId, submissionId }: RunPaperPayload, error: unknown): Promise<boolean> {
  const cause = error instanceof DeferJob ? error.cause : null
  if (!(cause instanceof LlmError) || cause.code !== 'timeout') return false
  const [paper, graded, others] = await Promise.all([
    findRunPaper(runId, submissionId),
    RunPaperModel.countDocuments({ run_id: runId, state: 'graded' }),
    hasOtherPaperInState(runId, submissionId, pendingStateOf.grading),
  ])
  const before = paper?.timeouts
  const counts = !before || graded > before.graded || !others
  const count = (before?.count ?? 0) + (counts ? 1 : 0)
  await RunPaperModel.updateOne({ _id: runPaperId(runId, submissionId) }, { $set: { timeouts: { count, graded } } })
  return count >= MAX_TIMEOUTS
}
