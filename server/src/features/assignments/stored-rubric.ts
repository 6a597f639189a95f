import type { RubricProblem } from '@assay/shared/rubrics.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'

type RubricFields = Pick<
  AssignmentDoc,
  'rubric' | 'rubric_version' | 'rubric_made' | 'rubric_check' | 'extraction_version' | 'updated_at'
>

/** Null when the rubric was replaced, or a run began, since the assignment was loaded. */
export function replaceStoredRubric(
  { _id, rubric_version, active_run_id }: AssignmentDoc,
  change: RubricFields,
): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOneAndUpdate(
    { _id, rubric_version, active_run_id: { $in: [active_run_id, null] } },
    { $set: change },
  ).lean()
}

/** Null when the rubric was replaced since the assignment was loaded. */
export function storeRubricCheck(
  { _id, rubric_version }: AssignmentDoc,
  rubric_check: AssignmentDoc['rubric_check'],
): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOneAndUpdate(
    { _id, rubric_version },
    { $set: { rubric_check: rubric_check ?? null } },
  ).lean()
}

/**
 * Of the same version: what is graded does not depend on them. Nothing where the rubric was replaced meanwhile.
 * @param change gets the problems as they are now, which others may have changed since the assignment was loaded
 */
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
