import { createCourse } from '@assay/shared/courses.ts'
import { addStudent, addStudentsFromCsv, getInvitationLimit, resendRosterInvitation } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import { LtiIdentityModel } from '../../records/lti/identity.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'

const DAY_MS = 24 * 60 * 60_000
/** Of a day to come: the database removes what has expired by the real clock. */
const MORNING = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + 9 * 60 * 60_000
let passed = 0
const { api, server } = useTestApi({ LIMIT_INVITATIONS: '5' }, { clock: { now: () => new Date(MORNING + passed) } })
const dataDir = () => server.running.services.config.dataDir

async function teacherWithCourse() {
  const person = await buildPerson('instructor')
  const teacher = api.as(person)
  const course = async () => (await teacher.send(createCourse, { body: { name: 'Physics' } })).body.id
  const add = (courseId: number, email: string) => teacher.send(addStudent, { params: { courseId }, body: { email } })
  const upload = (courseId: number, emails: string[], by = teacher) =>
    by.send(addStudentsFromCsv, {
      params: { courseId },
      files: { file: [{ name: 'class.csv', bytes: ['email', ...emails].join('\n') }] },
    })
  return { person, teacher, course, add, upload }
}

it('invites as many a day as the limit says, and the others when the same file comes again the next day', async () => {
  const { person, teacher, course, upload } = await teacherWithCourse()
  const courseId = await course()
  const emails = Array.from({ length: 8 }, (_, i) => `class-a-${i}@school.example`)
  const first = await upload(courseId, emails)
  expect(first.body).toMatchObject({ successful_enrollments: 5, failed_enrollments: 3 })
  expect(first.body.results.filter(({ success }) => !success).map(({ message }) => message)).toEqual(
    emails
      .slice(5)
      .map(
        (email) =>
          `${email} was not added: you can send 5 invitations a day. Try again tomorrow, or ask your administrator for a higher limit.`,
      ),
  )
  expect(await UserModel.countDocuments({ email_key: { $in: emails } })).toBe(5)
  expect((await teacher.send(getInvitationLimit, { params: { courseId } })).body).toEqual({
    per_day: 5,
    left: 0,
    not_invited: 0,
  })
  passed += DAY_MS
  const nextDay = api.again(person)
  const second = await upload(courseId, emails, nextDay)
  expect(second.body).toMatchObject({ successful_enrollments: 8, failed_enrollments: 0 })
  expect((await nextDay.send(getInvitationLimit, { params: { courseId } })).body).toEqual({
    per_day: 5,
    left: 2,
    not_invited: 0,
  })
})

it('counts a teacher’s courses and resent invitations together, and no other teacher’s', async () => {
  const { teacher, course, add, upload } = await teacherWithCourse()
  const [one, two] = [await course(), await course()]
  await upload(one, ['b-1@school.example', 'b-2@school.example', 'b-3@school.example'])
  await upload(two, ['b-4@school.example'])
  const student = await UserModel.findOne({ email_key: 'b-1@school.example' }).lean()
  const resend = () => teacher.send(resendRosterInvitation, { params: { courseId: one, studentId: student?._id ?? 0 } })
  expect((await resend()).body.success).toBe(true)
  const refused = await resend()
  expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('5 invitations a day') })
  expect((await add(two, 'b-5@school.example')).body).toMatchObject({ success: false })
  const other = await teacherWithCourse()
  expect((await other.add(await other.course(), 'b-5@school.example')).body).toMatchObject({ success: true })
})

it('counts no more than the limit of what is asked at the same moment', async () => {
  const { course, upload } = await teacherWithCourse()
  const courseId = await course()
  const uploads = Array.from({ length: 6 }, (_, i) =>
    upload(courseId, [`c-${i}-a@school.example`, `c-${i}-b@school.example`]),
  )
  await Promise.all(uploads)
  expect(await UserModel.countDocuments({ email_key: /^c-\d-/ })).toBeLessThanOrEqual(5)
})

it('sends students with an account a notice within the limit, and enrols them beyond it', async () => {
  const { course, upload } = await teacherWithCourse()
  const students = await Promise.all(Array.from({ length: 6 }, () => buildPerson('student')))
  const emails = students.map(({ username }) => `${username}@school.example`)
  const reply = await upload(await course(), emails)
  expect(reply.body.successful_enrollments).toBe(6)
  expect(reply.body.results.at(-1)?.message).toContain('was enrolled. No email was sent')
  await waitForMail(dataDir(), emails[4] ?? '')
  expect(await readMailsTo(dataDir(), emails[5] ?? '')).toHaveLength(0)
})

it('mails one address at most five links a day, whoever asks; the earlier links stay valid', async () => {
  const email = 'everybodys@school.example'
  for (let i = 1; i <= 5; i++) {
    const { course, add } = await teacherWithCourse()
    await add(await course(), email)
    await waitForMail(dataDir(), email, i)
  }
  const sixth = await teacherWithCourse()
  const courseId = await sixth.course()
  const added = await sixth.add(courseId, email)
  expect(added.body).toMatchObject({ success: true, message: expect.stringContaining('five emails today') })
  const left = await sixth.teacher.send(getInvitationLimit, { params: { courseId } })
  expect(left.body.left).toBe(5)
  const control = await teacherWithCourse()
  await control.add(await control.course(), 'control@school.example')
  await waitForMail(dataDir(), 'control@school.example')
  expect(await readMailsTo(dataDir(), email)).toHaveLength(5)
})

it('counts the teachers of one LMS together, ten times as many as of one', async () => {
  const addresses = (from: number) => Array.from({ length: 5 }, (_, i) => `lms-${from}-${i}@school.example`)
  const launched = async (number: number) => {
    const made = await teacherWithCourse()
    const identity = { issuer: 'https://lms.example', sub: `${number}`, user_id: made.person.id, test_user: false }
    await LtiIdentityModel.create({ _id: 9000 + number, ...identity, created_at: new Date() })
    return made
  }
  for (let i = 0; i < 10; i++) {
    const { course, upload } = await launched(i)
    expect((await upload(await course(), addresses(i))).body.successful_enrollments).toBe(5)
  }
  const eleventh = await launched(10)
  const courseId = await eleventh.course()
  const limit = await eleventh.teacher.send(getInvitationLimit, { params: { courseId } })
  expect(limit.body).toEqual({ per_day: 5, left: 0, not_invited: 0 })
  expect((await eleventh.add(courseId, 'lms-late@school.example')).body.success).toBe(false)
})
