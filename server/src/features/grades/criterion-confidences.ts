import type { CriterionGrade } from '@assay/shared/grades.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'

type CriterionConfidence = Pick<CriterionGrade, 'criterion_id' | 'score' | 'confidence'>

export async function findCriterionConfidences(gradeIds: number[]): Promise<Map<number, CriterionConfidence[]>> {
  const fields = { 'criteria.criterion_id': 1, 'criteria.score': 1, 'criteria.confidence': 1 } as const
  const details = await GradeDetailsModel.find({ _id: { $in: gradeIds } }, fields).lean<
    { _id: number; criteria: CriterionConfidence[] }[]
  >()
  return new Map(details.map(({ _id, criteria }) => [_id, criteria]))
}
