import type { ReviewReason } from '@assay/shared/grades.ts'
import type { MatchedBy } from '@assay/shared/match-reasons.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { ShownName } from '@assay/shared/users.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { saidHandIn } from '../../records/submissions/hand-in-time.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import { type SubmissionDoc, SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import {
  type AssignmentNames,
  hidesNames,
  shortSubmissionLabel,
  shownFileName,
  shownPartners,
  shownStudent,
  submissionLabel,
  type TextMask,
} from '../anonymity/hidden-names.ts'
import { adjustedScoreOf, gradedPoints, type ScoringAssignment } from '../assignments/adjusted-score.ts'
import { outdatedQuestionNumbers } from '../rubrics/outdated-grades.ts'
import { namesById, usersById } from '../users/user.service.ts'
import { presentProblem } from './paper-problems.ts'

/** A list row has room for no more. */
const firstSentence = (message: string | null) => message?.split(/(?<=[.”])\s(?=\p{Lu})/u)[0] ?? null

function matchedBy({ student_id, student_set_by, handed_in_by, match_reason }: SubmissionDoc): MatchedBy | undefined {
  if (student_id === null) return undefined
  if (student_set_by === 'teacher') return 'teacher'
  return handed_in_by === 'student' ? 'hand_in' : match_reason
}

const summaryOf = (reason: ReviewReason | undefined, mask: TextMask) =>
  reason ? firstSentence(mask.hide(reason.message)) : null

function presentRow(
  assignment: AssignmentNames & ScoringAssignment,
  submission: SubmissionDoc,
  [student, ...partners]: UserDoc[],
  outdated: string[],
  mask: TextMask,
): SubmissionRow {
  const { grade } = submission
  const open = (submission.problems ?? []).filter(({ decided }) => !decided)
  const matched_by = matchedBy(submission)
  const adjusted = adjustedScoreOf(assignment, submission, gradedPoints(grade))
  return {
    id: submission._id,
    assignment_id: submission.assignment_id,
    student_identifier: submissionLabel(assignment, submission),
    student: shownStudent(assignment, student),
    ...shownPartners(assignment, partners),
    ...(matched_by ? { matched_by } : {}),
    file_name: shownFileName(assignment, submission),
    ...(hidesNames(assignment) ? { names_hidden: true as const } : {}),
    page_count: submission.page_count,
    is_handwritten: submission.file.handwritten,
    status: submission.status,
    failure: submission.failure && { ...submission.failure, message: mask.hide(submission.failure.message) },
    ...(open.length > 0 ? { problems: open.map(presentProblem) } : {}),
    ...(submission.held ? { held: true as const } : {}),
    grade: grade && { id: grade.id, revision: grade.revision },
    overall_score: grade?.overall_score ?? null,
    final_score_after_review: grade ? (grade.manual_score_override ?? grade.overall_score) : null,
    manual_score_override: grade?.manual_score_override ?? null,
    unscored_points: grade?.unscored_points ?? 0,
    points: grade?.points ?? null,
    needs_review: grade?.needs_review ?? false,
    review_summary: grade?.needs_review ? summaryOf(grade.review_reasons[0], mask) : null,
    reviewed: grade?.reviewed_at != null,
    released: grade?.released ?? false,
    ...(outdated.length > 0 ? { outdated } : {}),
    regrade: submission.regrade ?? null,
    handed_in_by: submission.handed_in_by ?? 'teacher',
    ...saidHandIn(submission),
    earlier_attempts: submission.attempts?.length ?? 0,
    late: submission.late ?? false,
    ...(adjusted ? { adjusted } : {}),
    ...(submission.late_waived ? { late_waived: true as const } : {}),
    created_at: submission.created_at.toISOString(),
  }
}

export async function presentRows(
  assignment: AssignmentNames & ScoringAssignment,
  submissions: SubmissionDoc[],
  { names }: Pick<Services, 'names'>,
): Promise<SubmissionRow[]> {
  const ids = submissions.flatMap(peopleOf)
  const [students, outdatedOf, mask] = await Promise.all([
    ids.length > 0 ? usersById([...new Set(ids)]) : new Map<number, UserDoc>(),
    outdatedQuestionNumbers(submissions),
    names.maskFor(assignment),
  ])
  return submissions.map((submission) =>
    presentRow(
      assignment,
      submission,
      peopleOf(submission).flatMap((id) => students.get(id) ?? []),
      outdatedOf(submission),
      mask,
    ),
  )
}

export async function findSubmissionLabels(
  assignment: AssignmentNames,
  ids: number[],
): Promise<Map<number, ShownName>> {
  const fields = { student_id: 1, partner_ids: 1, student_identifier: 1, paper_number: 1, file: 1 } as const
  const submissions = await SubmissionModel.find({ _id: { $in: ids } }, fields).lean()
  if (hidesNames(assignment)) return new Map(submissions.map((one) => [one._id, submissionLabel(assignment, one)]))
  const names = await namesById(submissions.flatMap(peopleOf))
  return new Map(
    submissions.map((one) => {
      const known = peopleOf(one).flatMap((id) => names.get(id) ?? [])
      return [one._id, shortSubmissionLabel(assignment, one, known.length > 0 ? known.join(', ') : undefined)]
    }),
  )
}
