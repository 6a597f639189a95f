import { readFile } from 'node:fs/promises'
import { listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudent,
  addStudentsFromCsv,
  getRosterJob,
  inviteAgain,
  listRosterJobs,
  removeFromRoster,
  stopRosterJob,
} from '@assay/shared/roster.ts'
import { ROSTER_ROWS_AT_ONCE } from '@assay/shared/rules/limits.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { type Actor, handle } from '../../lib/handle.ts'
import { byClaimedUser, limitCalls } from '../../lib/rate-limit.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { canTeach } from '../courses/course.policy.ts'
import { ENROLMENTS_AN_HOUR } from '../courses/course.routes.ts'
import { requireCourse } from '../courses/course.service.ts'
import { removeEnrollment } from '../courses/enrollment.service.ts'
import { courseOpened } from '../courses/opened-by-admin.ts'
import { requireUser } from '../users/user.service.ts'
import { addOne, addRows, ROWS_A_STEP } from './add-rows.ts'
import { mailAgain } from './invite-again.ts'
import { findOnRoster, listRoster } from './list-roster.ts'
import { presentImport, presentResults } from './roster.present.ts'
import { type ParsedRoster, parseRoster } from './roster-csv.ts'
import { importsOf, requireImport, startImport, stopImport } from './roster-import.ts'

/** How often one student's mailbox may be reminded. */
const INVITATIONS_AN_HOUR = 3

export function rosterRoutes(services: Services): Router {
  const { clock, settings } = services
  const router = Router()
  router.post(addStudent.path, limitCalls({ minutes: 60, limit: ENROLMENTS_AN_HOUR, key: byClaimedUser }))
  router.post(
    addStudentsFromCsv.path,
    limitCalls({ minutes: 60, limit: settings.limit('limit_upload'), key: byClaimedUser }),
  )
  router.post(
    inviteAgain.path,
    limitCalls({ minutes: 60, limit: ENROLMENTS_AN_HOUR, key: byClaimedUser }),
    limitCalls({
      minutes: 60,
      limit: INVITATIONS_AN_HOUR,
      key: (request) => `${byClaimedUser(request)} ${request.params.studentId}`,
    }),
  )

  async function openCourse(courseId: number, actor: Actor): Promise<CourseDoc> {
    const course = await requireCourse(courseId)
    allow(canTeach(actor, course))
    await courseOpened(actor, course, clock.now())
    return course
  }

  handle(router, listCourseStudents, async ({ params, query, actor, setTotal }) => {
    const course = await openCourse(params.courseId, actor)
    const { students, total } = await listRoster(course._id, query)
    setTotal(total)
    return students
  })

  handle(router, addStudent, async ({ params, body, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const { outcome, message } = await addOne(course, body, actor, services)
    return { success: !['known', 'kept', 'refused'].includes(outcome), message }
  })

  handle(router, addStudentsFromCsv, async ({ params, actor, receive }) => {
    const course = await openCourse(params.courseId, actor)
    const { file } = (await receive()).files
    if (!file) throw new AppError('bad_request', 'Please select a CSV file')
    const parsed = await parseRoster(await readFile(file.path))
    const subject = { course_id: course._id, rows: parsed.rows.length }
    await recordAudit(actor, 'roster.uploaded', subject, clock.now())
    if (parsed.rows.length + parsed.refused.length > ROSTER_ROWS_AT_ONCE) {
      const doc = await startImport(course, file.name, parsed, actor, services)
      return presentResults(parsed.refused, { notes: parsed.notes, job_id: doc._id })
    }
    return addAll(course, parsed, actor)
  })

  async function addAll(course: CourseDoc, { rows, refused, notes }: ParsedRoster, actor: Actor) {
    const results = [...refused]
    for (let i = 0; i < rows.length; i += ROWS_A_STEP) {
      results.push(...(await addRows(course, rows.slice(i, i + ROWS_A_STEP), actor, services)))
    }
    return presentResults(results, { notes, job_id: null })
  }

  handle(router, listRosterJobs, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const imports = await Promise.all((await importsOf(course._id)).map(presentImport))
    return imports.map(({ results: _, ...overview }) => overview)
  })

  handle(router, getRosterJob, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    return presentImport(await requireImport(course._id, params.jobId))
  })

  handle(router, stopRosterJob, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    await stopImport(await requireImport(course._id, params.jobId), actor, services)
    return presentImport(await requireImport(course._id, params.jobId))
  })

  handle(router, removeFromRoster, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const user = await requireUser(params.studentId)
    if (!(await removeEnrollment(course, user))) throw notFound('This student is not enrolled in the course.')
    await recordAudit(actor, 'student.removed', { course_id: course._id, user_id: user._id }, clock.now())
    return { success: true, message: `${user.email || user.username} was removed from the course.` }
  })

  handle(router, inviteAgain, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const student = await findOnRoster(course._id, params.studentId)
    if (!student) throw notFound('This student is not enrolled in the course.')
    return mailAgain(course, student, actor, services)
  })

  return router
}
