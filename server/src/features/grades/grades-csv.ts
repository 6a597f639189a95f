import type { CriterionGrade, GradebookFormat } from '@assay/shared/grades.ts'
import { describeStep } from '@assay/shared/rules/adjust-score.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { splitName } from '@assay/shared/rules/person-name.ts'
import { percentOf, roundPoints } from '@assay/shared/rules/points.ts'
import { stringify } from 'csv-stringify/sync'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { EnrollmentDoc } from '../../records/courses/course.model.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { type RetainedGradeDoc, RetainedGradeModel } from '../../records/grading/retained-grade.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { perPerson } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames, type ShowsNames, submissionLabel, type TextMask } from '../anonymity/hidden-names.ts'
import { adjustedScoreOf, gradedPoints } from '../assignments/adjusted-score.ts'
import { findEnrollments } from '../courses/enrollment-queries.ts'
import { findGroups } from '../submissions/group-members.ts'
import { submissionBatchesToShow } from '../submissions/submission-batches.ts'
import { usersById } from '../users/user.service.ts'

const BATCH = 500

type Cell = string | number | null

const FORMULA = /(^|[;\t\r\n])(?=[\s\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r|%＝＋－＠])/gu

/** An apostrophe before formulas (OWASP, CSV injection), also behind what other locales take for a separator. */
export function escapeFormulaCell(cell: Cell): string | number {
  if (cell === null) return ''
  if (typeof cell === 'number') return cell
  return cell.replace(FORMULA, "$1'")
}

/** Quoted, so that no cell ends at another locale's separator. */
const toCsv = (rows: Cell[][]): string =>
  stringify(
    rows.map((cells) => cells.map(escapeFormulaCell)),
    { quoted: true, quoted_empty: true },
  )

const firstLine = (headings: string[]) => `\ufeff${toCsv([headings])}`

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

/** At the end, so that readers by column position are not broken. */
const lastColumns = [
  ...['adjusted_score', 'adjustment', 'points', 'adjusted_points', 'max_points'],
  ...['surname', 'forename', 'student_number', 'late', 'approved'],
]

interface PointsColumn {
  title: string
  criterionIds: string[]
}

const oneLine = (title: string) => title.replace(/\s+/g, ' ')

function pointsColumns({ rubric }: AssignmentDoc): { criteria: PointsColumn[]; questions: PointsColumn[] } {
  const questions = rubric?.questions ?? []
  return {
    criteria: questions.flatMap(({ number, criteria }) =>
      criteria.map(({ id, text, points }) => ({
        title: oneLine(`${number}. ${text} (of ${points})`),
        criterionIds: [id],
      })),
    ),
    questions: questions.map((question) => ({
      title: oneLine(`Question ${question.number} (of ${questionPoints(question)})`),
      criterionIds: question.criteria.map(({ id }) => id),
    })),
  }
}

function statusOf({ status, grade }: SubmissionDoc): string {
  if (status !== 'graded' || !grade) return status
  if (grade.needs_review) return 'flagged'
  if (grade.unscored_points) return 'by_hand'
  return grade.reviewed_at ? 'reviewed' : 'suggested'
}

interface Paper {
  submission: SubmissionDoc
  /** Undefined while names are hidden. */
  student: UserDoc | undefined
  enrollment: EnrollmentDoc | undefined
  criteria: CriterionGrade[]
  group: string | null
  mask: TextMask
}

type CsvPerson = Pick<Paper, 'student' | 'enrollment'>

export const studentNumberOf = ({ student, enrollment }: CsvPerson): string | null =>
  enrollment?.sis_user_id ?? student?.student_number ?? null

function personCells({ student, enrollment }: CsvPerson): Record<string, Cell> {
  const { surname, forename } = splitName(student?.full_name ?? '')
  const lmsId = enrollment?.external_user_id ?? null
  return {
    name: student?.full_name ?? null,
    surname,
    forename,
    student_number: studentNumberOf({ student, enrollment }),
    sortable_name: [surname, forename].filter(Boolean).join(', ') || (student?.username ?? null),
    canvas_id: enrollment?.canvas_user_id ?? null,
    login: lmsId ?? student?.username ?? null,
    username: student?.username ?? null,
    email: student?.email ?? null,
  }
}

