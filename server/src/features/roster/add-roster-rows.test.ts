import type { RosterEntry } from '@assay/shared/roster.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'
import { requireCourse } from '../courses/course.service.ts'
import { addRosterRows } from './add-roster-rows.ts'

const { api, server } = useTestApi()
afterEach(() => vi.restoreAllMocks())

let count = 0
const entry = (): RosterEntry => ({
  email: `step-${++count}@cut.example`,
  external_user_id: null,
  sis_user_id: null,
  full_name: null,
})

async function buildStep() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const entries = [entry(), entry(), entry()] as const
  const [, confirmed, unconfirmed] = entries.map(({ email }) => email)
  await buildPerson('student', { email: confirmed })
  await buildPerson('student', { email: unconfirmed, email_verified: false })
  const course = await requireCourse(courseId)
  const actor = { id: instructor.id, role: 'instructor' as const, sessionId: 'test' }
  const rows = entries.map((one, i) => ({ row: i + 2, entry: one }))
  const add = (begunAt: Date | null) => addRosterRows(course, rows, actor, server.running.services, { begunAt })
  return { courseId, add, emails: entries.map(({ email }) => email) }
}

const dies = async () => {
  throw new Error('the process died here')
}

/** Jobs of the server's own timers are queued as ever. */
function failNextInvitation(): void {
  const { jobs } = server.running.services
  const trigger = jobs.trigger.bind(jobs)
  const spy = vi.spyOn(jobs, 'trigger').mockImplementation(async (job, rows) => {
    if (job.name !== 'mail-invitation') return trigger(job, rows)
    spy.mockRestore()
    return dies()
  })
}

const cuts: [string, () => unknown][] = [
  ['its invitations are queued', failNextInvitation],
  ['it is in the audit log', () => vi.spyOn(AuditModel, 'insertMany').mockImplementationOnce(dies)],
  ['its mails are queued', () => vi.spyOn(server.running.services.mail, 'enqueue').mockImplementationOnce(dies)],
  ['anyone is enrolled', () => vi.spyOn(EnrollmentModel, 'bulkWrite').mockImplementationOnce(dies)],
  ['pending enrolments are stored', () => vi.spyOn(PendingEnrollmentModel, 'bulkWrite').mockImplementationOnce(dies)],
]

describe('a roster step that is interrupted', () => {
  it.each(cuts)('before %s loses no audit entry and no mail, and writes none twice', async (_, cut) => {
    const { add, courseId, emails } = await buildStep()
    const begunAt = new Date()
    cut()
    await expect(add(null)).rejects.toThrow('the process died here')
    await add(begunAt)
    await add(begunAt)
    const entries = await AuditModel.find({ 'subject.course_id': courseId, action: /^student\./ }).lean()
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'student.enrolled',
      'student.enrolled',
      'student.place_kept',
    ])
    expect(new Set(entries.map(({ subject }) => subject.user_id)).size).toBe(3)
    expect(await EnrollmentModel.countDocuments({ course_id: courseId })).toBe(2)
    expect(await PendingEnrollmentModel.countDocuments({ course_id: courseId })).toBe(1)
    const { dataDir } = server.running.services.config
    await Promise.all(emails.map((email) => waitForMail(dataDir, email)))
  })
})
