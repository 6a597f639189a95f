import type { ShownName } from '@assay/shared/shown-names.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  type AssignmentNames,
  hidesNames,
  shortSubmissionLabel,
  submissionLabel,
} from '../anonymous-grading/present-student.ts'
import { namesById } from '../users/user.service.ts'

/** One name each: the student's, or that of the upload; “Paper 417” while names are hidden. */
export async function findSubmissionLabels(
  assignment: AssignmentNames,
  ids: number[],
): Promise<Map<number, ShownName>> {
  const fields = { student_id: 1, student_identifier: 1, paper_number: 1, file: 1 } as const
  const submissions = await SubmissionModel.find({ _id: { $in: ids } }, fields).lean()
  if (hidesNames(assignment)) return new Map(submissions.map((one) => [one._id, submissionLabel(assignment, one)]))
  const names = await namesById(submissions.flatMap(({ student_id }) => student_id ?? []))
  return new Map(
    submissions.map((one) => [one._id, shortSubmissionLabel(assignment, one, names.get(one.student_id ?? -1))]),
  )
}
