import type { SuggestedGrade } from '../../../grader/grader.ts'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { combineGrade } from '../../../grader/scoring/combine-grade.ts'
import { DeferJob, defineJob, type Job } from '../../../lib/jobs/job.ts'
import { type Metrics, secondsSince } from '../../../lib/metrics/metrics.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunDoc, type RunHead, RunPaperModel, runPaperId } from '../../../records/grading/run.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findCriterionGrades, hashInputs, storeSuggestion, toCurrentGrade } from '../../grades/grade.service.ts'
import { requireRubric } from '../../rubrics/assignment-rubric.ts'
import { outdatedVersions } from '../../rubrics/outdated-grades.ts'
import { withPaperProblems } from '../../submissions/paper-problems.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { findSubmissionInRun } from '../../submissions/submission-grading.ts'
import { buildGradeContext, classForSubmission, ownAnswers, selectGrader } from '../context/grade-context.ts'
import { recordGrader } from '../run.service.ts'
import { dropPaper, failPaper, findRunPaper, hasOtherPaperInState, setPaperState } from '../run-papers.ts'
import { runOrWait } from './llm-wait.ts'
import {
  defineRunStep,
  findPendingPaper,
  type GradingPool,
  gradeStep,
  pendingStateOf,
  type RunPaperPayload,
  type RunProgress,
  suggestJob,
} from './run-steps.ts'

export function gradePaperJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(services, progress, {
    jobs: gradeStep,
    find: (ids: RunPaperPayload) => findPendingPaper(ids, 'grading'),
    async run({ run, assignment }, { ids, pool, signal }) {
      const { runId, submissionId } = ids
      const submission = await findSubmissionInRun(submissionId, runId)
      if (!submission) return dropPaper(ids)
      // An earlier attempt may have stored the grade but died before advancing the run.
      if (submission.status !== 'graded') {
        const other = await gradeSubmission({ run, assignment, submission, ids, pool, signal }, services)
        if (other) return other
        if (!(await isGradedInRun(ids))) return dropPaper(ids)
      }
      await setPaperState(runId, submissionId, 'graded')
      return null
    },
    expected: [LlmError],
    async fail({ runId, submissionId }, failure) {
      await failPaper(runId, submissionId, failure, services)
      await progress.advance(runId)
    },
  })
}

/** Compared with the papers read so far. Failures are left to the grading of the whole class. */
export function suggestGradeJob(services: Services): Job {
  return defineJob({
    ...suggestJob,
    pool: 'io',
    attempts: 1,
    async run(ids, signal) {
      const found = await findPendingPaper(ids, 'reading', 'read')
      const submission = found && (await findSubmissionInRun(ids.submissionId, ids.runId))
      if (found && submission?.status === 'grading')
        await gradeSubmission({ ...found, submission, ids, pool: 'cpu', signal }, services)
    },
  })
}

interface SubmissionToGrade {
  run: RunHead
  assignment: AssignmentDoc
  submission: SubmissionDoc
  ids: RunPaperPayload
  pool: GradingPool
  signal: AbortSignal
}

async function gradeSubmission(
  { run, assignment, submission, ids, pool, signal }: SubmissionToGrade,
  services: Services,
): Promise<GradingPool | null> {
  const { runId, submissionId } = ids
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
  return null
}

/** After a change of settings a paper may have a job in both pools. */
async function isGradedInRun({ runId, submissionId }: RunPaperPayload): Promise<boolean> {
  const submission = await findSubmissionInRun(submissionId, runId)
  return submission?.status === 'graded' && submission.grade?.run_id === runId
}

async function measureGrading(
  { gradingSeconds, gradedAnswers }: Pick<Metrics, 'gradingSeconds' | 'gradedAnswers'>,
  grader: 'offline' | 'llm',
  answers: number,
  work: () => Promise<SuggestedGrade>,
): Promise<SuggestedGrade> {
  const end = (outcome: 'done' | 'failed') => gradingSeconds.observe({ grader, outcome }, secondsSince(began))
  const began = performance.now()
  try {
    const grade = await work()
    end('done')
    gradedAnswers.inc({ grader }, answers)
    return grade
  } catch (error) {
    end('failed')
    throw error
  }
}

const MAX_TIMEOUTS = 3

/** Three, each after other papers were graded or with none left, or its run would wait for ever. Counts timeouts. */
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

/** By id; null for all. For a changed rubric no more than the change affects. */
async function questionsToGrade(
  run: Pick<RunDoc, 'only_outdated'>,
  assignment: AssignmentDoc,
  grade: GradeOfSubmission | null,
): Promise<ReadonlySet<string> | null> {
  if (!run.only_outdated || !grade) return null
  const touched = (await outdatedVersions(assignment)).get(grade.rubric_version)
  const only = new Set(touched?.changed.map(({ id }) => id))
  const asked = assignment.rubric?.questions ?? []
  if (asked.every(({ id }) => only.has(id))) return null
  const known = new Set((await findCriterionGrades(grade.id))?.map(({ question_id }) => question_id))
  // A paper whose criteria are not all stored must be graded as a whole.
  return asked.every(({ id }) => only.has(id) || known.has(id)) ? only : null
}

const emptyGrade: SuggestedGrade = {
  overall_score: null,
  criteria: [],
  confidence: 0,
  summary: '',
  needs_review: false,
  reasons: [],
}

async function gradeOutdated(
  run: Pick<RunDoc, 'only_outdated'>,
  assignment: AssignmentDoc,
  submission: Pick<SubmissionDoc, 'grade'>,
  ask: (only: ReadonlySet<string> | null) => Promise<SuggestedGrade>,
): Promise<SuggestedGrade> {
  const { grade } = submission
  const only = await questionsToGrade(run, assignment, grade)
  if (!only || !grade || !assignment.rubric) return ask(null)
  const fresh = only.size === 0 ? emptyGrade : await ask(only)
  const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
  // Decisions on questions judged otherwise now do not count.
  const settled = Object.fromEntries(
    current.criteria.flatMap(({ criterion_id, question_id }) => {
      const given = only.has(question_id) ? undefined : grade.decisions?.[criterion_id]
      return given === undefined ? [] : [[criterion_id, given]]
    }),
  )
  return combineGrade(assignment.rubric, current, fresh, only, settled)
}
