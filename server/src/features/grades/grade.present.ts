import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

export function presentGrade(grade: GradeOfSubmission, criteria: CriterionGrade[] | null): Grade {
  return {
    id: grade.id,
    revision: grade.revision,
    overall_score: grade.overall_score,
    manual_score_override: grade.manual_score_override,
    override_from_points: grade.override_from_points ?? false,
    final_score_after_review: grade.manual_score_override ?? grade.overall_score,
    manual_feedback: grade.manual_feedback,
    needs_review: grade.needs_review,
    review_reasons: grade.review_reasons,
    llm_summary_feedback: grade.summary,
    confidence: grade.confidence,
    criterion_grades_collection: (criteria ?? []).map((criterion) => {
      const teacher_score = grade.decisions?.[criterion.criterion_id]
      return teacher_score === undefined ? criterion : { ...criterion, teacher_score }
    }),
    grader: { name: grade.grader.name, version: grade.grader.version },
    graded_at: grade.graded_at.toISOString(),
    reviewed_at: grade.reviewed_at?.toISOString() ?? null,
    released: grade.released,
  }
}