function cellsOf(assignment: AssignmentDoc, paper: Paper): Record<string, Cell> {
  const { submission, mask } = paper
  const { grade } = submission
  // Gradebooks take a score as final, so there is none while answers are still to be graded.
  const complete = grade && !grade.unscored_points
  const graded = gradedPoints(grade)
  const adjusted = adjustedScoreOf(assignment, submission, graded, paper.student?._id)
  const counts = adjusted?.points ?? graded
  const score = counts && percentOf(counts)
  return {
    student_identifier: paper.student?.username ?? submissionLabel(assignment, submission),
    ...personCells(paper),
    group: paper.group,
    submitted_at: submission.created_at.toISOString(),
    status: statusOf(submission),
    late: submission.late ? 'yes' : 'no',
    ai_score: grade?.overall_score ?? null,
    // Points for some answers make no percentage of the paper.
    override: complete ? grade.manual_score_override : null,
    final_score: score,
    letter: letterGrade(score),
    approved: grade ? (grade.reviewed_at ? 'yes' : 'no') : null,
    needs_review: grade ? (grade.needs_review ? 'yes' : 'no') : null,
    feedback: grade ? mask.hide(grade.manual_feedback ?? grade.summary) : null,
    adjusted_score: score,
    adjustment: adjusted?.steps.map(describeStep).join('; ') ?? null,
    points: graded?.given ?? null,
    adjusted_points: counts?.given ?? null,
    max_points: counts?.of ?? null,
  }
}

function pointsIn({ criterionIds }: PointsColumn, { submission: { grade }, criteria }: Paper): Cell {
  const points = criterionIds.map(
    (id) => grade?.decisions?.[id] ?? criteria.find(({ criterion_id }) => criterion_id === id)?.score ?? null,
  )
  return points.reduce((sum, one) => (sum === null || one === null ? null : roundPoints(sum + one)), 0)
}

async function* paperBatches(assignment: AssignmentDoc, { names }: Pick<Services, 'names'>): AsyncGenerator<Paper[]> {
  const mask = await names.maskFor(assignment)
  const groups = hidesNames(assignment) ? [] : await findGroups(assignment._id)
  const groupNames = new Map(groups.map(({ _id, name }) => [_id, name]))
  for await (const papers of submissionBatchesToShow(assignment, BATCH)) {
    const batch = hidesNames(assignment) ? papers : perPerson(papers)
    const ids = hidesNames(assignment) ? [] : batch.flatMap(({ student_id }) => student_id ?? [])
    const gradeIds = batch.flatMap(({ grade }) => grade?.id ?? [])
    const [students, enrollments, details] = await Promise.all([
      usersById(ids),
      assignment.course_id === null ? [] : findEnrollments(assignment.course_id, ids),
      GradeDetailsModel.find({ _id: { $in: gradeIds } }).lean(),
    ])
    const enrollmentOf = new Map(enrollments.map((one) => [one.user_id, one]))
    const criteriaOf = new Map(details.map((detail) => [detail._id, detail.criteria]))
    yield batch.map((submission) => ({
      submission,
      student: students.get(submission.student_id ?? -1),
      enrollment: enrollmentOf.get(submission.student_id ?? -1),
      criteria: criteriaOf.get(submission.grade?.id ?? -1) ?? [],
      group: groupNames.get(submission.group_id ?? 0) ?? null,
      mask,
    }))
  }
}

