import {
  acceptInvitation,
  confirmEmail,
  forgotPassword,
  getMailedLink,
  getMe,
  registerStudent,
  resendConfirmation,
  resetPassword,
} from '@assay/shared/auth.ts'
import { updateStudentProfile } from '@assay/shared/profile.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../testing/api.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/outbox.ts'
import { useTestApi } from '../../testing/server.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { findUserByEmail } from '../users/user.service.ts'

const { api, server } = useTestApi()
const PASSWORD = 'Some-Good-7-Phrase'
const dataDir = () => server.running.services.config.dataDir
const mailTo = (email: string, count = 1) => waitForMail(dataDir(), email, count)

async function register(username: string, email: string): Promise<Person> {
  const made = await api.nobody.send(registerStudent, { body: { username, email, password: PASSWORD } })
  if (made.status !== 201) throw new Error(made.text)
  return { id: made.body.id, username, password: PASSWORD }
}

async function addToCourse(email: string) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const added = await api.as(instructor).send(addStudent, { params: { courseId }, body: { email } })
  expect(added.body).toMatchObject({ success: true })
  return { courseId, message: added.body.message }
}

describe('an address', () => {
  it('is confirmed by its link in the account it was mailed for, which activates pending enrolments', async () => {
    const ada = await register('ada', 'ada@school.example')
    const { courseId, message } = await addToCourse('ada@school.example')
    expect(message).toContain('unconfirmed address')
    expect(await isEnrolled(ada.id, courseId)).toBe(false)
    const { link, token } = await mailTo('ada@school.example')
    expect(link).toMatch(/^\/auth\/confirm-email\?token=/)
    const confirmed = await api.as(ada).send(confirmEmail, { body: { token } })
    expect(confirmed).toMatchObject({ status: 200, body: { email_verified: true } })
    expect(await isEnrolled(ada.id, courseId)).toBe(true)
    expect((await api.as(ada).send(confirmEmail, { body: { token } })).status).toBe(400)
  })

  it('is not confirmed by another user’s session, and the link stays valid', async () => {
    const sly = await register('sly', 'ben@school.example')
    const { token } = await mailTo('ben@school.example')
    const ben = await buildPerson('student')
    expect((await api.as(ben).send(confirmEmail, { body: { token } })).status).toBe(403)
    expect((await api.as(sly).send(getMe)).body.email_verified).toBe(false)
    const look = await api.nobody.send(getMailedLink, { body: { token } })
    expect(look.body).toMatchObject({ purpose: 'confirm', username: 'sly', email: 'ben@school.example' })
  })

  it('that somebody else registered goes to its owner by a password reset, and the other is signed out', async () => {
    const squatter = await register('squatter', 'cora@school.example')
    const { courseId } = await addToCourse('cora@school.example')
    const before = api.again(squatter)
    expect((await before.send(getMe)).status).toBe(200)
    await mailTo('cora@school.example', 2)
    await api.nobody.send(forgotPassword, { body: { email: 'cora@school.example' } })
    const { token } = await mailTo('cora@school.example', 3)
    await api.nobody.send(resetPassword, { body: { token, new_password: 'Cora-owns-1' } })
    expect((await before.send(getMe)).status).toBe(401)
    await expect(api.again(squatter).send(getMe)).rejects.toThrow('could not sign in')
    const cora = api.again({ ...squatter, password: 'Cora-owns-1' })
    expect((await cora.send(getMe)).body.email_verified).toBe(true)
    expect(await isEnrolled(squatter.id, courseId)).toBe(true)
  })

  it('that is changed is unconfirmed again; pending enrolments stay with the old address', async () => {
    const sly = await register('sly2', 'dora@school.example')
    const { courseId } = await addToCourse('dora@school.example')
    const changed = await api.as(sly).send(updateStudentProfile, { body: { email: 'sly2@school.example' } })
    expect(changed.body).toMatchObject({ email: 'sly2@school.example', email_verified: false })
    const own = await mailTo('sly2@school.example')
    const confirmed = await api.as(sly).send(confirmEmail, { body: { token: own.token } })
    expect(confirmed.body.email_verified).toBe(true)
    expect(await isEnrolled(sly.id, courseId)).toBe(false)
    const dora = await findUserByEmail('dora@school.example')
    expect(dora?.account).toBe('invited')
    expect(await isEnrolled(dora?._id ?? 0, courseId)).toBe(true)
  })

  it('is not confirmed by a link mailed to an earlier address', async () => {
    const eve = await register('eve', 'eve@school.example')
    const { token } = await mailTo('eve@school.example')
    await api.as(eve).send(updateStudentProfile, { body: { email: 'frank@school.example' } })
    expect((await api.as(eve).send(confirmEmail, { body: { token } })).status).toBe(400)
    expect((await api.as(eve).send(getMe)).body.email_verified).toBe(false)
  })

  it('gets its link again on request, until it is confirmed', async () => {
    const gil = await register('gil', 'gil@school.example')
    const first = await mailTo('gil@school.example')
    await api.as(gil).send(resendConfirmation)
    const second = await mailTo('gil@school.example', 2)
    expect((await api.as(gil).send(confirmEmail, { body: { token: first.token } })).status).toBe(200)
    expect(second.token).not.toBe(first.token)
    const more = await api.as(gil).send(resendConfirmation)
    expect(more.body.message).toContain('already')
    expect(await readMailsTo(dataDir(), 'gil@school.example')).toHaveLength(2)
  })
})

describe('an invitation', () => {
  const accept = (token: string, more: { username?: string; full_name?: string } = {}) =>
    api.nobody.send(acceptInvitation, { body: { token, password: PASSWORD, ...more } })

  it('lets its owner claim the account, once, with the name they choose', async () => {
    await addToCourse('hana@school.example')
    const { token, link } = await mailTo('hana@school.example')
    expect(link).toMatch(/^\/auth\/accept-invitation\?token=/)
    const entered = await accept(token, { username: 'hana.k', full_name: 'Hana Kimura' })
    expect(entered.status).toBe(200)
    const me = await api.withToken(entered.body.access_token).send(getMe)
    expect(me.body).toMatchObject({ username: 'hana.k', full_name: 'Hana Kimura', email_verified: true })
    expect((await accept(token)).status).toBe(400)
  })

  it('stays valid when the name is taken, and when another course invites too', async () => {
    await addToCourse('ivan@school.example')
    const first = await mailTo('ivan@school.example')
    await addToCourse('ivan@school.example')
    const second = await mailTo('ivan@school.example', 2)
    const taken = await buildPerson('student')
    const refused = await accept(first.token, { username: taken.username.toUpperCase() })
    expect(refused).toMatchObject({ status: 409, body: { validation_errors: [{ field: 'username' }] } })
    expect((await accept(first.token)).status).toBe(200)
    expect((await accept(second.token)).status).toBe(400)
  })

  it('is mailed again on a password reset of an account without a password', async () => {
    await addToCourse('jo@school.example')
    await mailTo('jo@school.example')
    await api.nobody.send(forgotPassword, { body: { email: 'jo@school.example' } })
    expect((await mailTo('jo@school.example', 2)).link).toMatch(/^\/auth\/accept-invitation\?token=/)
  })
})
