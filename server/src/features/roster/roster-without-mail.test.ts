import { createCourse, enrolStudent, listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudent,
  addStudentsFromCsv,
  getInvitationLimit,
  inviteRoster,
  previewRosterCsv,
  removeFromRoster,
  renameRosterStudent,
  resendRosterInvitation,
} from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildPerson } from '../../testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi({ LIMIT_INVITATIONS: '3' })
const dataDir = () => server.running.services.config.dataDir

async function teacherWithCourse(by?: Awaited<ReturnType<typeof buildPerson>>) {
  const person = by ?? (await buildPerson('instructor'))
  const teacher = api.as(person)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Physics' } })).body.id
  const params = { courseId }
  const upload = async (bytes: string, columns?: ColumnMeaning[], invite?: 'yes' | 'no') => {
    const body = { ...(columns ? { columns: JSON.stringify(columns) } : {}), ...(invite ? { invite } : {}) }
    return (await teacher.send(addStudentsFromCsv, { params, body, files: { file: [{ name: 'a.csv', bytes }] } })).body
  }
  const list = async () => (await teacher.send(listCourseStudents, { params })).body
  return { person, teacher, courseId, params, upload, list }
}

const NAMES: ColumnMeaning[] = ['student_number', 'full_name']
const ALL: ColumnMeaning[] = ['student_number', 'full_name', 'email']

