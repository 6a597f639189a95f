import { publishAssignment, setExtension, unpublishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { handInPaper } from '@assay/shared/students.ts'
import { expect, it, vi } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { ReminderModel, reminderKey } from '../../records/assignments/reminder.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildEmptyAssignment } from '../../testing/build-course.ts'
import { readMailsTo } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { queueAnnouncements, queueReminders } from './reminder-job.ts'

/** Far ahead, because the database removes sessions by the real clock. */
const start = Date.UTC(2096, 10, 23, 8)
let now = start
const { api, server } = useTestApi({}, { clock: { now: () => new Date(now) } })
const HOUR = 3_600_000
const due = new Date(start + 30 * HOUR)
const later = new Date(start + 50 * HOUR)

const address = (person: Person) => `${person.username}@school.example`
const dataDir = () => server.running.services.config.dataDir
/** Other mails belong to other tests. */
const mails = async (person: Person) =>
  (await readMailsTo(dataDir(), address(person))).filter(({ subject }) => /^(New|Due)/.test(subject))
const subjects = async (person: Person) => (await mails(person)).map(({ subject }) => subject.replace(/:.*/, ''))

async function buildDue(students = 4) {
  now = start
  const built = await buildEmptyAssignment(api, { students })
  const { teacher, assignmentId, params } = built
  await teacher.send(updateAssignment, { params, body: { due_at: due.toISOString() } })
  const publish = () => teacher.send(publishAssignment, { params })
  await publish()
  await idle()
  return { ...built, teacher, assignmentId, params, publish }
}

/** With an empty queue every mail is in the outbox. */
async function idle() {
  const jobs = AssignmentModel.db.collection('jobs')
  await vi.waitUntil(async () => (await jobs.countDocuments({})) === 0, { timeout: 180_000, interval: 50 })
}

async function look(at: number) {
  now = at
  await queueReminders(server.running.services)
  await idle()
}

it('reminds students without a paper once, a day before their own due date, if they want reminders', async () => {
  const { teacher, students, params, assignmentId } = await buildDue()
  const [ada, ben, cy, dee] = students as [Person, Person, Person, Person]
  await teacher.send(setExtension, { params: { ...params, studentId: ben.id }, body: { due_at: later.toISOString() } })
  const file = { name: 'mine.pdf', bytes: '%PDF-1.7\n' }
  await api.as(cy).send(handInPaper, { params, body: {}, files: { file: [file] } })
  const choices = { email: true, grades: true, courses: true, reminders: false }
  await UserModel.updateOne({ _id: dee.id }, { $set: { notifications: choices } })

  await look(start + 5 * HOUR)
  expect(await ReminderModel.countDocuments({})).toBe(0)
  await look(start + 7 * HOUR)
  const mail = (await mails(ada)).at(-1)
  expect(mail?.subject).toMatch(/^Due soon/)
  expect(mail?.text).toContain('2096-11-24 14:00 UTC')
  expect(mail?.link).toBe(`/student/assignments/${assignmentId}`)
  await look(start + 8 * HOUR)
  expect(await Promise.all([ben, cy, dee].map(subjects))).toEqual([
    ['New assignment'],
    ['New assignment'],
    ['New assignment'],
  ])
  await look(start + 27 * HOUR)
  await look(start + 49 * HOUR)
  expect(await Promise.all([ada, ben, cy, dee].map(subjects))).toEqual([
    ['New assignment', 'Due soon'],
    ['New assignment', 'Due soon'],
    ['New assignment'],
    ['New assignment'],
  ])
  const recorded = (await ReminderModel.find({}).lean()).map(({ _id }) => _id)
  expect(recorded).toEqual([reminderKey(assignmentId, ada.id, due), reminderKey(assignmentId, ben.id, later)])
})

it('does not remind of a draft, or of a date that was taken away', async () => {
  const { teacher, students, params } = await buildDue(1)
  const [ada] = students as [Person]
  await teacher.send(unpublishAssignment, { params })
  await look(start + 10 * HOUR)
  await AssignmentModel.updateOne({ _id: params.assignmentId }, { $set: { status: 'published' } })
  await look(start + 31 * HOUR)
  expect(await subjects(ada)).toEqual(['New assignment'])
})

it('announces a new assignment once, also after a crash before the announcement', async () => {
  const { teacher, students, params, publish, assignmentId } = await buildDue(1)
  const [ada] = students as [Person]
  expect((await mails(ada))[0]?.text).toContain('Due: 2096-11-24 14:00 UTC')
  await teacher.send(unpublishAssignment, { params })
  await publish()
  await publish()
  await look(start)
  expect(await subjects(ada)).toEqual(['New assignment'])
  // As a crash between publishing and queueing leaves it.
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { announcement: 'wanted' } })
  await queueAnnouncements(server.running.services)
  await idle()
  expect(await subjects(ada)).toEqual(['New assignment', 'New assignment'])
})
