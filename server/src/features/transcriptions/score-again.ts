import { createHash } from 'node:crypto'
import { combineGrade } from '../../grader/combine-grade.ts'
import type { ClassAnswers, LaidSubmission } from '../../grader/grader.ts'
import { TryLater } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findDetails, storeRescored } from '../grades/grade.service.ts'
import { hashInputs } from '../grades/hash-inputs.ts'
import { standingOf } from '../grades/standing.ts'
import { classFor } from '../runs/class-of-run.ts'
import { gradeContext } from '../runs/grade-context.ts'
import { type GradesBy, graderFor } from '../runs/grader-for.ts'
import { findRun } from '../runs/run.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { tellSubmissionChanged } from '../submissions/submission.events.ts'
import { type SubmissionDoc, SubmissionModel } from '../submissions/submission.model.ts'

/** Why an answer is not scored again; the message is for the teacher. */
export class CannotScore extends Error {
  override name = 'CannotScore'
}

/** The answer was corrected once more meanwhile: what was made of the earlier words counts for nothing. */
export class Superseded extends Error {
  override name = 'Superseded'
}

const RUBRIC_CHANGED =
  'The rubric was changed after this paper was graded. Grade the paper again: your correction counts then.'

/** How long to wait for a paper that was taken up by a run meanwhile, in ms. */
const WHILE_GRADED_MS = 2_000

/**
 * Grades one question of a graded paper again, against the class it was graded with, and puts what it earns into the grade. Answers
 * with the lane this is to be done in where that is another one; null when it is done.
 * `isWanted` is asked last thing before it counts.
 * @throws {CannotScore} when the whole paper has to be graded again; {ModelTrouble} when a model does not answer; {Superseded} when it is
 * no longer wanted; {TryLater} when a run has taken the paper up
 */
export async function scoreAgain(
  submission: SubmissionDoc,
  questionId: string,
  lane: GradesBy['lane'],
  services: Services,
  signal: AbortSignal,
  isWanted: () => Promise<boolean>,
): Promise<GradesBy['lane'] | null> {
  const assignment = await findAssignment(submission.assignment_id)
  const run = submission.grade && (await findRun(submission.grade.run_id))
  const answers = await AnswersModel.findById(submission._id).lean()
  if (!assignment?.rubric || !run?.class_key || !answers)
    throw new CannotScore(
      'This paper has to be graded as a whole again: what it was graded with is no longer kept.',
    )
  const { rubric, rubric_version } = assignment
  if (submission.grade?.rubric_version !== rubric_version) throw new CannotScore(RUBRIC_CHANGED)
  const by = await graderFor(assignment, run, submission, services)
  if (by.lane !== lane) return by.lane
  const only = new Set([questionId])
  const everyone = asCorrected(await classFor(run, submission._id), submission._id, answers.laid)
  const context = await gradeContext(run, assignment, submission, services, signal)
  const fresh = await by.grader.grade(rubric, submission._id, everyone, { ...context, only })
  signal.throwIfAborted()
  const inputs = hashInputs({ submission, rubric, laid: answers.laid })
  const made = { classKey: everyone.key, grader: by.grader, inputs }
  const stored = await storeRescored(submission, made, services.clock.now(), async (grade) => {
    // While the grader worked: the answer corrected again, the rubric changed and the paper graded by it.
    if (!(await isWanted())) throw new Superseded()
    if (grade.rubric_version !== rubric_version) throw new CannotScore(RUBRIC_CHANGED)
    const standing = standingOf(grade, (await findDetails(grade.id)) ?? [])
    return combineGrade(rubric, standing, fresh, only, grade.decisions)
  })
  if (stored) await tellSubmissionChanged(stored, services)
  else if (await SubmissionModel.exists({ _id: submission._id, grade: { $ne: null } }))
    throw new TryLater(WHILE_GRADED_MS, 'the paper is being graded')
  return null
}

/** The class a paper was graded with, with its own answers as they are now: another class for whoever keeps what they made of it. */
function asCorrected(everyone: ClassAnswers, id: number, laid: LaidSubmission): ClassAnswers {
  const texts = JSON.stringify(laid.answers.map(({ text }) => text))
  const hash = createHash('sha256').update(texts).digest('hex').slice(0, 16)
  return {
    key: `${everyone.key}~${id}/${hash}`,
    submissions: everyone.submissions.map((one) => (one.id === id ? { id, laid } : one)),
  }
}
