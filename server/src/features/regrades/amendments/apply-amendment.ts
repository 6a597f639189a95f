import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { applyAmendment } from '@assay/shared/rubric-amendments.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { sumPoints } from '@assay/shared/rules/points.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { abandonedOf, currentProcessId } from '../../../cluster/processes/processes.ts'
import { nextId } from '../../../lib/database/database.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { BackgroundWork } from '../../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  type AmendmentChoice,
  type AmendmentUndo,
  type RubricAmendmentDoc,
  RubricAmendmentModel,
} from '../../../records/grading/rubric-amendment.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import type { AfterDecision } from '../../questions/projection-job.ts'
import { requireQuestion } from '../../questions/question.service.ts'
import { decideOnce, reserveChangeId, undoOnce } from '../../questions/question-changes.ts'
import { editRubric } from '../../rubrics/edit-rubric.ts'
import { outdatedVersions } from '../../rubrics/outdated-grades.ts'
import { requireVersion } from '../../rubrics/rubric.service.ts'
import { currentRubricUsage } from '../../runs/current-rubric-usage.ts'
import { advanceRubricVersion } from '../../submissions/submission-grades.ts'
import { amendedRubric, criterionOf, currentRubric, invalid, requireDraft } from './amendment.service.ts'
import { compareRubrics } from './compare-rubrics.ts'

const RUBRIC_CHANGED =
  'Someone else has changed the rubric since this list was made. Nothing was changed here. Close it and start again.'
const NOT_APPLIED = 'There is nothing to undo: this was not applied. Reload the page to see how far it is.'
const QUESTION_GONE =
  'The rubric no longer has this question, so this cannot be undone. Points can be changed on each paper.'
const changedSince = (number: string) =>
  `Question ${number} of the rubric was changed again after this. Undo the later change first, or change the question on the rubric’s page. Nothing was undone.`

