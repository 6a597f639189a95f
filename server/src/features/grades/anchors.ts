import type { Anchor } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findReviewedGrades } from '../submissions/submission-grades.ts'

/** The latest decisions. More would not calibrate better, and are sent along with every paper. */
const MAX_PAPERS = 200

/** A teacher approved the AI's points. A score for the whole paper says nothing about its criteria. */
const isApprovedUnchanged = ({ reviewed_at, manual_score_override }: GradeOfSubmission) =>
  reviewed_at !== null && manual_score_override === null

type AnchoredAssignment = Pick<AssignmentDoc, '_id' | 'rubric' | 'rubric_version'>

/** Given or approved points, without changed questions: 5 points of 5 mean nothing once there are 10. */
export async function findAnchors(assignment: AnchoredAssignment): Promise<Anchor[]> {
  const { rubric } = assignment
  const reviewed = await findReviewedGrades(assignment._id, MAX_PAPERS)
  const approved = reviewed.flatMap(({ grade }) => (grade && isApprovedUnchanged(grade) ? [grade.id] : []))
  const details = await GradeDetailsModel.find({ _id: { $in: approved } }).lean()
  const suggested = new Map(details.map(({ _id, criteria }) => [_id, criteria]))
  const questionOf = new Map(
    rubric?.questions.flatMap(({ id, criteria }) => criteria.map((criterion) => [criterion.id, id])),
  )
  const outdated = await outdatedVersions(assignment)
  return reviewed
    .flatMap(({ _id: submission_id, grade }): Anchor[] => {
      if (!grade) return []
      const changed = new Set(outdated.get(grade.rubric_version)?.changed.map(({ id }) => id))
      const unchangedSince = ({ criterion_id }: Anchor) => {
        const question = questionOf.get(criterion_id)
        return question !== undefined && !changed.has(question)
      }
      const points: Anchor[] = isApprovedUnchanged(grade)
        ? (suggested.get(grade.id) ?? []).flatMap(({ criterion_id, score }) =>
            score === null ? [] : [{ submission_id, criterion_id, score, approved: true as const }],
          )
        : Object.entries(grade.decisions ?? {}).map(([criterion_id, score]) => ({
            submission_id,
            criterion_id,
            score,
          }))
      return points.filter(unchangedSince)
    })
    .sort((a, b) => a.submission_id - b.submission_id || a.criterion_id.localeCompare(b.criterion_id))
}
