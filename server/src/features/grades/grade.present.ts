import type { CriterionGrade, Grade } from '@assay/shared/grades.ts'
import { type CriterionLabel, criterionLabels } from '@assay/shared/rules/criterion-labels.ts'
import { finalPoints } from '@assay/shared/rules/criterion-points.ts'
import type { Submission, SubmissionOrder } from '@assay/shared/submissions.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { findNeighbours } from '../submissions/list/submission-list.ts'
import { presentRows } from '../submissions/submission.present.ts'
import { findCriterionGrades } from './grade.service.ts'

export function presentGrade(
  grade: GradeOfSubmission,
  criteria: CriterionGrade[] | null,
  labels: ReadonlyMap<string, CriterionLabel>,
): Grade {
  return {
    id: grade.id,
    revision: grade.revision,
    overall_score: grade.overall_score,
    manual_score_override: grade.manual_score_override,
    override_from_points: grade.override_from_points ?? false,
    final_score_after_review: grade.manual_score_override ?? grade.overall_score,
    unscored_points: grade.unscored_points ?? 0,
    // Older grades do not store it.
    points: finalPoints(
      criteria ?? [],
      grade.decisions,
      grade.override_from_points ? null : grade.manual_score_override,
    ),
    manual_feedback: grade.manual_feedback,
    needs_review: grade.needs_review,
    review_reasons: grade.review_reasons,
    llm_summary_feedback: grade.summary,
    confidence: grade.confidence,
    criterion_grades_collection: (criteria ?? []).map((criterion) => {
      const teacher_score = grade.decisions?.[criterion.criterion_id]
      const label = labels.get(criterion.criterion_id)
      return {
        ...criterion,
        ...(label ? { label } : {}),
        ...(teacher_score === undefined ? {} : { teacher_score }),
      }
    }),
    grader: { name: grade.grader.name, version: grade.grader.version },
    graded_at: grade.graded_at.toISOString(),
    reviewed_at: grade.reviewed_at?.toISOString() ?? null,
    released: grade.released,
  }
}

/** A submission with its grade, and its neighbours in a list. */
export async function presentSubmission(
  submission: SubmissionDoc,
  assignment: Pick<AssignmentDoc, 'rubric'>,
  order: SubmissionOrder,
): Promise<Submission> {
  const [[row], neighbours, details] = await Promise.all([
    presentRows([submission]),
    findNeighbours(submission, order),
    submission.grade ? findCriterionGrades(submission.grade.id) : null,
  ])
  if (!row) throw new Error('one in, one out')
  const { turned_pages = [] } = submission
  return {
    ...row,
    ...neighbours,
    turned_pages,
    grade: submission.grade
      ? presentGrade(submission.grade, details, criterionLabels(assignment.rubric?.questions))
      : null,
  }
}
