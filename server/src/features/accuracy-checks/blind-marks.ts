import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'

/** What a paper's answers got in the accuracy checks of its assignment, the oldest check first. */
export async function blindMarksOf({
  _id,
  assignment_id,
}: Pick<SubmissionDoc, '_id' | 'assignment_id'>): Promise<GradeHistory['blind_marks']> {
  const checks = await AccuracyCheckModel.find({ assignment_id }).sort({ _id: 1 }).lean()
  return checks.flatMap(({ _id: check_id, started_at, answers }) =>
    answers.flatMap(({ submission_id, question_id, points }) =>
      submission_id === _id && points ? [{ check_id, started_at: started_at.toISOString(), question_id, points }] : [],
    ),
  )
}
