import type { RubricProblem } from '@assay/shared/rubrics.ts'
import type { PointsOnly } from '@assay/shared/rules/edited-rubric.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type AssignmentOverview,
} from '../../records/assignments/assignment.model.ts'
import type { AssignmentNames } from '../anonymity/hidden-names.ts'

/** Only its points, as a rubric is larger than all the rest. */
const withPoints = {
  title: 1,
  status: 1,
  available_at: 1,
  due_at: 1,
  closes_at: 1,
  late_rule: 1,
  created_at: 1,
  'rubric.questions.bonus': 1,
  'rubric.questions.criteria.points': 1,
} as const

export type AssignmentWithPoints = Pick<
  AssignmentDoc,
  '_id' | 'title' | 'status' | 'available_at' | 'due_at' | 'closes_at' | 'late_rule' | 'created_at'
> & { rubric?: PointsOnly | null }

export function findAssignmentsWithPoints(courseId: number, ids?: number[]): Promise<AssignmentWithPoints[]> {
  const named = ids ? { _id: { $in: ids } } : {}
  return AssignmentModel.find({ course_id: courseId, ...named }, withPoints)
    .sort({ created_at: -1, _id: -1 })
    .lean<AssignmentWithPoints[]>()
}

export const findTitleAndRubric = (id: number): Promise<Pick<AssignmentDoc, '_id' | 'title' | 'rubric'> | null> =>
  AssignmentModel.findById(id, { title: 1, rubric: 1 }).lean()

export const findAssignmentCourse = (id: number): Promise<Pick<AssignmentDoc, '_id' | 'course_id'> | null> =>
  AssignmentModel.findById(id, { course_id: 1 }).lean()

export async function assignmentNamesById(ids: number[]): Promise<Map<number, AssignmentNames>> {
  const found = await AssignmentModel.find({ _id: { $in: ids } }, { course_id: 1, anonymous: 1 }).lean()
  return new Map(found.map((assignment) => [assignment._id, assignment]))
}

export const idsOfAssignmentsHidingNames = async (): Promise<number[]> =>
  (await AssignmentModel.find({ 'anonymous.names_hidden': true }, { _id: 1 }).lean()).map(({ _id }) => _id)

export const findAssignmentOverview = (id: number): Promise<AssignmentOverview | null> =>
  AssignmentModel.findById(id, { rubric: 0 }).lean()

export const isPublished = async (id: number): Promise<boolean> =>
  (await AssignmentModel.exists({ _id: id, status: 'published' })) !== null

export async function reassignAssignments(from: number, to: number): Promise<void> {
  await AssignmentModel.updateMany({ created_by: from }, { $set: { created_by: to } })
}

export async function reassignExtensions(course_id: number, from: number, to: number): Promise<void> {
  const given = await AssignmentModel.find({ course_id, 'extensions.student_id': from }, { extensions: 1 }).lean()
  for (const { _id, extensions = [] } of given) {
    // The other account's own extension is the one that counts.
    if (extensions.some(({ student_id }) => student_id === to)) continue
    await AssignmentModel.updateOne({ _id, 'extensions.student_id': from }, { $set: { 'extensions.$.student_id': to } })
  }
}

type RubricFields = Pick<
  AssignmentDoc,
  'rubric' | 'rubric_version' | 'rubric_made' | 'rubric_check' | 'extraction_version' | 'updated_at'
>

/** Null when the rubric was replaced, or a run began, since loading. */
export function replaceStoredRubric(
  { _id, rubric_version, active_run_id }: AssignmentDoc,
  change: RubricFields,
): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOneAndUpdate(
    { _id, rubric_version, active_run_id: { $in: [active_run_id, null] } },
    { $set: change },
  ).lean()
}

export function storeRubricCheck(
  { _id, rubric_version }: AssignmentDoc,
  rubric_check: AssignmentDoc['rubric_check'],
): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOneAndUpdate(
    { _id, rubric_version },
    { $set: { rubric_check: rubric_check ?? null } },
  ).lean()
}

/** Keeps the version, as grading does not depend on problems. Nothing where the rubric was replaced meanwhile. */
export async function changeRubricProblems(
  { _id, rubric_version }: Pick<AssignmentDoc, '_id' | 'rubric_version'>,
  change: (problems: readonly RubricProblem[]) => RubricProblem[],
): Promise<void> {
  const now = await AssignmentModel.findOne({ _id, rubric_version }, { rubric: 1 }).lean()
  if (!now?.rubric) return
  const problems = change(now.rubric.problems)
  await AssignmentModel.updateOne({ _id, rubric_version }, { $set: { 'rubric.problems': problems } })
}

export function assignmentsWithReplacedRubric(ids: number[]): Promise<Pick<AssignmentDoc, '_id' | 'rubric_version'>[]> {
  return AssignmentModel.find({ _id: { $in: ids }, rubric_version: { $gt: 1 } }, { rubric_version: 1 }).lean()
}

/** False if another run has locked it, or its student work is being deleted or gone. */
export async function lockForRun(assignment: AssignmentDoc, runId: number): Promise<boolean> {
  const locked = await AssignmentModel.updateOne(
    {
      _id: assignment._id,
      active_run_id: { $in: [assignment.active_run_id, null] },
      'retention_notice.deleting': { $exists: false },
    },
    { $set: { active_run_id: runId } },
  )
  return locked.modifiedCount > 0
}

export async function unlockFromRun(assignmentId: number, runId: number): Promise<void> {
  await AssignmentModel.updateOne({ _id: assignmentId, active_run_id: runId }, { $set: { active_run_id: null } })
}

export const isLockedByRun = async (assignmentId: number, runId: number): Promise<boolean> =>
  (await AssignmentModel.exists({ _id: assignmentId, active_run_id: runId })) !== null
