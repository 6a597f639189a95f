import { GroupModel } from '../../records/assignments/group.model.ts'
import { PrintModel } from '../../records/assignments/print.model.ts'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import { AnalyticsCacheModel, AnalyticsChangesModel } from '../../records/grading/analytics.model.ts'
import { GradeApprovalModel } from '../../records/grading/grade-approval.model.ts'
import { AnswerProjectionModel } from '../../records/grading/question-answer.model.ts'
import { QuestionChangeModel } from '../../records/grading/question-change.model.ts'
import { RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'
import { RubricAmendmentModel } from '../../records/grading/rubric-amendment.model.ts'
import { SimilarityReportModel } from '../../records/grading/similarity-report.model.ts'

/** With the assignment, or its student work alone. */
export async function deleteWorkRecords(assignment_id: number): Promise<void> {
  await AnalyticsCacheModel.deleteOne({ _id: assignment_id })
  await AnalyticsChangesModel.deleteOne({ _id: `assignment/${assignment_id}` })
  await QuestionChangeModel.deleteMany({ assignment_id })
  await AnswerProjectionModel.deleteOne({ _id: assignment_id })
  await AccuracyCheckModel.deleteMany({ assignment_id })
  await RubricAmendmentModel.deleteMany({ assignment_id })
  await GradeApprovalModel.deleteMany({ assignment_id })
  await GroupModel.deleteMany({ assignment_id })
  await PrintModel.deleteMany({ assignment_id })
  await SimilarityReportModel.deleteOne({ _id: assignment_id })
  await RetainedGradeModel.deleteMany({ assignment_id })
}
