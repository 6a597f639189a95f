import { type RetainedGradeDoc, RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'

/** Released scores of students whose data were erased. */
export const findRetainedGrades = (assignmentId: number): Promise<RetainedGradeDoc[]> =>
  RetainedGradeModel.find({ assignment_id: assignmentId }).sort({ placeholder: 1, _id: 1 }).lean()
