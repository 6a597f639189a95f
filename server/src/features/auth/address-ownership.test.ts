import {
  acceptInvitation,
  confirmEmail,
  forgotPassword,
  getMailedLink,
  getMe,
  registerInstructor,
  registerStudent,
  resendConfirmation,
  resetPassword,
  signIn,
} from '@assay/shared/auth.ts'
import { updateStudentProfile } from '@assay/shared/profile.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { describe, expect, it } from 'vitest'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { isEnrolled } from '../courses/enrollment-queries.ts'
import { findUserByEmail } from '../users/user.service.ts'

const clock = { offset: 0, now: () => new Date(Date.now() + clock.offset) }
const { api, server } = useTestApi({}, { clock })
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
    expect(await isEnrolled(ada, courseId)).toBe(false)
    const { link, token } = await mailTo('ada@school.example')
    expect(link).toMatch(/^\/auth\/confirm-email\?token=/)
    const confirmed = await api.as(ada).send(confirmEmail, { body: { token } })
    expect(confirmed).toMatchObject({ status: 200, body: { email_verified: true } })
    expect(await isEnrolled(ada, courseId)).toBe(true)
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
    expect(await isEnrolled(squatter, courseId)).toBe(true)
  })

  it('that is changed is unconfirmed again; pending enrolments stay with the old address', async () => {
    const sly = await register('sly2', 'dora@school.example')
    const { courseId } = await addToCourse('dora@school.example')
    const changed = await api.as(sly).send(updateStudentProfile, { body: { email: 'sly2@school.example' } })
    expect(changed.body).toMatchObject({ email: 'sly2@school.example', email_verified: false })
    const own = await mailTo('sly2@school.example')
    const confirmed = await api.as(sly).send(confirmEmail, { body: { token: own.token } })
    expect(confirmed.body.email_verified).toBe(true)
    expect(await isEnrolled(sly, courseId)).toBe(false)
    const dora = await findUserByEmail('dora@school.example')
    expect(dora?.account).toBe('invited')
    expect(await isEnrolled({ id: dora?._id ?? 0 }, courseId)).toBe(true)
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

const HOUR = 60 * 60 * 1000

const registerAs = (username: string, email: string) =>
  api.nobody.send(registerStudent, { body: { username, email, password: PASSWORD, full_name: 'New Name' } })
const signInAs = (username: string) => api.nobody.send(signIn, { body: { username, password: PASSWORD } })

/** The reply, but for what differs between any two accounts. */
function shapeOf({ status, body }: Awaited<ReturnType<typeof registerAs>>) {
  const { id, username: _, email: __, created_at, updated_at, ...rest } = body
  return { status, rest, keys: Object.keys(body), id: typeof id, isNew: created_at === updated_at }
}

it('answers a taken address as a new one, stores nothing, and tells its owner how to sign in', async () => {
  const owner = await buildPerson('student')
  const email = `${owner.username}@school.example`
  const before = await UserModel.findById(owner.id).lean()
  const again = await registerAs('again', email.toUpperCase())
  const fresh = await registerAs('fresh', 'fresh@school.example')
  expect(shapeOf(again)).toEqual(shapeOf(fresh))
  expect(again).toMatchObject({ status: 201, body: { username: 'again', email: email.toUpperCase() } })
  expect([await UserModel.exists({ _id: again.body.id }), await UserModel.exists({ username_key: 'again' })]).toEqual([
    null,
    null,
  ])
  expect([(await signInAs('again')).status, (await signInAs(email)).status]).toEqual([401, 401])

  const mail = await mailTo(email)
  expect(mail).toMatchObject({ subject: 'You already have an Assay account', link: '/auth/login', token: '' })
  expect(mail.text).toContain(`Your username is ${owner.username}.`)
  expect(mail.text).not.toContain('New Name')
  const { registration_mailed_at: _, ...after } = (await UserModel.findById(owner.id).lean()) ?? {}
  expect({ ...after, registration_mailed_at: null }).toEqual({ registration_mailed_at: null, ...before })
})

it('answers instructors alike', async () => {
  const owner = await buildPerson('instructor')
  const body = { username: 'again2', email: `${owner.username}@school.example`, password: PASSWORD }
  const again = await api.nobody.send(registerInstructor, { body: { ...body, role: 'instructor' } })
  expect(again).toMatchObject({ status: 201, body: { username: 'again2', role: 'instructor' } })
})

it('mails the owner once an hour at most', async () => {
  const owner = await buildPerson('student')
  const email = `${owner.username}@school.example`
  await registerAs('flood-1', email)
  await mailTo(email)
  for (const i of [2, 3, 4]) await registerAs(`flood-${i}`, email)
  await expect.poll(() => JobModel.countDocuments({ name: 'mail-link' })).toBe(0)
  expect(await readMailsTo(dataDir(), email)).toHaveLength(1)
  clock.offset += HOUR
  await registerAs('flood-5', email)
  await mailTo(email, 2)
})

it('does not let an invitation keep its owner from registering: they get the link to their account, name and all', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const email = 'hana.kimura@school.example'
  await api.as(instructor).send(addStudent, { params: { courseId }, body: { email } })
  await mailTo(email)
  expect(await registerAs('hana.kimura', email)).toMatchObject({ status: 201, body: { username: 'hana.kimura' } })
  const { link, token } = await mailTo(email, 2)
  expect(link).toMatch(/^\/auth\/accept-invitation\?token=/)
  const entered = await api.nobody.send(acceptInvitation, { body: { token, password: PASSWORD } })
  expect((await api.withToken(entered.body.access_token).send(getMe)).body).toMatchObject({
    username: 'hana.kimura',
    email_verified: true,
  })
})

it('mails no link that a stranger chose as the username of an unconfirmed address', async () => {
  const names = ['www.evil-bank.com', 'evil-bank.example']
  for (const [i, username] of names.entries()) {
    const email = `victim-${i}@school.example`
    expect((await registerAs(username, email)).status).toBe(201)
    await mailTo(email)
    await registerAs(`again-${username}`, email)
    await mailTo(email, 2)
    await api.nobody.send(forgotPassword, { body: { email } })
    await mailTo(email, 3)
    const texts = (await readMailsTo(dataDir(), email)).map(({ text }) => text).join()
    expect(texts).not.toMatch(/evil-bank\.\w/)
    expect(texts).toContain('You can sign in with this email address.')
  }
})

it('answers alike those who register one address at the same moment, and stores one', async () => {
  const email = 'race@school.example'
  const replies = await Promise.all([1, 2, 3].map((i) => registerAs(`racer-${i}`, email)))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(await UserModel.countDocuments({ email_key: email })).toBe(1)
})

it('tells an address few taken usernames an hour, and lets those with free ones register, together too', async () => {
  const owner = await buildPerson('student')
  const statuses = new Map<number, number>()
  for (let i = 0; i < 62; i++) {
    const { status } = await registerAs(owner.username, `guess-${i}@school.example`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [409, 60],
    [429, 2],
  ])
  const refused = await registerAs(owner.username, 'guess@school.example')
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('Choose one that nobody else would have') })
  const hall = Array.from({ length: 70 }, (_, i) => registerAs(`newcomer-${i}`, `newcomer-${i}@school.example`))
  expect(new Set((await Promise.all(hall)).map(({ status }) => status))).toEqual(new Set([201]))
})
