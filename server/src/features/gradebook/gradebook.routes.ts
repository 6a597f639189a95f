import {
  exportGradebook,
  type Gradebook,
  type GradebookCell,
  type GradebookColumn,
  type GradebookRow,
  getGradebook,
  updateGradebook,
} from '@assay/shared/gradebook.ts'
import type { GradebookFormat } from '@assay/shared/grades.ts'
import { courseTotal, type GradebookRules, type GradeInCourse } from '@assay/shared/rules/course-total.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import { exactPercent, formatPoints, type Points, roundPercent } from '@assay/shared/rules/points.ts'
import type { Router } from 'express'
import pLimit from 'p-limit'
import { invalidField } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import { fileToSave } from '../../lib/http/made-file.ts'
import { mean } from '../../lib/numbers.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc, EnrollmentDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { newestReleases } from '../analytics/grade-statistics.ts'
import { hidesNames } from '../anonymity/hidden-names.ts'
import { adjustedScoreOf, gradedPoints } from '../assignments/adjusted-score.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'
import { findAssignmentsWithPoints } from '../assignments/assignment-queries.ts'
import { canTeach, gradebookRulesOf, requireCourseFor, storeGradebookSettings } from '../courses/course.service.ts'
import { findEnrollments } from '../courses/enrollment-queries.ts'
import { DEFAULT_POINTS, gradebookFile, studentNumberOf } from '../grades/grades-csv.ts'
import { releasedScores } from '../grades/release.service.ts'
import { loadGroupmates } from '../submissions/group-members.ts'
import { type ScoredPaper, scoredPapers } from '../submissions/submission-queries.ts'
import { usersById } from '../users/user.service.ts'

export function gradebookRoutes(router: Router, { clock }: Services): void {
  const open = (actor: Actor, courseId: number) => requireCourseFor(actor, courseId, canTeach, clock.now())

  handle(router, getGradebook, async ({ params, actor }) => {
    const { book } = await loadGradebook(await open(actor, params.courseId), clock.now())
    return book
  })

  handle(router, updateGradebook, async ({ params, body, actor }) => {
    const course = await open(actor, params.courseId)
    const own = new Set((await assignmentsOfCourse(course._id, { publishedOnly: false })).map(({ _id }) => _id))
    if (body.assignments?.some(({ assignment_id }) => !own.has(assignment_id)))
      throw invalidField('assignments', 'An assignment is not in this course any more. Reload the page.', 'unknown')
    await storeGradebookSettings(course, body, actor, clock.now())
    return { message: 'Saved.' }
  })

  handle(router, exportGradebook, async ({ params, query: { format }, actor }) => {
    const course = await open(actor, params.courseId)
    const csv = writeGradebook(await loadGradebook(course, clock.now()), format)
    const name = `course_${course._id}_gradebook${format ? `_${format}` : ''}.csv`
    return fileToSave(name, 'text/csv; charset=utf-8', csv)
  })
}

/** Totals only in a file that no LMS imports: an LMS adds up its own. */
function writeGradebook({ book, people }: LoadedGradebook, format: GradebookFormat | undefined): string {
  const shown = book.columns.flatMap((column, i) => (column.names_hidden ? [] : [{ ...column, i }]))
  const columns = shown.map(({ title, max_points }) => ({ title, most: max_points ?? DEFAULT_POINTS }))
  const rows = people.map((person, at) => {
    const { cells = [], total = null } = book.rows[at] ?? {}
    const points = shown.map(({ i }) => cells[i]?.points ?? null)
    return { person, cells: format ? points : [...points, total, letterGrade(total)] }
  })
  if (format) return gradebookFile(format, columns, rows)
  const titles = columns.map(({ title, most }) => `${title} (of ${formatPoints(most)})`)
  return gradebookFile(
    'plain',
    [...titles, 'total', 'letter'].map((title) => ({ title, most: null })),
    rows,
  )
}

interface BookPerson {
  student: UserDoc
  enrollment: EnrollmentDoc
}

interface LoadedGradebook {
  book: Gradebook
  people: BookPerson[]
}

/** Assignments read at once; each holds its papers in memory. */
const AT_ONCE = 4

async function loadGradebook(course: CourseDoc, now: Date): Promise<LoadedGradebook> {
  const rules = gradebookRulesOf(course)
  const [people, newestFirst, withPoints] = await Promise.all([
    peopleOf(course),
    assignmentsOfCourse(course._id, { publishedOnly: false }),
    findAssignmentsWithPoints(course._id),
  ])
  const points = new Map(withPoints.map(({ _id, rubric }) => [_id, rubric ? totalPoints(rubric) : null]))
  const ids = people.map(({ student }) => student._id)
  const columns = await pLimit(AT_ONCE).map(newestFirst.toReversed(), async (assignment) => {
    const of = points.get(assignment._id) ?? null
    return { assignment, of, entries: hidesNames(assignment) ? [] : await entriesOf(assignment, ids, of, now) }
  })
  const rows = people.map((person, i) =>
    presentRow(
      person,
      columns.map(({ assignment, entries }) => ({ assignment_id: assignment._id, ...entries[i] })),
      rules,
    ),
  )
  const book = {
    columns: columns.map(({ assignment, of, entries }) => presentColumn(assignment, of, entries, rules)),
    rows,
    drop_lowest: rules.drop_lowest,
    mean: meanOf(rows.flatMap(({ total }) => total ?? [])),
  }
  return { book, people }
}

