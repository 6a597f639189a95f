import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../submissions/submission.model.ts'
import { GradeDetailsModel, type ReleaseDoc, ReleaseModel } from './grade.model.ts'

const BATCH = 500

/** Copies the grades standing now to where students read them. Run twice, it comes to the same. */
export async function releaseGrades(submissions: SubmissionDoc[], now: Date): Promise<void> {
  const graded = submissions.flatMap((submission) =>
    submission.grade ? [{ submission, grade: submission.grade }] : [],
  )
  for (let i = 0; i < graded.length; i += BATCH) {
    const batch = graded.slice(i, i + BATCH)
    const details = await GradeDetailsModel.find({ _id: { $in: batch.map(({ grade }) => grade.id) } }).lean()
    const criteriaOf = new Map(details.map((detail) => [detail._id, detail.criteria]))
    await ReleaseModel.bulkWrite(
      batch.map(({ submission, grade }) => ({
        replaceOne: {
          filter: { _id: submission._id },
          replacement: releaseOf(submission, grade, criteriaOf.get(grade.id) ?? [], now),
          upsert: true,
        },
      })),
      { ordered: false },
    )
    // Only what was copied is called released: a grade changed meanwhile has another id or another review.
    await SubmissionModel.bulkWrite(
      batch.map(({ submission, grade }) => ({
        updateOne: {
          filter: { _id: submission._id, 'grade.id': grade.id, 'grade.reviewed_at': grade.reviewed_at },
          update: { $set: { 'grade.released': true } },
        },
      })),
      { ordered: false },
    )
  }
}

function releaseOf(
  submission: SubmissionDoc,
  grade: NonNullable<SubmissionDoc['grade']>,
  criteria: ReleaseDoc['criteria'],
  now: Date,
): ReleaseDoc {
  return {
    _id: submission._id,
    assignment_id: submission.assignment_id,
    student_id: submission.student_id,
    final_score: grade.manual_score_override ?? grade.overall_score,
    feedback: grade.manual_feedback ?? grade.summary,
    feedback_by: grade.manual_feedback === null ? 'ai' : 'teacher',
    reviewed_by_teacher: grade.reviewed_at !== null,
    criteria: criteria.map(({ id, criterion_text, score, max_score, llm_feedback }) => ({
      id,
      criterion_text,
      score,
      max_score,
      llm_feedback,
    })),
    released_at: now,
  }
}

/** All grades of the assignment that students do not see as they stand. */
export async function releaseAll(assignment: AssignmentDoc, now: Date): Promise<void> {
  const waiting = await SubmissionModel.find({
    assignment_id: assignment._id,
    'grade.released': false,
  }).lean()
  await releaseGrades(waiting, now)
}

/** Takes back what students saw; publishing again releases what stands then. */
export async function withdrawAll(assignment: AssignmentDoc): Promise<void> {
  await ReleaseModel.deleteMany({ assignment_id: assignment._id })
  await SubmissionModel.updateMany(
    { assignment_id: assignment._id, 'grade.released': true },
    { $set: { 'grade.released': false } },
  )
}

export function releasesOf(studentId: number, assignmentIds: number[]): Promise<ReleaseDoc[]> {
  return ReleaseModel.find({ student_id: studentId, assignment_id: { $in: assignmentIds } })
    .sort({ released_at: -1 })
    .lean()
}
