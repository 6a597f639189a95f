import { createCourse } from '@assay/shared/courses.ts'
import { addStudent, addStudentsFromCsv, getInvitationLimit } from '@assay/shared/roster.ts'
import { changeSystemSettings } from '@assay/shared/settings.ts'
import mongoose from 'mongoose'
import { describe, expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { startMailServer, waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'
import { requireCourse } from '../courses/course.service.ts'
import { usernameFromEmail } from '../users/account.service.ts'
import { createUser } from '../users/user.service.ts'
import { inviteStudent } from './invite-students.ts'

const { api, server } = useTestApi()

async function world() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const course = await requireCourse(courseId)
  const invite = async (email: string, full_name?: string) => {
    const invited = await inviteStudent({ email, full_name, invitedBy: instructor, course }, server.running.services)
    if (invited.outcome === 'over_limit') throw new Error('nobody was invited')
    return invited
  }
  return { course, invite, dataDir: server.running.services.config.dataDir }
}

describe('inviting by address', () => {
  it('creates an account nobody can sign in to, and mails its owner a link that is stored only as a hash', async () => {
    const { invite, course, dataDir } = await world()
    const { user, outcome } = await invite('new.student@school.example', 'New Student')
    expect(outcome).toBe('created')
    expect(user).toMatchObject({ account: 'invited', role: 'student', full_name: 'New Student', password_hash: null })
    expect(user.username).toBe('new.student')
    const mail = await waitForMail(dataDir, 'new.student@school.example')
    expect(mail.subject).toContain(course.name)
    expect(mail.link).toMatch(/^\/auth\/accept-invitation\?token=[\w-]{43}$/)
    const storedLinks = await mongoose.connection.collection('mailed_links').find({}).toArray()
    const queued = await mongoose.connection.collection('jobs').find({}).toArray()
    expect(JSON.stringify([storedLinks, queued])).not.toContain(mail.token)
  })

  it('finds the same account in any case, and creates one for two simultaneous invitations', async () => {
    const { invite } = await world()
    const first = await invite('Twice@School.example')
    const again = await invite('twice@school.example')
    expect(again.outcome).toBe('invited')
    expect(again.user._id).toBe(first.user._id)
    const both = await Promise.all([invite('same@school.example'), invite('same@school.example')])
    expect(both[0].user._id).toBe(both[1].user._id)
    expect(await UserModel.countDocuments({ email_key: 'same@school.example' })).toBe(1)
  })

  it('gives the second of two addresses with the same local part another username', async () => {
    const { invite } = await world()
    const names = [await invite('kim@one.example'), await invite('kim@two.example')].map((it) => it.user.username)
    expect(names).toEqual(['kim', 'kim2'])
  })

  it('tells a confirmed student, an unconfirmed one and a teacher apart', async () => {
    const { invite, course, dataDir } = await world()
    await buildPerson('student', { username: 'sure', email: 'sure@school.example' })
    await buildPerson('instructor', { username: 'prof', email: 'prof@school.example' })
    const claimed = { username: 'sly', email: 'ada@school.example', role: 'student' as const, password_hash: 'x' }
    await createUser(claimed, new Date())
    expect((await invite('sure@school.example')).outcome).toBe('enrolled_account')
    expect((await invite('prof@school.example')).outcome).toBe('not_a_student')
    expect((await invite('ada@school.example')).outcome).toBe('unconfirmed')
    const mail = await waitForMail(dataDir, 'ada@school.example')
    expect(mail.link).toMatch(/^\/auth\/confirm-email\?token=/)
    expect(mail.text).toContain(course.name)
    expect(mail.text).toContain('sly')
  })
})

it.each([
  ['ada.m+papers@school.example', 'ada.m'],
  ['a@school.example', 'a-student'],
  ['_x_@school.example', 'x-student'],
  ["o'neil@school.example", 'o-neil'],
])('makes a username of %s', (email, name) => {
  expect(usernameFromEmail(email)).toBe(name)
})

it('leaves no link or address of a course’s or a teacher’s name in a mail, and shortens long ones', async () => {
  const teacher = api.as(await buildPerson('instructor', { full_name: 'Win now: www.evil.example/x' }))
  const name = `Prize 1.5 at https://evil.example/pay, write to pay@evil.example ${'now '.repeat(30)}`
  const { body: course } = await teacher.send(createCourse, { body: { name } })
  const ada = await buildPerson('student')
  for (const email of ['zoe@school.example', `${ada.username}@school.example`]) {
    await teacher.send(addStudent, { params: { courseId: course.id }, body: { email } })
    const { subject, text } = await waitForMail(server.running.services.config.dataDir, email)
    expect(`${subject}\n${text}`).not.toMatch(/evil/)
    expect(text).toContain('Prize 1.5 at write to now')
    expect(text.match(/\bnow\b/g)?.length).toBeLessThan(25)
  }
})

it('gives a teacher whose own address is unconfirmed few invitations where mail is sent, and says how to get more', async () => {
  const person = await buildPerson('instructor', { email_verified: false })
  const teacher = api.as(person)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Physics' } })).body.id
  const limit = async () => (await teacher.send(getInvitationLimit, { params: { courseId } })).body
  // Without a mail server nobody can confirm an address.
  expect(await limit()).toEqual({ per_day: 1000, left: 1000, not_invited: 0 })

  const mailServer = await startMailServer()
  const admin = api.as(await buildPerson('admin'))
  expect((await admin.send(changeSystemSettings, { body: { smtp_url: mailServer.url } })).status).toBe(200)
  expect(await limit()).toEqual({ per_day: 20, left: 20, not_invited: 0, unconfirmed: true })
  const emails = Array.from({ length: 22 }, (_, i) => `few-${i}@school.example`)
  const reply = await teacher.send(addStudentsFromCsv, {
    params: { courseId },
    files: { file: [{ name: 'class.csv', bytes: ['email', ...emails].join('\n') }] },
  })
  expect(reply.body.successful_enrollments).toBe(20)
  expect(reply.body.results.at(-1)?.message).toBe(
    'few-21@school.example was not added: you can send 20 invitations a day until you have confirmed your own email address. Confirm it in your profile, or try again tomorrow.',
  )
  await UserModel.updateOne({ _id: person.id }, { email_verified_at: new Date() })
  expect(await limit()).toEqual({ per_day: 1000, left: 980, not_invited: 0 })
  await mailServer.close()
})
