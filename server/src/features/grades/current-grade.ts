import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { ReviewReasonCode } from '../../grader/grader.ts'
import type { PreviousGrade } from '../../grader/scoring/combine-grade.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import { REVIEW_BUDGET } from './review-after-decisions.ts'

/** To combine with questions that are graded again. */
export function toCurrentGrade(grade: GradeOfSubmission, criteria: CriterionGrade[]): PreviousGrade {
  return {
    criteria: criteria.map(({ id: _, teacher_score: __, llm_performance_level, llm_feedback, ...criterion }) => ({
      ...criterion,
      level: llm_performance_level,
      feedback: llm_feedback,
    })),
    // Every other stored code came from a grader.
    reasons: grade.review_reasons
      .filter(({ code }) => code !== REVIEW_BUDGET)
      .map((reason) => ({ ...reason, code: reason.code as ReviewReasonCode })),
    summary: grade.summary,
  }
}
