import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { ReviewReasonCode } from '../../grader/grader.ts'
import type { PreviousGrade } from '../../grader/scoring/combine-grade.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

/** A stored grade as the grader once gave it, for questions graded anew to be put in. */
export function toCurrentGrade(grade: GradeOfSubmission, criteria: CriterionGrade[]): PreviousGrade {
  return {
    criteria: criteria.map(({ id: _, teacher_score: __, llm_performance_level, llm_feedback, ...criterion }) => ({
      ...criterion,
      level: llm_performance_level,
      feedback: llm_feedback,
    })),
    // Stored by us, from a grader's.
    reasons: grade.review_reasons.map((reason) => ({ ...reason, code: reason.code as ReviewReasonCode })),
    summary: grade.summary,
  }
}
