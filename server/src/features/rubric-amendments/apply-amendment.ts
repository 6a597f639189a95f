import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { combineGrade } from '../../grader/scoring/combine-grade.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type {
  AmendedAnswer,
  AmendmentChoice,
  RubricAmendmentDoc,
} from '../../records/grading/rubric-amendment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { toCurrentGrade } from '../grades/current-grade.ts'
import { findCriterionGrades, storeRescored } from '../grades/grade.service.ts'
import { releaseGrades } from '../grades/release.service.ts'
import { requireQuestion } from '../questions/question.service.ts'
import { decideOnce } from '../questions/question-changes.ts'
import { gradeQuestionAgain } from '../rescoring/grade-question-again.ts'
import { SupersededError } from '../rescoring/rescore-answer.ts'
import { editRubric } from '../rubrics/edit-rubric.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { requireVersion } from '../rubrics/rubric.service.ts'
import { currentRubricUsage } from '../runs/current-rubric-usage.ts'
import { findSubmission } from '../submissions/submission.service.ts'
import { advanceRubricVersion } from '../submissions/submission-grades.ts'
import { reportProgress, rubricWith } from './amendment.service.ts'
import { anchorsBeside } from './preview-amendment.ts'

const RUBRIC_CHANGED =
  'Someone else has changed the rubric since this list was made. Nothing was changed here. Close it and start again.'

type ChosenAmendment = RubricAmendmentDoc & { choice: AmendmentChoice }

const actorOf = ({ actor: { id, role, session_id } }: AmendmentChoice) => ({ id, role, sessionId: session_id }) as Actor

/**
 * Puts the amendment into the rubric as a new version, once: where an earlier attempt has done it, that version stays.
 * @throws {AppError} `conflict` where the rubric is another by now, `run_in_progress` while a run is grading
 */
export async function amendRubric(assignment: AssignmentDoc, amendment: ChosenAmendment): Promise<AssignmentDoc> {
  const { rubric_version: madeFor, question_id, kind, text, choice } = amendment
  if (assignment.rubric_version === madeFor) {
    const note = `${kind === 'alternative' ? 'Accepted' : 'Clarified'} after a regrade request: ${text}`.slice(0, 300)
    const edit = { version: madeFor, rubric: rubricWith(assignment, amendment), note }
    return editRubric(assignment, edit, actorOf(choice), choice.at, currentRubricUsage)
  }
  const made = await requireVersion(assignment, madeFor + 1).catch(() => null)
  const before = await requireVersion(assignment, madeFor)
  const wanted = rubricWith({ rubric: before.rubric }, amendment).questions.find(({ id }) => id === question_id)
  const found = made?.rubric.questions.find(({ id }) => id === question_id)
  const isOurs = made?.made.user_id === choice.actor.id && made.made.at.getTime() === choice.at.getTime()
  if (!isOurs || !wanted || !found || questionFingerprint(wanted) !== questionFingerprint(found))
    throw new AppError('conflict', RUBRIC_CHANGED)
  return assignment
}

type Applied = Pick<RubricAmendmentDoc, 'changed' | 'skipped'>

