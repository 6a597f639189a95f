import { readFile } from 'node:fs/promises'
import { listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudent,
  addStudentsFromCsv,
  getInvitationLimit,
  getRosterJob,
  inviteRoster,
  listRosterJobs,
  previewRosterCsv,
  type RosterPreview,
  removeFromRoster,
  renameRosterStudent,
  resendRosterInvitation,
  stopRosterJob,
} from '@assay/shared/roster.ts'
import { type ColumnMeaning, columnsProblem, MAX_ROSTER_COLUMNS } from '@assay/shared/roster-columns.ts'
import { MAX_SYNC_ROSTER_ROWS } from '@assay/shared/rules/limits.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { visibleText } from '@assay/shared/rules/text.ts'
import type { Router } from 'express'
import { recordAudit, recordAudits } from '../../audit/audit.service.ts'
import { keyByTokenSubject, limitRequests } from '../../cluster/redis/rate-limit.ts'
import { batchesOf } from '../../lib/batches.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterRow } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { MAX_ENROLLMENTS_PER_HOUR } from '../courses/course.routes.ts'
import { canTeach, requireCourseFor } from '../courses/course.service.ts'
import { removeEnrollment } from '../courses/enrollment.service.ts'
import { findEnrollments } from '../courses/enrollment-queries.ts'
import { isNeverInvited } from '../users/account.service.ts'
import { filterUserIds, requireUser, usersById } from '../users/user.service.ts'
import {
  addRosterEntry,
  addRosterRows,
  findRenames,
  ROWS_PER_STEP,
  renameProblems,
  renameStudent,
} from './add-roster-rows.ts'
import { invitationLimitOf, inviteStudents, limitReached, resendInvitation } from './invite-students.ts'
import { findRosterStudent, listRoster, presentImport, presentResults } from './list-roster.ts'
import { guessColumns, normalizeHeading, planOf, recognizeSystem } from './roster-columns.ts'
import { type ParsedRoster, parseRoster, readRosterRows } from './roster-csv.ts'
import { listRosterImports, requireRosterImport, startRosterImport, stopRosterImport } from './roster-import.ts'
import { openRosterTable } from './roster-table.ts'

const notEnrolled = () => notFound('This student is not enrolled in the course.')

const MAX_INVITATIONS_PER_HOUR = 3