describe('a roster of which nobody is to be mailed', () => {
  it('enrols everybody without a mail or an invitation counted, and each can be invited later', async () => {
    const { teacher, params, upload, list, courseId } = await teacherWithCourse()
    const known = await buildPerson('student', { email: 'known@silent.example' })
    await buildPerson('student', { email: 'unconfirmed@silent.example', email_verified: false })
    const emails = ['known', 'unconfirmed', 'new-1', 'new-2', 'new-3', 'new-4'].map((name) => `${name}@silent.example`)
    const added = await upload(['email', ...emails].join('\n'), ['email'], 'no')
    expect(added).toMatchObject({ successful_enrollments: 6, failed_enrollments: 0 })
    expect(added.results.map(({ message }) => message)).toEqual([
      'known@silent.example was enrolled. No email was sent.',
      'unconfirmed@silent.example has an account with an unconfirmed address. The enrollment is pending until its owner has confirmed the address.',
      ...emails.slice(2).map((email) => `${email} was enrolled. No email was sent.`),
    ])
    expect((await teacher.send(getInvitationLimit, { params })).body.left).toBe(3)
    expect(await EnrollmentModel.countDocuments({ course_id: courseId, user_id: known.id })).toBe(1)
    expect(await PendingEnrollmentModel.countDocuments({ course_id: courseId })).toBe(1)
    const invited = (await list()).find(({ email }) => email === 'new-1@silent.example')
    expect(invited?.never_invited).toBe(true)
    const sent = await teacher.send(resendRosterInvitation, { params: { ...params, studentId: invited?.id ?? 0 } })
    expect(sent.body).toEqual({ success: true, message: 'The invitation was sent to new-1@silent.example.' })
    await waitForMail(dataDir(), 'new-1@silent.example')
    for (const email of emails.filter((one) => one !== 'new-1@silent.example')) {
      expect(await readMailsTo(dataDir(), email)).toEqual([])
    }
    expect((await teacher.send(getInvitationLimit, { params })).body).toMatchObject({ left: 2, not_invited: 3 })
    expect((await teacher.send(inviteRoster, { params })).body).toEqual({
      success: true,
      invited: 2,
      message:
        '2 students are sent an invitation now. 1 student was not invited: you can send 3 invitations a day. Try again tomorrow, or ask your administrator for a higher limit.',
    })
    for (const email of ['new-2@silent.example', 'new-3@silent.example']) await waitForMail(dataDir(), email)
    const waiting = (await list()).filter(({ never_invited }) => never_invited).map(({ email }) => email)
    expect(waiting).toEqual(['new-4@silent.example'])
    const subject = { 'subject.course_id': courseId, action: 'student.invited' }
    expect(await AuditModel.countDocuments(subject)).toBe(3)
    const more = await teacher.send(inviteRoster, { params })
    expect(more.body).toMatchObject({
      success: false,
      invited: 0,
      message: expect.stringMatching(/^1 student was not/),
    })
    for (const email of ['known', 'unconfirmed', 'new-4'])
      expect(await readMailsTo(dataDir(), `${email}@silent.example`)).toEqual([])
  })

  it('may be invited together, once', async () => {
    const { teacher, params, upload } = await teacherWithCourse()
    await upload('n,name,email\n1,Ada,one@together.example\n2,Ben,two@together.example\n3,Cy,\n', ALL, 'no')
    const message = '2 students are sent an invitation now.'
    expect((await teacher.send(inviteRoster, { params })).body).toEqual({ success: true, invited: 2, message })
    await waitForMail(dataDir(), 'two@together.example')
    const again = await teacher.send(inviteRoster, { params })
    expect(again.body).toEqual({
      success: true,
      invited: 0,
      message: 'Everybody with an email address was invited before.',
    })
    expect((await teacher.send(getInvitationLimit, { params })).body).toMatchObject({ left: 1, not_invited: 0 })
  })

  it('adds ten times as many people a day as one may send invitations, with an account or not, and no more', async () => {
    const { upload } = await teacherWithCourse()
    await buildPerson('student', { email: 'first@silent.example' })
    const late = await buildPerson('student', { email: 'late@silent.example' })
    const rows = Array.from({ length: 31 }, (_, i) => `many-${i}@silent.example`)
    const added = await upload(
      ['email', 'first@silent.example', ...rows, 'late@silent.example'].join('\n'),
      ['email'],
      'no',
    )
    expect(added).toMatchObject({ successful_enrollments: 30, failed_enrollments: 3 })
    const refused = added.results.filter(({ success }) => !success).map(({ message }) => message)
    expect(refused).toEqual(
      ['many-29@silent.example', 'many-30@silent.example', 'late@silent.example'].map(
        (email) =>
          `${email} was not added: you can add 30 students without an email a day. Try again tomorrow, or ask your administrator for a higher limit.`,
      ),
    )
    expect(await EnrollmentModel.countDocuments({ user_id: late.id })).toBe(0)
    const others = await upload('n,name\n1,Ada Lovelace\n', NAMES, 'no')
    expect(others).toMatchObject({ failed_enrollments: 1 })
    expect(await UserModel.countDocuments({ email_key: /^many-/ })).toBe(29)
  })

  it('invites people where the call says nothing, as it is documented', async () => {
    const { upload } = await teacherWithCourse()
    await upload('email\nasked@silent.example\n')
    await waitForMail(dataDir(), 'asked@silent.example')
  })
})