export interface Amendments extends BackgroundWork {
  apply(
    assignment: AssignmentDoc,
    body: BodyOf<typeof applyAmendment>,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<RubricAmendmentDoc>
  undo(assignment: AssignmentDoc, amendment: RubricAmendmentDoc, actor: Actor): Promise<RubricAmendmentDoc>
}

/** Answers not chosen become outdated. The intent is stored first; each step checks whether it is done. */
export function createAmendments(services: Services, afterDecision: AfterDecision): Amendments {
  const { clock, log } = services

  async function apply(
    assignment: AssignmentDoc,
    body: BodyOf<typeof applyAmendment>,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<RubricAmendmentDoc> {
    const left = await take({ regrade_id: body.regrade_id, state: 'applying', process: null })
    if (left) return complete(assignment, left)
    const draft = await requireDraft(assignment, body)
    if (assignment.rubric_version !== body.rubric_version) throw new AppError('conflict', RUBRIC_CHANGED)
    const { points: most } = criterionOf(assignment.rubric, draft.criterion_id).criterion
    const group_points = body.group_points ?? draft.granted
    if (group_points > most) throw invalid('group_points', `At most ${most} points`)
    const { answers, unchanged } = await compareRubrics(assignment, draft, services, signal)
    const seen = new Map(body.answers.map(({ submission_id, decided }) => [submission_id, decided]))
    const now = clock.now()
    const amendment: RubricAmendmentDoc = {
      _id: await nextId('rubric_amendments'),
      assignment_id: assignment._id,
      ...draft,
      rubric_version: assignment.rubric_version,
      state: 'applying',
      process: currentProcessId(),
      answers: answers.map((row) => {
        const decided = seen.get(row.submission_id)
        return decided === undefined ? row : { ...row, decided }
      }),
      unchanged,
      choice: { submission_ids: [...seen.keys()], group_points, ...(await newChange(actor, now)) },
      amended_version: null,
      changed: [],
      skipped: 0,
      created_by: actor.id,
      created_at: now,
      applied_at: null,
    }
    await RubricAmendmentModel.create(amendment)
    return complete(assignment, amendment)
  }

  async function undo(assignment: AssignmentDoc, { _id }: RubricAmendmentDoc, actor: Actor) {
    const begun = { ...(await newChange(actor, clock.now())), restored: [] }
    const left = await take({ _id, state: 'undoing', process: null })
    const undoing = left ?? (await take({ _id, state: 'applied' }, { state: 'undoing', undo: begun }))
    if (undoing) return complete(assignment, undoing)
    const found = await RubricAmendmentModel.findById(_id).lean()
    if (!found || found.state === 'applying') throw new AppError('conflict', NOT_APPLIED)
    return found
  }

  /** From the stored state. @throws {AppError} where it cannot be done; nothing has changed then */
  async function complete(assignment: AssignmentDoc, amendment: RubricAmendmentDoc): Promise<RubricAmendmentDoc> {
    const { _id, state } = amendment
    try {
      const done = await (state === 'applying' ? finishApplying : finishUndoing)(assignment, amendment)
      return { ...amendment, ...(await release(_id, done)) }
    } catch (error) {
      if (!(error instanceof AppError)) await release(_id, {})
      else if (state === 'applying') await RubricAmendmentModel.deleteOne({ _id })
      else await release(_id, { state: 'applied' })
      throw error
    }
  }

  async function finishApplying(
    loaded: AssignmentDoc,
    amendment: RubricAmendmentDoc,
  ): Promise<Partial<RubricAmendmentDoc>> {
    const { choice, question_id } = amendment
    const assignment = await amendRubric(loaded, amendment)
    const changes = await changePoints(assignment, amendment)
    await afterDecision(assignment, question_id, choice.change_id)
    return { ...changes, state: 'applied', amended_version: amendment.rubric_version + 1, applied_at: clock.now() }
  }

  async function finishUndoing(
    loaded: AssignmentDoc,
    amendment: RubricAmendmentDoc,
  ): Promise<Partial<RubricAmendmentDoc>> {
    const { _id, undo, choice, question_id, kind, text, answers, unchanged, changed } = amendment
    if (!undo) throw new Error(`nobody has asked to undo amendment ${_id}`)
    const actor = actorOf(undo)
    const assignment = await restoreRubric(loaded, { ...amendment, undo })
    const question = requireQuestion(assignment, question_id)
    const undone = new Set(await undoOnce(undo.change_id, choice.change_id, assignment, question, actor, undo.at))
    // Grades from before are right again by the restored rubric.
    await advanceGrades(assignment, question_id, [...unchanged, ...answers], undo.at)
    const subject = { assignment_id: assignment._id, amendment_id: _id }
    const before = { kind, text, answers: changed.length }
    await recordAudit(actor, 'amendment.undone', subject, undo.at, { before })
    await afterDecision(assignment, question_id, null)
    const restored = changed.map(({ submission_id }) => submission_id).filter((id) => undone.has(id))
    return { state: 'undone', undo: { ...undo, restored } }
  }

  return {
    jobs: [],
    apply,
    undo,
    async resume() {
      const found = await RubricAmendmentModel.find({ state: { $in: ['applying', 'undoing'] } })
        .sort({ _id: 1 })
        .lean()
      for (const { _id, state, process = null, assignment_id } of await abandonedOf(found, (one) => one.process)) {
        const assignment = await findAssignment(assignment_id)
        const taken = assignment && (await take({ _id, state, process }))
        if (!taken) continue
        await complete(assignment, taken).catch((error: unknown) =>
          log.warn({ err: error, amendment: _id }, 'an interrupted change to a rubric could not be completed'),
        )
      }
    },
  }
}

function take(
  filter: { state: RubricAmendmentDoc['state']; _id?: number; regrade_id?: number; process?: string | null },
  change: Partial<RubricAmendmentDoc> = {},
): Promise<RubricAmendmentDoc | null> {
  const update = { $set: { ...change, process: currentProcessId() } }
  return RubricAmendmentModel.findOneAndUpdate(filter, update).lean()
}

async function release(_id: number, change: Partial<RubricAmendmentDoc>): Promise<Partial<RubricAmendmentDoc>> {
  await RubricAmendmentModel.updateOne({ _id }, { $set: change, $unset: { process: 1 } })
  return change
}

const newChange = async ({ id, role, sessionId }: Actor, at: Date) => ({
  actor: { id, role, session_id: sessionId },
  at,
  change_id: await reserveChangeId(),
})

const actorOf = ({ actor: { id, role, session_id } }: Pick<AmendmentChoice, 'actor'>) =>
  ({ id, role, sessionId: session_id }) as Actor

/** As a new version, once. @throws {AppError} `conflict`, `run_in_progress` */
async function amendRubric(assignment: AssignmentDoc, amendment: RubricAmendmentDoc): Promise<AssignmentDoc> {
  const { rubric_version: madeFor, kind, text, choice } = amendment
  if (assignment.rubric_version === madeFor) {
    const note = `${kind === 'alternative' ? 'Accepted' : 'Clarified'} after a regrade request: ${text}`
    return storeRubric(assignment, amendedRubric(currentRubric(assignment), amendment), note, choice)
  }
  const made = (await requireVersion(assignment, madeFor + 1).catch(() => null))?.made
  if (made?.user_id !== choice.actor.id || made.at.getTime() !== choice.at.getTime())
    throw new AppError('conflict', RUBRIC_CHANGED)
  return assignment
}

const storeRubric = (
  assignment: AssignmentDoc,
  rubric: Rubric,
  note: string,
  by: Pick<AmendmentChoice, 'actor' | 'at'>,
): Promise<AssignmentDoc> => {
  const edit = { version: assignment.rubric_version, rubric, note: note.slice(0, 300) }
  return editRubric(assignment, edit, actorOf(by), by.at, currentRubricUsage)
}

async function changePoints(
  assignment: AssignmentDoc,
  { question_id, criterion_id, answers, unchanged, choice }: RubricAmendmentDoc,
): Promise<Pick<RubricAmendmentDoc, 'changed' | 'skipped'>> {
  const question = requireQuestion(assignment, question_id)
  const ids = new Set(choice.submission_ids)
  const rows = answers
    .filter(({ submission_id, whole_score }) => ids.has(submission_id) && !whole_score)
    .map((row) => ({ ...row, after: row.by === 'group' ? { [criterion_id]: choice.group_points } : row.after }))
  const changes = rows.map(({ submission_id, decided, after }) => ({
    submission_id,
    before: decided,
    after: { ...decided, ...after },
  }))
  const outcome = await decideOnce(choice.change_id, assignment, question, changes, actorOf(choice), choice.at)
  const done = new Set(outcome.changed)
  const changed = rows.filter(({ submission_id }) => done.has(submission_id))
  // People's points stand whatever the rubric says.
  const isComplete = (points: object) => question.criteria.every(({ id }) => id in points)
  const settled = [
    ...unchanged,
    ...answers.filter(({ decided }) => isComplete(decided ?? {})),
    ...changed.filter(({ decided, after }) => isComplete({ ...decided, ...after })),
  ]
  await advanceGrades(assignment, question_id, settled, choice.at)
  return {
    changed: changed.map(({ submission_id, before, after }) => ({
      submission_id,
      before: Object.keys(before).length === 0 ? null : sumOf(before),
      after: sumOf({ ...before, ...after }),
    })),
    skipped: rows.length - changed.length,
  }
}

export const sumOf = (points: Record<string, number>) => sumPoints(Object.values(points))

async function advanceGrades(
  assignment: AssignmentDoc,
  questionId: string,
  grades: { submission_id: number; grade_id: number }[],
  now: Date,
): Promise<void> {
  const outdated = await outdatedVersions(assignment)
  const from = Array.from({ length: assignment.rubric_version }, (_, version) => version).filter((version) => {
    const changes = outdated.get(version)
    return !changes || (changes.removed.length === 0 && changes.changed.every(({ id }) => id === questionId))
  })
  await advanceRubricVersion(grades, { from, to: assignment.rubric_version }, now)
}

/** Keeps later changes to other questions. Idempotent. @throws {AppError} `conflict`, `run_in_progress` */
async function restoreRubric(assignment: AssignmentDoc, amendment: RubricAmendmentDoc & { undo: AmendmentUndo }) {
  const { question_id, rubric_version, amended_version, kind, text, undo } = amendment
  const rubric = currentRubric(assignment)
  const inVersion = async (version: number) =>
    (await requireVersion(assignment, version)).rubric.questions.find(({ id }) => id === question_id)
  const now = rubric.questions.find(({ id }) => id === question_id)
  const before = await inVersion(rubric_version)
  const amended = await inVersion(amended_version ?? rubric_version)
  if (!now || !before || !amended) throw new AppError('conflict', QUESTION_GONE)
  const isNow = (earlier: Question) => questionFingerprint(earlier) === questionFingerprint(now)
  if (isNow(before)) return assignment
  if (!isNow(amended)) throw new AppError('conflict', changedSince(now.number))
  const { notes: _, ...rest } = now
  const notes = before.notes === undefined ? {} : { notes: before.notes }
  const restored: Question = { ...rest, ...notes, criteria: before.criteria }
  const questions = rubric.questions.map((one) => (one.id === question_id ? restored : one))
  const note = `${kind === 'alternative' ? 'No longer accepted' : 'Clarification taken back'}: ${text}`
  return storeRubric(assignment, { ...rubric, questions }, note, undo)
}
