import type { ClassAnswers, ExtractedSubmission } from '../../grader/grader.ts'
import { combineGrade } from '../../grader/scoring/combine-grade.ts'
import { DeferJob } from '../../lib/jobs/job.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findCriterionGrades, hashInputs, storeRescored, toCurrentGrade } from '../grades/grade.service.ts'
import { buildGradeContext } from '../runs/context/grade-context.ts'
import { classForSubmission } from '../runs/context/run-class.ts'
import { selectGrader } from '../runs/context/select-grader.ts'
import { findRun } from '../runs/run.service.ts'
import type { GradingPool } from '../runs/steps/run-steps.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { hasGrade } from '../submissions/submission-grading.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { withCorrections } from '../transcriptions/corrections.ts'

/** The message is for the teacher. */
export class CannotRescoreError extends Error {
  override name = 'CannotScore'
}

/** The answer was corrected again meanwhile, so this result is void. */
export class SupersededError extends Error {
  override name = 'Superseded'
}

const RUBRIC_CHANGED =
  'The rubric has changed since this paper was graded. Grade the paper again to apply your correction.'

/** In ms, for a paper that a run has taken up meanwhile. */
const GRADING_RETRY_MS = 2_000

/**
 * Against the class the paper was graded with. `isWanted` is asked last. @returns another pool to do this in, or null
 * @throws {CannotRescoreError} when the whole paper has to be graded again; {LlmError} when a model does not answer;
 * {SupersededError} when it is no longer wanted; {DeferJob} when a run has taken the paper up
 */
export async function rescoreAnswer(
  submission: SubmissionDoc,
  questionId: string,
  pool: GradingPool,
  services: Services,
  signal: AbortSignal,
  isWanted: () => Promise<boolean>,
): Promise<GradingPool | null> {
  const assignment = await findAssignment(submission.assignment_id)
  const run = submission.grade && (await findRun(submission.grade.run_id))
  const answers = await findAnswers(submission._id)
  if (!assignment?.rubric || !run?.class_key || !answers)
    throw new CannotRescoreError('Grade the whole paper again: the data it was graded with is no longer available.')
  const { rubric, rubric_version } = assignment
  if (submission.grade?.rubric_version !== rubric_version) throw new CannotRescoreError(RUBRIC_CHANGED)
  const by = await selectGrader(assignment, run, submission, services)
  if (by.pool !== pool) return by.pool
  const only = new Set([questionId])
  // Of two corrections at the same moment, one may be missing from the stored answers.
  const { extracted } = await withCorrections(submission, answers.as_read ?? answers.extracted)
  const everyone = withCorrectedAnswers(await classForSubmission(run, submission._id), submission._id, extracted)
  const context = await buildGradeContext(run, assignment, submission, services, signal)
  const fresh = await by.grader.grade(rubric, submission._id, everyone, { ...context, only })
  signal.throwIfAborted()
  const inputs = hashInputs({ submission, rubric, extracted })
  const made = { classKey: everyone.key, grader: by.grader, inputs }
  const stored = await storeRescored(submission, made, services.clock.now(), async (grade) => {
    // Meanwhile the answer may be corrected again, or the rubric changed and the paper graded by it.
    if (!(await isWanted())) throw new SupersededError()
    if (grade.rubric_version !== rubric_version) throw new CannotRescoreError(RUBRIC_CHANGED)
    const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
    return combineGrade(rubric, current, fresh, only, grade.decisions)
  })
  if (stored) await notifySubmissionChanged(stored, services)
  else if (await hasGrade(submission._id)) throw new DeferJob(GRADING_RETRY_MS, 'the paper is being graded')
  return null
}

/** A class of its own, with this paper's answers as they are now, for callers that cache by key. */
function withCorrectedAnswers(everyone: ClassAnswers, id: number, extracted: ExtractedSubmission): ClassAnswers {
  const texts = JSON.stringify(extracted.answers.map(({ text }) => text))
  const hash = hashOf(texts).slice(0, 16)
  return {
    key: `${everyone.key}~${id}/${hash}`,
    submissions: everyone.submissions.map((one) => (one.id === id ? { id, extracted } : one)),
  }
}
