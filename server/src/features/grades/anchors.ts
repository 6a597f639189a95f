import type { Anchor } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findReviewedGrades } from '../submissions/submission-grades.ts'

/** More would not measure better, and would have to travel with every paper. The latest decisions count. */
const MAX_PAPERS = 200

/** Looked at by a teacher who changed nothing: the AI's points are theirs. A score given as a whole says nothing of any criterion. */
const isApprovedUnchanged = ({ reviewed_at, manual_score_override }: GradeOfSubmission) =>
  reviewed_at !== null && manual_score_override === null

type AnchoredAssignment = Pick<AssignmentDoc, '_id' | 'rubric' | 'rubric_version'>

/**
 * A teacher's decisions on the criteria of an assignment's papers: given points, and suggestions that were approved as they were. Only
 * those on questions that are judged today as they were then: five points of five say nothing once there are ten.
 */
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
      const stillAsked = ({ criterion_id }: Anchor) => {
        const question = questionOf.get(criterion_id)
        return question !== undefined && !changed.has(question)
      }
      const points: Anchor[] = isApprovedUnchanged(grade)
        ? (suggested.get(grade.id) ?? []).map(({ criterion_id, score }) => ({
            submission_id,
            criterion_id,
            score,
            approved: true,
          }))
        : Object.entries(grade.decisions ?? {}).map(([criterion_id, score]) => ({
            submission_id,
            criterion_id,
            score,
          }))
      return points.filter(stillAsked)
    })
    .sort((a, b) => a.submission_id - b.submission_id || a.criterion_id.localeCompare(b.criterion_id))
}
