import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { checkRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { answerAreaErrors } from '@assay/shared/rules/edited-rubric.ts'
import { rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { openProblems, withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { RubricVersionDoc } from '../../records/assignments/rubric-version.model.ts'
import { storeRubricCheck } from '../assignments/assignment-queries.ts'
import { openStoredRubric, replaceRubric, requireSameVersion, rubricConflict } from './rubric.service.ts'

const RUN_ACTIVE = 'Papers are being graded with this rubric. Save when grading has finished, or stop grading first.'

export async function requireNoActiveRun(assignment: AssignmentDoc, { isGrading }: RubricUsage): Promise<void> {
  if (await isGrading(assignment)) throw new AppError('run_in_progress', RUN_ACTIVE)
}

/** @throws {AppError} `conflict`, `run_in_progress`, `validation_failed` for an answer area outside the blank */
export async function editRubric(
  assignment: AssignmentDoc,
  { version, rubric: edited, note }: BodyOf<typeof saveRubric>,
  actor: Actor,
  now: Date,
  usage: RubricUsage,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, version)
  await requireNoActiveRun(assignment, usage)
  const misplaced = answerAreaErrors(edited, await usage.countPagesRead(assignment.blank.hash))
  if (misplaced.length > 0) {
    const details = misplaced.map(({ path, message }) => ({
      loc: ['body', 'rubric', ...path],
      msg: message,
      type: 'no_such_page',
    }))
    throw new AppError('validation_failed', undefined, { details })
  }
  const rubric: Rubric = withProblemsAfterEdit(assignment.rubric && openStoredRubric(assignment.rubric), edited)
  const put = await replaceRubric(assignment, rubric, { by: 'user', user_id: actor.id, name: null, note, at: now })
  await recordAudit(actor, 'rubric.changed', { assignment_id: assignment._id }, now, {
    before: { version: assignment.rubric_version },
    after: { version: put.rubric_version, note, ...rubricChanges(assignment.rubric, rubric) },
  })
  return put
}

/** @throws {AppError} `conflict` when the rubric has changed */
export async function confirmRubric(
  assignment: AssignmentDoc,
  { version, checked }: BodyOf<typeof checkRubric>,
  actor: Actor,
  now: Date,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, version)
  if (!assignment.rubric) throw notFound('There is no rubric yet. Create one first.')
  const stored = await storeRubricCheck(assignment, checked ? { user_id: actor.id, at: now } : null)
  if (!stored) throw rubricConflict()
  const open_problems = openProblems(openStoredRubric(assignment.rubric)).length
  await recordAudit(actor, checked ? 'rubric.checked' : 'rubric.unchecked', { assignment_id: assignment._id }, now, {
    after: { version, open_problems },
  })
  return stored
}

export async function restoreVersion(
  assignment: AssignmentDoc,
  earlier: RubricVersionDoc,
  madeOn: number,
  actor: Actor,
  now: Date,
  usage: RubricUsage,
): Promise<AssignmentDoc> {
  requireSameVersion(assignment, madeOn)
  await requireNoActiveRun(assignment, usage)
  const note = `Version ${earlier.version} restored`
  const made = { by: 'user' as const, user_id: actor.id, name: null, note, at: now }
  const put = await replaceRubric(assignment, earlier.rubric, made, { looked: false })
  await recordAudit(actor, 'rubric.restored', { assignment_id: assignment._id }, now, {
    before: { version: assignment.rubric_version },
    after: {
      version: put.rubric_version,
      restored: earlier.version,
      ...rubricChanges(assignment.rubric, earlier.rubric),
    },
  })
  return put
}

/** Passed in by features that build on rubrics, so that rubrics import none of them. */
export interface RubricUsage {
  isGrading(assignment: AssignmentDoc): Promise<boolean>
  countGrades(assignmentId: number, versions: number[]): Promise<{ graded: number; outdated: number }>
  countPagesRead(hash: string): Promise<number | null>
}
