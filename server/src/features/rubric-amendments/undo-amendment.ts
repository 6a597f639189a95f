import type { Question } from '@assay/shared/rubrics.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AmendmentUndo, RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { Services } from '../../services.ts'
import { requireQuestion } from '../questions/question.service.ts'
import { undoOnce } from '../questions/question-changes.ts'
import { editRubric } from '../rubrics/edit-rubric.ts'
import { requireVersion } from '../rubrics/rubric.service.ts'
import { currentRubricUsage } from '../runs/current-rubric-usage.ts'
import { advanceRubricVersion } from '../submissions/submission-grades.ts'
import { currentRubric } from './amendment.service.ts'
import { versionsThatDifferOnlyIn } from './apply-amendment.ts'
import { restoreSuggestions } from './restore-suggestions.ts'

const QUESTION_GONE =
  'The rubric no longer has this question, so this cannot be undone. Points can be changed on each paper.'
const changedSince = (number: string) =>
  `Question ${number} of the rubric was changed again after this. Undo the later change first, or change the question on the rubric’s page. Nothing was undone.`

export type UndoneAmendment = RubricAmendmentDoc & { undo: AmendmentUndo }

const actorOf = ({ actor: { id, role, session_id } }: AmendmentUndo) => ({ id, role, sessionId: session_id }) as Actor

/**
 * Puts the question back as it was before the amendment, as a new version; later changes to other questions stay. Does nothing where it is
 * so already.
 * @throws {AppError} `conflict` where the question was changed since, `run_in_progress` while a run is grading
 */
export async function restoreRubric(assignment: AssignmentDoc, amendment: UndoneAmendment): Promise<AssignmentDoc> {
  const { question_id, rubric_version, amended_version, kind, text, undo } = amendment
  const rubric = currentRubric(assignment)
  const now = rubric.questions.find(({ id }) => id === question_id)
  if (!now || amended_version === null) throw new AppError('conflict', QUESTION_GONE)
  const inVersion = async (version: number) => {
    const { questions } = (await requireVersion(assignment, version)).rubric
    return questions.find(({ id }) => id === question_id)
  }
  const [before, amended] = [await inVersion(rubric_version), await inVersion(amended_version)]
  if (!before || !amended) throw new AppError('conflict', QUESTION_GONE)
  const isNow = (earlier: Question) => questionFingerprint(earlier) === questionFingerprint(now)
  if (isNow(before)) return assignment
  if (!isNow(amended)) throw new AppError('conflict', changedSince(now.number))
  const { notes: _, ...rest } = now
  const restored: Question = {
    ...rest,
    ...(before.notes === undefined ? {} : { notes: before.notes }),
    criteria: before.criteria,
  }
  const edited = { ...rubric, questions: rubric.questions.map((one) => (one.id === question_id ? restored : one)) }
  const what = kind === 'alternative' ? 'No longer accepted' : 'Clarification taken back'
  const edit = { version: assignment.rubric_version, rubric: edited, note: `${what}: ${text}`.slice(0, 300) }
  return editRubric(assignment, edit, actorOf(undo), undo.at, currentRubricUsage)
}

/**
 * Gives answers the points they had, once the rubric is restored. Those that somebody has decided otherwise since stay. May run twice:
 * nothing is undone twice. Returns the papers that have their earlier points.
 */
export async function undoOnAnswers(
  assignment: AssignmentDoc,
  amendment: UndoneAmendment,
  services: Services,
  signal: AbortSignal,
): Promise<number[]> {
  const { choice, undo, answers, unchanged, changed } = amendment
  const question = requireQuestion(assignment, amendment.question_id)
  const decided = choice
    ? await undoOnce(undo.change_id, choice.change_id, assignment, question, actorOf(undo), undo.at)
    : []
  const from = await versionsThatDifferOnlyIn(question.id, assignment)
  const suggested = await restoreSuggestions(assignment, amendment, new Set(from), services, signal)
  // What was graded before the amendment is right by the rubric as it is again.
  await advanceRubricVersion([...unchanged, ...answers], { from, to: assignment.rubric_version }, undo.at)
  if (suggested.length > 0) await markScoresChanged(assignment._id)
  const ours = new Set(changed.map(({ submission_id }) => submission_id))
  return [...new Set([...decided, ...suggested])].filter((id) => ours.has(id))
}
