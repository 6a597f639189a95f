import type { MatchedBy } from '@assay/shared/match-reasons.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { outdatedQuestionNumbers } from '../rubrics/outdated-grades.ts'
import { usersById } from '../users/user.service.ts'

/** A row of a list has room for what it is, not for what it means. */
const firstSentence = (message: string | null) => message?.split(/(?<=[.”])\s(?=\p{Lu})/u)[0] ?? null

function matchedBy({ student_id, student_set_by, handed_in_by, match_reason }: SubmissionDoc): MatchedBy | undefined {
  if (student_id === null) return undefined
  if (student_set_by === 'teacher') return 'teacher'
  return handed_in_by === 'student' ? 'hand_in' : match_reason
}

function presentRow(submission: SubmissionDoc, student: UserDoc | undefined, outdated: string[]): SubmissionRow {
  const { grade } = submission
  const matched_by = matchedBy(submission)
  return {
    id: submission._id,
    assignment_id: submission.assignment_id,
    student_identifier: submission.student_identifier,
    student: student ? { id: student._id, username: student.username, full_name: student.full_name } : null,
    ...(matched_by ? { matched_by } : {}),
    file_name: submission.file.name,
    page_count: submission.page_count,
    is_handwritten: submission.file.handwritten,
    status: submission.status,
    failure: submission.failure,
    overall_score: grade?.overall_score ?? null,
    final_score_after_review: grade ? (grade.manual_score_override ?? grade.overall_score) : null,
    manual_score_override: grade?.manual_score_override ?? null,
    unscored_points: grade?.unscored_points ?? 0,
    points: grade?.points ?? null,
    needs_review: grade?.needs_review ?? false,
    review_summary: grade?.needs_review ? firstSentence(grade.review_reasons[0]?.message ?? null) : null,
    reviewed: grade?.reviewed_at != null,
    released: grade?.released ?? false,
    ...(outdated.length > 0 ? { outdated } : {}),
    regrade: submission.regrade ?? null,
    handed_in_by: submission.handed_in_by ?? 'teacher',
    earlier_attempts: submission.attempts?.length ?? 0,
    late: submission.late ?? false,
    created_at: submission.created_at.toISOString(),
  }
}

export async function presentRows(submissions: SubmissionDoc[]): Promise<SubmissionRow[]> {
  const ids = submissions.flatMap(({ student_id }) => (student_id === null ? [] : [student_id]))
  const [students, outdatedOf] = await Promise.all([
    ids.length > 0 ? usersById([...new Set(ids)]) : new Map<number, UserDoc>(),
    outdatedQuestionNumbers(submissions),
  ])
  return submissions.map((submission) =>
    presentRow(submission, students.get(submission.student_id ?? -1), outdatedOf(submission)),
  )
}