export function rosterRoutes(router: Router, services: Services): void {
  const { clock, settings } = services
  router.post(addStudent.path, limitRequests(services, { name: 'added student', limit: MAX_ENROLLMENTS_PER_HOUR }))
  for (const { path } of [addStudentsFromCsv, previewRosterCsv])
    router.post(path, limitRequests(services, { name: `roster ${path}`, limit: settings.limit('limit_upload') }))
  router.post(
    inviteRoster.path,
    limitRequests(services, { name: 'roster invitations', limit: MAX_ENROLLMENTS_PER_HOUR }),
  )
  router.post(
    resendRosterInvitation.path,
    limitRequests(services, { name: 'resent invitations', limit: MAX_ENROLLMENTS_PER_HOUR }),
    limitRequests(services, {
      name: 'resent invitations of one',
      limit: MAX_INVITATIONS_PER_HOUR,
      key: (request) => `${keyByTokenSubject(request)} ${request.params.studentId}`,
    }),
  )

  const openCourse = (courseId: number, actor: Actor) => requireCourseFor(actor, courseId, canTeach, clock.now())

  handle(router, listCourseStudents, async ({ params, query, actor, setTotal }) => {
    const course = await openCourse(params.courseId, actor)
    const { students, total } = await listRoster(course._id, query)
    setTotal(total)
    const known = students.flatMap(({ id, state }) => (state === 'waiting' ? [] : [id]))
    const problems = await renameProblems(course, [...(await usersById(known)).values()], actor)
    const can_rename = true as const
    return students.map((one) => (one.state === 'waiting' || problems.has(one.id) ? one : { ...one, can_rename }))
  })

  handle(router, addStudent, async ({ params, body, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const { outcome, message, renamed } = await addRosterEntry(course, body, actor, services)
    return { success: !!renamed || !['already_enrolled', 'already_pending', 'refused'].includes(outcome), message }
  })

  handle(router, getInvitationLimit, async ({ params, actor }) => {
    await openCourse(params.courseId, actor)
    const [limit, waiting] = await Promise.all([
      invitationLimitOf(actor.id, services),
      findNeverInvited(params.courseId),
    ])
    return { ...limit, not_invited: waiting.length }
  })

  handle(router, inviteRoster, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    return inviteNeverInvited(course, actor, services)
  })

  handle(router, addStudentsFromCsv, async ({ params, actor, receive }) => {
    const course = await openCourse(params.courseId, actor)
    const { files, body } = await receive()
    const { file } = files
    if (!file) throw new AppError('bad_request', 'Please select a CSV file')
    const parsed = await parseRoster(await readFile(file.path), body.columns)
    const mail = body.invite === 'yes'
    const subject = { course_id: course._id, rows: parsed.rows.length }
    await recordAudit(actor, 'roster.uploaded', subject, clock.now())
    if (parsed.rows.length + parsed.rejected.length > MAX_SYNC_ROSTER_ROWS) {
      const doc = await startRosterImport(course, { name: file.name, mail, ...parsed }, actor, services)
      return presentResults(parsed.rejected, { notes: parsed.notes, job_id: doc._id })
    }
    return addAll(course, parsed, mail, actor)
  })

  handle(router, previewRosterCsv, async ({ params, actor, receive }) => {
    const course = await openCourse(params.courseId, actor)
    const { files, body } = await receive()
    if (!files.file) throw new AppError('bad_request', 'Please select a CSV file')
    return previewRoster(await readFile(files.file.path), body.columns, async (rows) => {
      const entries = rows.map(({ entry }) => entry)
      const renames = await findRenames(course, entries, actor)
      return rows.flatMap(({ row, entry }) => {
        const known = renames.get(entry)
        return known && !known.problem ? [{ row, from: nameOf(known.user), to: entry.full_name ?? '' }] : []
      })
    })
  })

  async function addAll(course: CourseDoc, { rows, rejected, notes }: ParsedRoster, mail: boolean, actor: Actor) {
    const results = [...rejected]
    for (const some of batchesOf(rows, ROWS_PER_STEP))
      results.push(...(await addRosterRows(course, some, actor, services, { mail })))
    return presentResults(results, { notes, job_id: null })
  }

  handle(router, listRosterJobs, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const imports = await Promise.all((await listRosterImports(course._id)).map(presentImport))
    return imports.map(({ results: _, ...overview }) => overview)
  })

  handle(router, getRosterJob, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    return presentImport(await requireRosterImport(course._id, params.jobId))
  })

  handle(router, stopRosterJob, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    await stopRosterImport(await requireRosterImport(course._id, params.jobId), actor, services)
    return presentImport(await requireRosterImport(course._id, params.jobId))
  })

  handle(router, removeFromRoster, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const student = await findRosterStudent(course._id, params.studentId)
    if (!student || !(await removeEnrollment(course, student.id))) throw notEnrolled()
    await recordAudit(actor, 'student.removed', { course_id: course._id, user_id: student.id }, clock.now())
    return { success: true, message: `${student.email || nameOf(student)} was removed from the course.` }
  })

  handle(router, renameRosterStudent, async ({ params, body, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const student = await findRosterStudent(course._id, params.studentId)
    if (!student || student.state === 'waiting') throw notEnrolled()
    const user = await requireUser(student.id)
    const problem = (await renameProblems(course, [user], actor)).get(user._id)
    if (problem) return { success: false, message: problem }
    await renameStudent(course, user, body.full_name, actor, clock.now())
    return { success: true, message: `${nameOf(user)} is now called ${body.full_name}.` }
  })

  handle(router, resendRosterInvitation, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const student = await findRosterStudent(course._id, params.studentId)
    if (!student) throw notEnrolled()
    return resendInvitation(course, student, actor, services)
  })
}