describe('students without an address', () => {
  it('are on the roster with name and number, and nobody is there twice after the same file', async () => {
    const { courseId, upload, list, teacher, params } = await teacherWithCourse()
    const file = 'n,name\n0042,Ada Lovelace\n,Ben Roth\n'
    const first = await upload(file, NAMES, 'no')
    expect(first.results).toMatchObject([
      { row: 2, email: '', success: true, message: 'Ada Lovelace was enrolled without an email address.' },
      { row: 3, email: '', success: true, message: 'Ben Roth was enrolled without an email address.' },
    ])
    const again = await upload(file, NAMES, 'yes')
    expect(again.results.map(({ message }) => message)).toEqual([
      'Ada Lovelace is already enrolled in this course.',
      'Ben Roth is already enrolled in this course.',
    ])
    await upload('n,name\n0043,Ben Roth\n0044,Ada Lovelace\n', NAMES, 'no')
    const students = await list()
    expect(students.map(({ full_name, sis_user_id, email, state }) => [full_name, sis_user_id, email, state])).toEqual([
      ['Ada Lovelace', '0042', '', 'invited'],
      ['Ada Lovelace', '0044', '', 'invited'],
      ['Ben Roth', '0043', '', 'invited'],
    ])
    const several = await upload('name\nAda Lovelace\n', ['full_name'], 'no')
    expect(several.results[0]?.message).toContain('Several students are called Ada Lovelace.')
    const [ada] = students
    const studentId = ada?.id ?? 0
    const resent = await teacher.send(resendRosterInvitation, { params: { courseId, studentId } })
    expect(resent.body).toMatchObject({ success: false, message: expect.stringContaining('has no email address') })
    const removed = await teacher.send(removeFromRoster, { params: { ...params, studentId } })
    expect(removed.body.message).toBe('Ada Lovelace was removed from the course.')
    await upload(file, NAMES, 'no')
    expect((await list()).map(({ id }) => id).sort()).toEqual(students.map(({ id }) => id).sort())
  })

  it('are renamed by a corrected file, which shows it before, and back again', async () => {
    const { teacher, params, upload, list } = await teacherWithCourse()
    await upload('n,name\n5001,Maria Lopes\n5002,Ben Roth\n', NAMES, 'no')
    const file = 'n,name\n5001,Maria López García\n5002,Ben Roth\n'
    const body = { columns: JSON.stringify(NAMES) }
    const seen = await teacher.send(previewRosterCsv, {
      params,
      body,
      files: { file: [{ name: 'a.csv', bytes: file }] },
    })
    const rename = { row: 2, from: 'Maria Lopes', to: 'Maria López García' }
    expect(seen.body).toMatchObject({ renames: [rename] })
    const names = async () => (await list()).map(({ full_name }) => full_name)
    expect(await names()).toEqual(['Maria Lopes', 'Ben Roth'])
    const { results } = await upload(file, NAMES, 'no')
    expect(results[0]).toMatchObject({ success: true, renamed: { from: 'Maria Lopes' } })
    expect(results[1]).not.toHaveProperty('renamed')
    expect(await names()).toContain('Maria López García')
    const studentId = results[0]?.renamed?.student_id ?? 0
    const back = (full_name: string) =>
      teacher.send(renameRosterStudent, { params: { ...params, studentId }, body: { full_name } })
    expect((await back('Maria Lopes')).body).toMatchObject({ success: true })
    expect(await names()).toContain('Maria Lopes')
    expect((await back(' ')).status).toBe(422)
    expect(await AuditModel.countDocuments({ action: 'student.renamed', 'subject.user_id': studentId })).toBe(2)
  })

  it('keep their names where these are not this teacher’s to change', async () => {
    const { teacher, params, upload, list } = await teacherWithCourse()
    const known = await buildPerson('student', { email: 'own@name.example', full_name: 'Own Name' })
    await upload('n,name,email\n1,Own Name,own@name.example\n2,Shared Name,shared@name.example\n', ALL, 'no')
    const other = await teacherWithCourse()
    await other.upload('n,name,email\n2,Shared Name,shared@name.example\n', ALL, 'no')
    const changed = 'n,name,email\n1,Other A,own@name.example\n2,Other B,shared@name.example\n'
    const { results } = await upload(changed, ALL, 'no')
    expect(results.some(({ renamed }) => renamed)).toBe(false)
    expect(results.map(({ message }) => message)).toEqual([
      expect.stringContaining('The name stays Own Name.'),
      expect.stringContaining('The name stays Shared Name.'),
    ])
    const shared = (await list()).find(({ full_name }) => full_name === 'Shared Name')
    await upload('n,name\n3,Renamable\n', NAMES, 'no')
    const offered = async (who = teacher) =>
      (await who.send(listCourseStudents, { params })).body.flatMap((one) => (one.can_rename ? [one.full_name] : []))
    expect(await offered(teacher)).toEqual(['Renamable'])
    expect(await offered(api.as(await buildPerson('admin')))).toHaveLength(3)
    for (const studentId of [known.id, shared?.id ?? 0]) {
      const call = { params: { ...params, studentId }, body: { full_name: 'Other' } }
      expect((await teacher.send(renameRosterStudent, call)).body).toMatchObject({
        success: false,
        message: expect.stringContaining('administrator'),
      })
      const admin = api.as(await buildPerson('admin'))
      expect((await admin.send(renameRosterStudent, call)).body.success).toBe(true)
    }
  })

  it('are there once where the same file comes several times at once', async () => {
    const { upload, list } = await teacherWithCourse()
    const file = ['n,name', ...Array.from({ length: 5 }, (_, i) => `${i},Student ${i}`), ',No Number'].join('\n')
    const replies = await Promise.all([1, 2, 3].map(() => upload(file, NAMES, 'no')))
    expect(replies.map(({ failed_enrollments }) => failed_enrollments)).toEqual([0, 0, 0])
    const names = (await list()).map(({ full_name }) => full_name)
    expect(names).toEqual([...Array.from({ length: 5 }, (_, i) => `Student ${i}`), 'No Number'])
    const ids = (await list()).map(({ id }) => id)
    expect(
      await UserModel.countDocuments({
        roster_course_id: { $ne: null },
        _id: { $nin: ids },
        full_name: /^(Student|No Num)/,
      }),
    ).toBe(0)
  })

  it('are one person in a file, also where another row has their number and an address', async () => {
    const { upload, list } = await teacherWithCourse()
    const file =
      'n,name,email\n1,Ada Lovelace,ada@once.example\n1,Ada Lovelace,\n2,Ben Roth,\n2,Ben Roth,ben@once.example\n'
    const added = await upload(file, ALL, 'no')
    expect(added.results.filter(({ success }) => !success)).toMatchObject([
      { row: 3, message: 'This number is already in row 2.' },
      { row: 5, message: 'This number is already in row 4.' },
    ])
    expect((await list()).map(({ full_name, email }) => [full_name, email])).toEqual([
      ['Ada Lovelace', 'ada@once.example'],
      ['Ben Roth', ''],
    ])
  })

  it('are not taken for somebody of another course, or for one who joined by code and chose a name', async () => {
    const one = await teacherWithCourse()
    await one.upload('n,name\n7,Kim Lee\n', NAMES, 'no')
    const other = await teacherWithCourse(one.person)
    const joined = await buildPerson('student', { full_name: 'Kim Lee' })
    const enrolled = { course_id: other.courseId, user_id: joined.id, enrolled_at: new Date() }
    await EnrollmentModel.create({ _id: `${other.courseId}/${joined.id}`, ...enrolled, added_by: 'code' })
    const added = await other.upload('n,name\n7,Kim Lee\n', NAMES, 'no')
    expect(added.results).toMatchObject([{ created_user: true }])
    const ids = [...(await one.list()), ...(await other.list())].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect((await EnrollmentModel.findOne({ user_id: joined.id }).lean())?.added_by).toBe('code')
  })

  it('keep their account when a later file has their address, and are invited then', async () => {
    const { upload, list, teacher, params } = await teacherWithCourse()
    await upload('n,name\n0042,Ada Lovelace\n', NAMES, 'no')
    const [before] = await list()
    const [added] = (await upload('n,name,email\n0042,Ada Lovelace,ada@later.example\n', ALL, 'yes')).results
    expect(added).toMatchObject({ success: true, message: 'ada@later.example was enrolled and invited by email.' })
    await waitForMail(dataDir(), 'ada@later.example')
    expect(await list()).toMatchObject([{ id: before?.id, email: 'ada@later.example', sis_user_id: '0042' }])
    const again = await upload('n,name,email\n0042,Ada Lovelace,ada@later.example\n', ALL, 'yes')
    expect(again.results[0]?.message).toBe('ada@later.example is already enrolled in this course.')
    expect((await UserModel.findById(before?.id).lean())?.roster_course_id).toBeNull()
    // From then on the address is theirs: another one with the same number is another person.
    const body = { email: 'other@later.example', sis_user_id: '0042' }
    await teacher.send(addStudent, { params, body })
    expect(await list()).toHaveLength(2)
  })

  it('do not get an address that is another’s, and another course’s students get none', async () => {
    const { upload, list } = await teacherWithCourse()
    const owner = await buildPerson('student', { email: 'owner@later.example' })
    await upload('n,name\n0042,Ada Lovelace\n', NAMES, 'no')
    const [refused] = (await upload('n,name,email\n0042,Ada Lovelace,owner@later.example\n', ALL, 'no')).results
    expect(refused).toMatchObject({
      success: false,
      message:
        'owner@later.example belongs to another account, and Ada Lovelace is on the roster with the same number. Remove Ada Lovelace from the roster, then add owner@later.example again.',
    })
    expect(await list()).toMatchObject([{ email: '', sis_user_id: '0042' }])
    expect(await EnrollmentModel.countDocuments({ user_id: owner.id })).toBe(0)
    const stranger = await teacherWithCourse()
    const elsewhere = await stranger.upload('n,name,email\n0042,Ada Lovelace,new@later.example\n', ALL, 'no')
    expect(elsewhere.results).toMatchObject([{ success: true, created_user: true }])
    expect(await list()).toMatchObject([{ email: '' }])
  })

  it('are not taken for somebody with an address, who may have chosen that name', async () => {
    const { courseId, upload, list } = await teacherWithCourse()
    const mallory = await buildPerson('student', { email: 'mallory@names.example', full_name: 'Victor Hart' })
    await upload('email\nmallory@names.example\n', ['email'], 'no')
    const [refused] = (await upload('n,name\n0042,Victor Hart\n', NAMES, 'no')).results
    expect(refused).toMatchObject({
      success: false,
      message: 'Victor Hart is the name of a student here who has an email address. Add an email address to the row.',
    })
    expect(await list()).toMatchObject([{ id: mallory.id, sis_user_id: null }])
    expect((await EnrollmentModel.findOne({ course_id: courseId }).lean())?.sis_user_id ?? null).toBeNull()
  })

  it('are found by their numbers before anybody is by name', async () => {
    const { upload, list } = await teacherWithCourse()
    await upload('n,name\n5,Kim Lee\n', NAMES, 'no')
    const [before] = await list()
    const added = await upload('n,name\n,Kim Lee\n5,Kim Lee\n', NAMES, 'no')
    expect(added.results.map(({ created_user }) => created_user)).toEqual([true, false])
    const students = await list()
    expect(students.find(({ sis_user_id }) => sis_user_id === '5')?.id).toBe(before?.id)
    expect(students).toHaveLength(2)
  })

  it('cannot be given an address by one course to get at the work of another', async () => {
    const { upload, list, person } = await teacherWithCourse()
    await upload('n,name\n0042,Ada Lovelace\n', NAMES, 'no')
    const [ada] = await list()
    const other = await teacherWithCourse(person)
    const body = { user_id: ada?.id ?? 0 }
    const refused = await other.teacher.send(enrolStudent, { params: other.params, body })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('another course’s roster')])
    // As an earlier version allowed it.
    const elsewhere = { course_id: other.courseId, user_id: ada?.id ?? 0, enrolled_at: new Date() }
    await EnrollmentModel.create({ _id: `${other.courseId}/${ada?.id}`, ...elsewhere, added_by: 'teacher' })
    await upload('n,name,email\n0042,Ada Lovelace,evil@later.example\n', ALL, 'no')
    expect((await UserModel.findById(ada?.id).lean())?.email).toBe('')
  })

  it('keep no address where the row that had it was refused', async () => {
    const { upload, list } = await teacherWithCourse()
    await upload('n,name\n0042,Ada Lovelace\n', NAMES, 'no')
    const used = ['one', 'two', 'three'].map((name) => `${name}@used.example`)
    await upload(['email', ...used].join('\n'), ['email'], 'yes')
    const [refused] = (await upload('n,name,email\n0042,Ada Lovelace,typo@later.example\n', ALL, 'yes')).results
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('was not added') })
    expect((await list()).find(({ sis_user_id }) => sis_user_id === '0042')?.email).toBe('')
    expect(await UserModel.countDocuments({ email_key: 'typo@later.example' })).toBe(0)
  })
})