/** Changes the chosen answers after the rubric was changed. May run twice: nothing is decided or graded twice. */
export async function applyToAnswers(
  assignment: AssignmentDoc,
  amendment: ChosenAmendment,
  services: Services,
  signal: AbortSignal,
): Promise<Applied> {
  const { choice } = amendment
  const question = requireQuestion(assignment, amendment.question_id)
  const ids = new Set(choice.submission_ids)
  const chosen = amendment.answers
    .filter(({ submission_id, whole_score }) => ids.has(submission_id) && !whole_score)
    .map((row) => (row.by === 'group' ? { ...row, after: { [amendment.criterion_id]: choice.group_points } } : row))
  const isPersons = ({ by, decided_by, decided }: AmendedAnswer) =>
    by === 'group' || decided !== null || decided_by !== null
  const toDecide = chosen.filter((row) => choice.as === 'decisions' || isPersons(row))
  const toSuggest = chosen.filter((row) => !toDecide.includes(row))

  const from = await versionsThatDifferOnlyIn(question.id, assignment)
  const advance = (grades: Pick<AmendedAnswer, 'submission_id' | 'grade_id'>[]) =>
    advanceRubricVersion(grades, { from, to: assignment.rubric_version }, choice.at)
  // People's points stand whatever the rubric says.
  const isComplete = (points: object) => question.criteria.every(({ id }) => id in points)
  await advance([...amendment.unchanged, ...amendment.answers.filter(({ decided }) => isComplete(decided ?? {}))])
  const changes = toDecide.map(({ submission_id, decided: given, after }) => ({
    submission_id,
    before: given,
    after: { ...given, ...after },
  }))
  const decided = await decideOnce(choice.change_id, assignment, question, changes, actorOf(choice), choice.at)
  const done = new Set(decided.changed)
  await advance(toDecide.filter((row) => done.has(row.submission_id) && isComplete({ ...row.decided, ...row.after })))
  for (const id of await suggestAgain(assignment, amendment, toSuggest, new Set(from), services, signal)) done.add(id)
  return {
    changed: chosen
      .filter(({ submission_id }) => done.has(submission_id))
      .map(({ submission_id, before, after }) => ({
        submission_id,
        before: Object.keys(before).length === 0 ? null : sumOf(before),
        after: sumOf({ ...before, ...after }),
      })),
    skipped: chosen.filter(({ submission_id }) => !done.has(submission_id)).length,
  }
}

export const sumOf = (points: Record<string, number>) =>
  Math.round(100 * Object.values(points).reduce((sum, one) => sum + one, 0)) / 100

/** Earlier versions whose grades are outdated in this question alone, or in none. */
export async function versionsThatDifferOnlyIn(questionId: string, assignment: AssignmentDoc): Promise<number[]> {
  const outdated = await outdatedVersions(assignment)
  const earlier = Array.from({ length: assignment.rubric_version }, (_, version) => version)
  return earlier.filter((version) => {
    const changes = outdated.get(version)
    return !changes || (changes.removed.length === 0 && changes.changed.every(({ id }) => id === questionId))
  })
}

/** Suggestions by the changed rubric; grades that students saw are released again. Returns the papers that have them. */
async function suggestAgain(
  assignment: AssignmentDoc,
  amendment: ChosenAmendment,
  rows: AmendedAnswer[],
  versions: ReadonlySet<number>,
  services: Services,
  signal: AbortSignal,
): Promise<number[]> {
  const { rubric, rubric_version } = assignment
  if (!rubric || rows.length === 0) return []
  const { grader, clock } = services
  const only = new Set([amendment.question_id])
  const anchors = await anchorsBeside(assignment, amendment)
  const changed: number[] = []
  for (const [i, row] of rows.entries()) {
    signal.throwIfAborted()
    await reportProgress(amendment, i, rows.length)
    const submission = await findSubmission(row.submission_id)
    if (!submission?.grade) continue
    if (submission.grade.id !== row.grade_id) {
      // Done before the process ended, or graded anew meanwhile.
      if (submission.grade.rubric_version === rubric_version) {
        changed.push(row.submission_id)
        await releaseAgain(assignment, row, submission, services)
      }
      continue
    }
    if (!versions.has(submission.grade.rubric_version)) continue
    const found = await gradeQuestionAgain(submission, rubric, { anchors, only }, services, signal)
    if (!found) continue
    const made = { classKey: found.classKey, grader, inputs: found.inputs, rubricVersion: rubric_version }
    const stored = await storeRescored(submission, made, clock.now(), async (grade) => {
      if (grade.id !== row.grade_id) throw new SupersededError()
      const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
      return combineGrade(rubric, current, found.grade, only, grade.decisions)
    }).catch(ignoreSuperseded)
    if (!stored) continue
    changed.push(row.submission_id)
    await releaseAgain(assignment, row, stored, services)
  }
  if (changed.length > 0) await markScoresChanged(assignment._id)
  return changed
}

async function releaseAgain(
  { status }: AssignmentDoc,
  { released }: AmendedAnswer,
  submission: SubmissionDoc,
  { clock }: Services,
): Promise<void> {
  if (released && status === 'published') await releaseGrades([submission], clock.now())
}

function ignoreSuperseded(error: unknown): null {
  if (error instanceof SupersededError) return null
  throw error
}
