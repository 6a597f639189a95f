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

export function assignmentsWithReplacedRubric(ids: number[]): Promise<Pick<AssignmentDoc, '_id' | 'rubric_version'>[]> {
  return AssignmentModel.find({ _id: { $in: ids }, rubric_version: { $gt: 1 } }, { rubric_version: 1 }).lean()
}
