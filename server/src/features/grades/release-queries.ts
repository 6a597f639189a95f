import { type ReleaseDoc, ReleaseModel } from '../../records/grading/grade.model.ts'

export async function hasRelease(studentId: number, assignmentId: number): Promise<boolean> {
  return (await ReleaseModel.exists({ assignment_id: assignmentId, student_id: studentId })) !== null
}

/** The scores released in an assignment. */
export function releasedScores(
  assignmentId: number,
): Promise<Pick<ReleaseDoc, '_id' | 'student_id' | 'final_score' | 'released_at'>[]> {
  return ReleaseModel.find({ assignment_id: assignmentId }, { student_id: 1, final_score: 1, released_at: 1 }).lean()
}

/** The criteria of everything released in an assignment. */
export function releasedCriteria(
  assignmentId: number,
): Promise<Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at' | 'criteria'>[]> {
  return ReleaseModel.find({ assignment_id: assignmentId }, { student_id: 1, released_at: 1, criteria: 1 }).lean()
}

export function releasedScoresOfStudents(
  studentIds: number[],
  assignmentIds: number[],
): Promise<Pick<ReleaseDoc, '_id' | 'student_id' | 'assignment_id' | 'final_score' | 'released_at'>[]> {
  return ReleaseModel.find(
    { student_id: { $in: studentIds }, assignment_id: { $in: assignmentIds } },
    { student_id: 1, assignment_id: 1, final_score: 1, released_at: 1 },
  ).lean()
}

export function releasesWithoutCriteria(assignmentId: number): Promise<Omit<ReleaseDoc, 'criteria'>[]> {
  return ReleaseModel.find({ assignment_id: assignmentId }, { criteria: 0 }).lean()
}

/** Whether exactly this revision is released to this student. */
export async function isRevisionReleased(
  release: Pick<ReleaseDoc, '_id' | 'student_id' | 'revision'>,
): Promise<boolean> {
  return (await ReleaseModel.exists(release)) !== null
}