export async function* streamGradesCsv(
  assignment: AssignmentDoc,
  services: Pick<Services, 'names'>,
): AsyncGenerator<string> {
  const { criteria, questions } = pointsColumns(assignment)
  const titlesOf = (more: PointsColumn[]) => more.map(({ title }) => title)
  yield firstLine([...columns, ...titlesOf(criteria), ...lastColumns, ...titlesOf(questions), 'group'])
  for await (const batch of paperBatches(assignment, services))
    yield toCsv(
      batch.map((paper) => {
        const cells = cellsOf(assignment, paper)
        const pointsOf = (more: PointsColumn[]) => more.map((column) => pointsIn(column, paper))
        const of = (names: string[]) => names.map((name) => cells[name] ?? null)
        return [...of(columns), ...pointsOf(criteria), ...of(lastColumns), ...pointsOf(questions), ...of(['group'])]
      }),
    )
  const retained = await findRetainedGrades(assignment._id)
  if (retained.length > 0)
    yield toCsv(retained.map((grade) => buildRetainedRow(grade, criteria.length, questions.length)))
}

/** The headings that each gradebook knows its users by; the points follow. */
const gradebooks: Record<GradebookFormat | 'plain', Record<string, string>> = {
  canvas: {
    Student: 'sortable_name',
    ID: 'canvas_id',
    'SIS User ID': 'student_number',
    'SIS Login ID': 'email',
    Section: '',
  },
  moodle: { 'First name': 'forename', 'Last name': 'surname', 'ID number': 'student_number', 'Email address': 'email' },
  blackboard: { 'Last Name': 'surname', 'First Name': 'forename', Username: 'login', 'Student ID': 'student_number' },
  plain: Object.fromEntries(
    ['username', 'name', 'surname', 'forename', 'student_number', 'email'].map((name) => [name, name]),
  ),
}

export function gradebookFile(
  format: GradebookFormat | 'plain',
  columns: { title: string; most: number | null }[],
  rows: { person: CsvPerson; cells: Cell[] }[],
): string {
  const users = gradebooks[format]
  const names = Object.values(users)
  const titles = columns.map(({ title, most }) =>
    format === 'blackboard' ? `${title} [Total Pts: ${most} Score]` : title,
  )
  // Canvas finds the maximum by these words.
  const possible = ['    Points Possible', ...names.slice(1).map(() => null), ...columns.map(({ most }) => most)]
  const lines = rows.map(({ person, cells }) => {
    const known = personCells(person)
    return [...names.map((name) => known[name] ?? null), ...cells]
  })
  return firstLine([...Object.keys(users), ...titles]) + toCsv(format === 'canvas' ? [possible, ...lines] : lines)
}

export const DEFAULT_POINTS = 100

export async function* streamGradebook(
  assignment: ShowsNames<AssignmentDoc>,
  { format, suggestions }: { format: GradebookFormat; suggestions: boolean },
  services: Pick<Services, 'names'>,
): AsyncGenerator<string> {
  const most = assignment.rubric ? totalPoints(assignment.rubric) : DEFAULT_POINTS
  // A gradebook takes one row a student: the newest paper's.
  const rows = new Map<number, { person: CsvPerson; cells: Cell[] }>()
  for await (const batch of paperBatches(assignment, services))
    for (const paper of batch.filter(({ student }) => student)) {
      const { grade, student_id } = paper.submission
      rows.set(student_id ?? 0, { person: paper, cells: [cellsOf(assignment, paper).adjusted_points ?? null] })
      // An older paper's points do not stand for those left out.
      if (grade && !grade.reviewed_at && !grade.released && !suggestions) rows.delete(student_id ?? 0)
    }
  yield gradebookFile(format, [{ title: assignment.title, most }], [...rows.values()])
}

function buildRetainedRow({ placeholder, final_score }: RetainedGradeDoc, criteria: number, questions: number): Cell[] {
  const cells: Record<string, Cell> = {
    student_identifier: placeholder,
    status: 'deleted',
    final_score,
    letter: letterGrade(final_score),
    adjusted_score: final_score,
  }
  const of = (names: string[]) => names.map((name) => cells[name] ?? null)
  return [...of(columns), ...Array(criteria).fill(null), ...of(lastColumns), ...Array(questions + 1).fill(null)]
}

/** Of students whose data were erased. */
export const findRetainedGrades = (assignmentId: number): Promise<RetainedGradeDoc[]> =>
  RetainedGradeModel.find({ assignment_id: assignmentId }).sort({ placeholder: 1, _id: 1 }).lean()