async function peopleOf(course: CourseDoc): Promise<BookPerson[]> {
  const enrollments = (await findEnrollments(course._id)).filter(({ test_user }) => !test_user)
  const users = await usersById(enrollments.map(({ user_id }) => user_id))
  return enrollments
    .flatMap((enrollment) => {
      const student = users.get(enrollment.user_id)
      return student ? [{ student, enrollment }] : []
    })
    .sort((a, b) => compareNames(a.student, b.student))
}

interface Entry {
  cell: GradebookCell | null
  released: Points | null
}

async function entriesOf(
  assignment: AssignmentOverview,
  studentIds: number[],
  of: number | null,
  now: Date,
): Promise<Entry[]> {
  const published = assignment.status === 'published'
  const [papers, releases, mates] = await Promise.all([
    scoredPapers(assignment._id),
    published ? releasedScores(assignment._id) : [],
    loadGroupmates(assignment._id),
  ])
  const paperOf = new Map(papers.map((paper) => [paper.student_id, paper]))
  const releaseOf = new Map(newestReleases(releases).map((release) => [release.student_id, release]))
  const isGraded = releases.some(({ points }) => points !== null)
  return studentIds.map((id) => {
    const [paper, release] = [paperOf.get(id), releaseOf.get(id)]
    if (!paper) {
      const missing = published && isMissing(assignment, mates.get(id) ?? [id], isGraded, now)
      return { cell: missing ? { state: 'missing' } : null, released: null }
    }
    const released = release?.points ?? null
    const points = released ?? standingPoints(assignment, paper)
    const waits = release?._id !== paper._id || !paper.grade?.released
    const state = points === null ? 'ungraded' : released === null ? 'unreleased' : waits ? 'newer' : null
    return {
      cell: {
        submission_id: paper._id,
        ...(points ? { points: points.given, ...(points.of === of ? {} : { of: points.of }) } : {}),
        ...(state ? { state } : {}),
        ...(paper.late ? { late: true } : {}),
        ...(paper.partner_ids?.length ? { shared: true } : {}),
      },
      released,
    }
  })
}

function standingPoints(assignment: AssignmentOverview, paper: ScoredPaper): Points | null {
  const graded = gradedPoints(paper.grade)
  return adjustedScoreOf(assignment, paper, graded, paper.student_id)?.points ?? graded
}

/** Without a due date, once others have a grade. */
function isMissing(assignment: AssignmentOverview, whose: number[], isGraded: boolean, now: Date): boolean {
  const { state, due_at } = handInWindowOf(assignment, whose, now)
  return state === 'overdue' || state === 'closed' || (state === 'open' && due_at === null && isGraded)
}

type EntryOfRow = { assignment_id: number } & Partial<Entry>

function presentRow({ student, enrollment }: BookPerson, entries: EntryOfRow[], rules: GradebookRules): GradebookRow {
  const grades = entries.flatMap(({ assignment_id, released }): GradeInCourse[] =>
    released ? [{ assignment_id, points: released }] : [],
  )
  const { percent, dropped } = courseTotal(grades, rules)
  return {
    student_id: student._id,
    username: student.username,
    full_name: student.full_name,
    student_number: studentNumberOf({ student, enrollment }),
    total: percent === null ? null : roundPercent(percent),
    cells: entries.map(({ assignment_id, cell = null }) =>
      cell && dropped.has(assignment_id) ? { ...cell, dropped: true } : cell,
    ),
  }
}

function presentColumn(
  assignment: AssignmentOverview,
  max_points: number | null,
  entries: Entry[],
  rules: GradebookRules,
): GradebookColumn {
  const { _id: assignment_id, title, status, due_at } = assignment
  const named = rules.assignments.find((one) => one.assignment_id === assignment_id)
  return {
    assignment_id,
    title,
    status,
    due_at: due_at?.toISOString() ?? null,
    max_points,
    names_hidden: hidesNames(assignment),
    counts: named?.counts ?? true,
    weight: named?.weight ?? 1,
    mean: meanOf(entries.flatMap(({ released }) => (released && released.of > 0 ? exactPercent(released) : []))),
  }
}

const meanOf = (percents: number[]) => (percents.length === 0 ? null : roundPercent(mean(percents)))
