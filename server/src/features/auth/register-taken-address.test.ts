import {
  acceptInvitation,
  forgotPassword,
  getMe,
  registerInstructor,
  registerStudent,
  signIn,
} from '@assay/shared/auth.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/outbox.ts'
import { useTestApi } from '../../testing/server.ts'

const clock = { offset: 0, now: () => new Date(Date.now() + clock.offset) }
const { api, server } = useTestApi({}, { clock })
const PASSWORD = 'Some-Good-7-Phrase'
const HOUR = 60 * 60 * 1000

const dataDir = () => server.running.services.config.dataDir
const mailTo = (email: string, count = 1) => waitForMail(dataDir(), email, count)
const register = (username: string, email: string) =>
  api.nobody.send(registerStudent, { body: { username, email, password: PASSWORD, full_name: 'New Name' } })
const signInAs = (username: string) => api.nobody.send(signIn, { body: { username, password: PASSWORD } })

/** What the reply says, but for what differs between any two accounts. */
function shapeOf({ status, body }: Awaited<ReturnType<typeof register>>) {
  const { id, username: _, email: __, created_at, updated_at, ...rest } = body
  return { status, rest, keys: Object.keys(body), id: typeof id, isNew: created_at === updated_at }
}

it('answers a taken address as a new one, stores nothing, and tells its owner how to sign in', async () => {
  const owner = await buildPerson('student')
  const email = `${owner.username}@school.example`
  const before = await UserModel.findById(owner.id).lean()
  const again = await register('again', email.toUpperCase())
  const fresh = await register('fresh', 'fresh@school.example')
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
  // Words of the stranger are not mailed.
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
  await register('flood-1', email)
  await mailTo(email)
  for (const i of [2, 3, 4]) await register(`flood-${i}`, email)
  await expect.poll(() => JobModel.countDocuments({ name: 'mail-link' })).toBe(0)
  expect(await readMailsTo(dataDir(), email)).toHaveLength(1)
  clock.offset += HOUR
  await register('flood-5', email)
  await mailTo(email, 2)
})

it('does not let an invitation keep its owner from registering: they get the link to their account, name and all', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const email = 'hana.kimura@school.example'
  await api.as(instructor).send(addStudent, { params: { courseId }, body: { email } })
  await mailTo(email)
  // The invited account is called so, too.
  expect(await register('hana.kimura', email)).toMatchObject({ status: 201, body: { username: 'hana.kimura' } })
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
    expect((await register(username, email)).status).toBe(201)
    await mailTo(email)
    await register(`again-${username}`, email)
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
  const replies = await Promise.all([1, 2, 3].map((i) => register(`racer-${i}`, email)))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(await UserModel.countDocuments({ email_key: email })).toBe(1)
})

it('tells an address few taken usernames an hour, and lets those with free ones register, together too', async () => {
  const owner = await buildPerson('student')
  const statuses = new Map<number, number>()
  for (let i = 0; i < 62; i++) {
    const { status } = await register(owner.username, `guess-${i}@school.example`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [409, 60],
    [429, 2],
  ])
  const refused = await register(owner.username, 'guess@school.example')
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('Choose one that nobody else would have') })
  const hall = Array.from({ length: 70 }, (_, i) => register(`newcomer-${i}`, `newcomer-${i}@school.example`))
  expect(new Set((await Promise.all(hall)).map(({ status }) => status))).toEqual(new Set([201]))
})
