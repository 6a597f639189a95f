import mongoose from 'mongoose'
import { describe, expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/outbox.ts'
import { useTestApi } from '../../testing/server.ts'
import { requireCourse } from '../courses/course.service.ts'
import { createUser } from '../users/user.service.ts'
import { usernameFromEmail } from '../users/username.ts'
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
    expect(user).toMatchObject({
      account: 'invited',
      role: 'student',
      full_name: 'New Student',
      password_hash: null,
    })
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
    const claimed = {
      username: 'sly',
      email: 'ada@school.example',
      role: 'student' as const,
      password_hash: 'x',
    }
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
