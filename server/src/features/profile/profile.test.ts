import { changePassword, getMe, resendConfirmation, signIn } from '@assay/shared/auth.ts'
import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import { eraseOwnAccount } from '@assay/shared/personal-data.ts'
import { getStudentProfile, updateInstructorProfile, updateStudentProfile } from '@assay/shared/profile.ts'
import { describe, expect, it } from 'vitest'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'
import { wantsMail } from '../users/notifications/notify.ts'
import { requireUser } from '../users/user.service.ts'

const { api, server } = useTestApi({ LIMIT_SIGN_IN_ACCOUNT: '3' })
const NEW = 'Slate-kite 19'

describe('one’s profile', () => {
  it('wants every mail at first, stores what is turned off, and obeys it', async () => {
    const ada = await buildPerson('student')
    const before = await api.as(ada).send(getStudentProfile)
    expect(before.body.notifications).toEqual({
      emailNotifications: true,
      gradeNotifications: true,
      courseUpdates: true,
      assignmentReminders: true,
    })
    const changes = { notifications: { gradeNotifications: false } }
    await api.as(ada).send(updateStudentProfile, { body: changes })
    const after = await api.as(ada).send(getStudentProfile)
    expect(after.body.notifications).toMatchObject({ gradeNotifications: false, courseUpdates: true })
    const user = await requireUser(ada.id)
    expect([wantsMail(user, 'grades'), wantsMail(user, 'courses')]).toEqual([false, true])
  })

  it('changes what was sent and nothing else, and notifies the old address of a new one', async () => {
    const grace = await buildPerson('instructor', { full_name: 'Grace H.' })
    const email = `new-${grace.username}@school.example`
    const reply = await api.as(grace).send(updateInstructorProfile, { body: { email, institution: 'Yale' } })
    expect(reply.body).toMatchObject({
      email,
      institution: 'Yale',
      full_name: 'Grace H.',
      username: grace.username,
      email_verified: false,
      role: 'instructor',
    })
    const { dataDir } = server.running.services.config
    const notification = await waitForMail(dataDir, `${grace.username}@school.example`)
    expect(notification.text).toContain(email)
    expect((await waitForMail(dataDir, email)).link).toContain('/auth/confirm-email?token=')
  })

  it('answers 409 at the field for a taken name or address, and changes nothing', async () => {
    const [ada, ben] = [await buildPerson('student'), await buildPerson('student')]
    const name = { full_name: 'Other', username: ben.username.toUpperCase() }
    const taken = await api.as(ada).send(updateStudentProfile, { body: name })
    expect(taken).toMatchObject({ status: 409, body: { validation_errors: [{ field: 'username' }] } })
    const address = { email: `${ben.username}@school.example` }
    const refused = await api.as(ada).send(updateStudentProfile, { body: address })
    expect(refused).toMatchObject({ status: 409, body: { validation_errors: [{ field: 'email' }] } })
    expect((await api.as(ada).send(getStudentProfile)).body).toMatchObject({
      username: ada.username,
      full_name: null,
      email_verified: true,
    })
  })

  it('tells few taken addresses an hour, and changes other things meanwhile', async () => {
    const [ada, ben] = [await buildPerson('student'), await buildPerson('student')]
    const send = (body: BodyInput<typeof updateStudentProfile>) => api.as(ada).send(updateStudentProfile, { body })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await send({ email: `${ben.username}@school.example` })).status)
    expect(statuses).toEqual([...Array(10).fill(409), 429, 429])
    expect((await send({ full_name: 'Ada L.' })).status).toBe(200)
  })

  it('never changes role or account state', async () => {
    const ada = await buildPerson('student')
    const body = { role: 'admin', account: 'active', email_verified: true, username: 'ada-renamed' }
    await api.as(ada).send(updateStudentProfile, { body })
    expect((await api.again({ ...ada, username: 'ada-renamed' }).send(getMe)).body.role).toBe('student')
  })
})

describe('an account created by an LMS', () => {
  it('does not change the LMS’s name and address, and is sent nothing to confirm', async () => {
    const ada = await buildPerson('student', { full_name: 'Ada M.', email_verified: false })
    await UserModel.updateOne({ _id: ada.id }, { $set: { from_lms: true, email_key: 'lti:1' } })
    for (const body of [{ email: 'ada@evil.example' }, { username: 'ada-2' }, { full_name: 'Eve' }]) {
      const reply = await api.as(ada).send(updateStudentProfile, { body })
      expect(reply).toMatchObject({ status: 409, body: { detail: expect.stringContaining('your LMS') } })
    }
    expect((await api.as(ada).send(resendConfirmation)).status).toBe(409)
    const choices = { notifications: { gradeNotifications: false } }
    const changed = await api.as(ada).send(updateStudentProfile, { body: choices })
    expect(changed).toMatchObject({ status: 200, body: { from_lms: true, full_name: 'Ada M.' } })
    expect(await requireUser(ada.id)).toMatchObject({ email_key: 'lti:1', username: ada.username })
  })
})

describe('changing one’s password', () => {
  const change = (current_password: string, new_password = NEW) => ({ body: { current_password, new_password } })

  it('needs the current one, ends the other sessions but not this one', async () => {
    const ada = await buildPerson('student')
    const [here, there] = [api.again(ada), api.again(ada)]
    await there.send(getMe)
    expect((await here.send(changePassword, change(ada.password))).status).toBe(200)
    expect([(await here.send(getMe)).status, (await there.send(getMe)).status]).toEqual([200, 401])
    const old = await api.nobody.send(signIn, { body: { username: ada.username, password: ada.password } })
    expect(old.status).toBe(401)
    expect((await api.again({ ...ada, password: NEW }).send(getMe)).status).toBe(200)
  })

  it('reports a wrong current password at the field, and counts it with those at erasure and sign-in', async () => {
    const ada = await buildPerson('student')
    expect(await api.as(ada).send(changePassword, change('wrong'))).toMatchObject({
      status: 422,
      body: { validation_errors: [{ field: 'current_password', message: 'Current password is incorrect' }] },
    })
    const erase = (password: string) => api.as(ada).send(eraseOwnAccount, { body: { password } })
    const enter = (password: string) => api.nobody.send(signIn, { body: { username: ada.username, password } })
    expect([(await erase('wrong')).status, (await enter('wrong')).status]).toEqual([422, 401])
    for (const reply of [await api.as(ada).send(changePassword, change(ada.password)), await erase(ada.password)])
      expect(reply.status).toBe(429)
    expect([(await enter(ada.password)).status, (await api.as(ada).send(getMe)).status]).toEqual([429, 200])
  })
})
