import { exportGradebook, getGradebook, updateGradebook } from '@assay/shared/gradebook.ts'
import type { GradebookFormat } from '@assay/shared/grades.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPoints } from '@assay/shared/rules/points.ts'
import type { Router } from 'express'
import { invalidField } from '../../lib/http/app-error.ts'
import { type Actor, handle, RawReply } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { assignmentsOfCourse } from '../assignments/assignment.service.ts'
import { canTeach, requireCourseFor, storeGradebookSettings } from '../courses/course.service.ts'
import { DEFAULT_POINTS, gradebookFile } from '../grades/grades-csv.ts'
import { type LoadedGradebook, loadGradebook } from './load-gradebook.ts'

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
    return new RawReply(async (response) => {
      response.type('text/csv; charset=utf-8')
      response.attachment(`course_${course._id}_gradebook${format ? `_${format}` : ''}.csv`)
      response.send(csv)
    })
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
