import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'

/** Compares every paper a student handed in with the current dates: more time removes a late mark. */
export async function recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void> {
  const own = { assignment_id: assignment._id, handed_in_by: 'student' as const }
  const filter = studentId === undefined ? own : { ...own, student_id: studentId }
  const papers = await SubmissionModel.find(filter, { student_id: 1, created_at: 1, late: 1 }).lean()
  const wrong = papers.filter((paper) => (paper.late ?? false) !== isLate(paper))
  for (const late of [true, false]) {
    const ids = wrong.filter((paper) => isLate(paper) === late).map(({ _id }) => _id)
    if (ids.length > 0) await SubmissionModel.updateMany({ _id: { $in: ids } }, { $set: { late } })
  }

  function isLate({ student_id, created_at }: { student_id: number | null; created_at: Date }): boolean {
    return handInWindowOf(assignment, student_id, created_at).late
  }
}
