import type { CriterionGrade } from '@assay/shared/grades.ts'
import { describeStep } from '@assay/shared/rules/adjust-score.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { percentOf } from '@assay/shared/rules/points.ts'
import { stringify } from 'csv-stringify/sync'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { type RetainedGradeDoc, RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import type { TextMask } from '../anonymous-grading/hidden-names.ts'
import { hidesNames, submissionLabel } from '../anonymous-grading/present-student.ts'
import { adjustedScoreOf, gradedPoints } from '../assignments/adjusted-score.ts'
import { submissionBatchesToShow } from '../submissions/submission-batches.ts'
import { usersById } from '../users/user.service.ts'

const BATCH = 500

const FORMULA = /(^|[;\t\r\n])(?=[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r|%＝＋－＠])/gu

/** An apostrophe before formulas (OWASP, CSV injection), also behind what other locales take for a separator. */
export function escapeFormulaCell(cell: string | number | null): string | number {
  if (cell === null) return ''
  if (typeof cell === 'number') return cell
  return cell.replace(FORMULA, "$1'")
}

/** Quoted, so that no cell ends early at another locale's separator. */
const toCsv = (rows: (string | number)[][]): string => stringify(rows, { quoted: true, quoted_empty: true })

const columns = [
  'student_identifier',
  'name',
  'email',
  'submitted_at',
  'status',
  'ai_score',
  'override',
  'final_score',
  'letter',
  'needs_review',
  'feedback',
]

/** After the criteria, so that readers by column position are not broken. */
const lastColumns = ['adjusted_score', 'adjustment', 'points', 'adjusted_points', 'max_points']

interface CriterionColumn {
  id: string
  title: string
}

function criterionColumns(assignment: AssignmentDoc): CriterionColumn[] {
  return (assignment.rubric?.questions ?? []).flatMap((question) =>
    question.criteria.map((criterion) => ({
      id: criterion.id,
      title: `${question.number}. ${criterion.text} (of ${criterion.points})`.replace(/\s+/g, ' '),
    })),
  )
}

function statusOf({ status, grade }: SubmissionDoc): string {
  if (status !== 'graded' || !grade) return status
  if (grade.needs_review) return 'flagged'
  if (grade.unscored_points) return 'by_hand'
  return grade.reviewed_at ? 'reviewed' : 'suggested'
}

function buildRow(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  student: Pick<UserDoc, 'full_name' | 'email'> | undefined,
  criteria: CriterionGrade[],
  more: CriterionColumn[],
  mask: TextMask,
): (string | number | null)[] {
  const { grade } = submission
  // Gradebooks take a score as final, so there is none while answers are still to be graded.
  const complete = grade && !grade.unscored_points
  const final = gradedPoints(grade)
  const adjusted = adjustedScoreOf(assignment, submission, final)
  const counts = adjusted?.points ?? final
  const score = counts && percentOf(counts)
  return [
    submissionLabel(assignment, submission),
    student?.full_name ?? null,
    student?.email ?? null,
    submission.created_at.toISOString(),
    statusOf(submission),
    grade?.overall_score ?? null,
    // While answers wait, points for others make no percentage of the paper.
    complete ? grade.manual_score_override : null,
    final && percentOf(final),
    letterGrade(score),
    grade ? (grade.needs_review ? 'yes' : 'no') : null,
    grade ? mask.hide(grade.manual_feedback ?? grade.summary) : null,
    ...more.map(
      ({ id }) => grade?.decisions?.[id] ?? criteria.find((criterion) => criterion.criterion_id === id)?.score ?? null,
    ),
    score,
    adjusted?.steps.map(describeStep).join('; ') ?? null,
    final?.given ?? null,
    counts?.given ?? null,
    counts?.of ?? null,
  ]
}

/** In pieces, so that a long list is sent while it is made. Hides names, addresses and their order where needed. */
export async function* streamGradesCsv(
  assignment: AssignmentDoc,
  { names }: Pick<Services, 'names'>,
): AsyncGenerator<string> {
  const more = criterionColumns(assignment)
  const mask = await names.maskFor(assignment)
  yield `\ufeff${toCsv([[...columns, ...more.map(({ title }) => escapeFormulaCell(title)), ...lastColumns]])}`
  for await (const batch of submissionBatchesToShow(assignment, BATCH)) {
    const students = hidesNames(assignment)
      ? new Map<number, UserDoc>()
      : await usersById(batch.flatMap(({ student_id }) => (student_id === null ? [] : [student_id])))
    const gradeIds = batch.flatMap(({ grade }) => (grade ? [grade.id] : []))
    const details = await GradeDetailsModel.find({ _id: { $in: gradeIds } }).lean()
    const criteriaOf = new Map(details.map((detail) => [detail._id, detail.criteria]))
    yield toCsv(
      batch.map((submission) =>
        buildRow(
          assignment,
          submission,
          students.get(submission.student_id ?? -1),
          criteriaOf.get(submission.grade?.id ?? -1) ?? [],
          more,
          mask,
        ).map(escapeFormulaCell),
      ),
    )
  }
  const retained = await findRetainedGrades(assignment._id)
  if (retained.length > 0) yield toCsv(retained.map((grade) => buildRetainedRow(grade, more.length)))
}

/** A student whose data were erased. */
function buildRetainedRow({ placeholder, final_score }: RetainedGradeDoc, criteria: number): (string | number)[] {
  const cells: Record<string, string | number> = {
    student_identifier: placeholder,
    status: 'deleted',
    final_score,
    letter: letterGrade(final_score),
    adjusted_score: final_score,
  }
  const blanks = Array.from({ length: criteria }, () => '')
  return [
    ...columns.map((column) => cells[column] ?? ''),
    ...blanks,
    ...lastColumns.map((column) => cells[column] ?? ''),
  ]
}

/** Of students whose data were erased. */
export const findRetainedGrades = (assignmentId: number): Promise<RetainedGradeDoc[]> =>
  RetainedGradeModel.find({ assignment_id: assignmentId }).sort({ placeholder: 1, _id: 1 }).lean()