async function findNeverInvited(courseId: number): Promise<UserDoc[]> {
  const ids = (await findEnrollments(courseId)).map(({ user_id }) => user_id)
  const waiting = await filterUserIds(ids, { account: 'invited', email: { $ne: '' } })
  const users = await usersById([...waiting])
  return ids.flatMap((id) => users.get(id) ?? []).filter(isNeverInvited)
}

const students = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'student' : 'students'}`

async function inviteNeverInvited(course: CourseDoc, actor: Actor, services: Services) {
  const waiting = await findNeverInvited(course._id)
  let invited = 0
  for (const some of batchesOf(waiting, ROWS_PER_STEP)) {
    const step = some.map(({ email }) => ({ email }))
    const results = await inviteStudents(step, { invitedBy: actor, course }, services)
    const subjects = results.flatMap(({ user, mailed }) =>
      user && mailed ? [{ course_id: course._id, user_id: user._id }] : [],
    )
    await recordAudits(actor, 'student.invited', subjects, services.clock.now())
    invited += subjects.length
    if (results.some(({ outcome }) => outcome === 'over_limit')) break
  }
  const left = waiting.length - invited
  const sent = `${students(invited)} ${invited === 1 ? 'is' : 'are'} sent an invitation now.`
  if (left === 0) {
    return {
      success: true,
      invited,
      message: waiting.length > 0 ? sent : 'Everybody with an email address was invited before.',
    }
  }
  const limit = limitReached(await invitationLimitOf(actor.id, services))
  const why = `${students(left)} ${left === 1 ? 'was' : 'were'} not invited: ${limit}`
  return { success: invited > 0, invited, message: invited > 0 ? `${sent} ${why}` : why }
}

const SAMPLES = 3
const SAMPLE_LENGTH = 60
const FIRST_STUDENTS = 5
const ROWS_SHOWN = 50

const shown = (cell: string) => visibleText(cell).trim().slice(0, SAMPLE_LENGTH)

export async function previewRoster(
  bytes: Buffer,
  given?: readonly ColumnMeaning[],
  findRenamed: (rows: RosterRow[]) => Promise<RosterPreview['renames']> = async () => [],
): Promise<RosterPreview> {
  const table = openRosterTable(bytes)
  const { header, samples } = table
  const guessed = given ?? guessColumns(header, samples)
  const meanings = header.slice(0, MAX_ROSTER_COLUMNS).map((_, i) => guessed[i] ?? 'unused')
  const problem = columnsProblem(meanings)
  const { rows, rejected, notes } = problem
    ? { rows: [], rejected: [], notes: table.notes }
    : await readRosterRows(table, planOf(meanings))
  const renames = await findRenamed(rows)
  return {
    system: recognizeSystem(header, samples),
    columns: meanings.map((meaning, index) => {
      const heading = shown(header[index] ?? '')
      // A system's own export of its users may have passwords in it.
      const secret = /^(?:password|pin|passcode)$/.test(normalizeHeading(heading))
      const cells = secret ? [] : samples.map((row) => shown(row[index] ?? '')).filter((cell) => cell !== '')
      return { index, heading, meaning, samples: cells.slice(0, SAMPLES) }
    }),
    problem: problem ?? (rows.length + rejected.length === 0 ? 'The file has a header row but no students.' : null),
    students: rows.length,
    without_email: rows.filter(({ entry }) => entry.email === null).length,
    first_students: rows
      .slice(0, FIRST_STUDENTS)
      .map(({ row, entry }) => ({
        row,
        full_name: entry.full_name,
        email: entry.email,
        student_number: entry.sis_user_id,
        lms_user_id: entry.external_user_id,
      })),
    renames,
    refused_total: rejected.length,
    refused: rejected.slice(0, ROWS_SHOWN).map(({ row, email, message }) => ({ row, email, message })),
    notes,
  }
}
