import { listAudit } from '@assay/shared/admin.ts'
import { getCourse, listCourseStudents, removeInstructor } from '@assay/shared/courses.ts'
import { setUpLaunch } from '@assay/shared/lti/lti.ts'
import { listSuspended, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { describe, expect, it } from 'vitest'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildPerson, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { linkCourse, linkPerson } from '../../../testing/lti-records.ts'
import {
  buildLinkedCourse,
  findAccount,
  findMember,
  type LinkedCourse,
  launchAndSignIn,
  reloadContext,
  syncRoster,
  useRegisteredLms,
  waitForSync,
} from '../../../testing/registered-lms.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'
import { queueDueSyncs } from './roster-sync.ts'

const server = useServer()
// As in Canvas, administrators have no role in a course.
const school = useRegisteredLms(server, { administratorsTeach: false })
const api = createTestApi(server)

const rosterOf = async ({ teacher, courseId }: LinkedCourse) =>
  (await teacher.send(listCourseStudents, { params: { courseId }, query: { limit: 500 } })).body
const namesOn = async (tied: LinkedCourse) => (await rosterOf(tied)).map(({ full_name }) => full_name).sort()
const instructorsOf = async ({ teacher, courseId }: LinkedCourse) =>
  (await teacher.send(getCourse, { params: { courseId } })).body.instructors.map(({ id }) => id)

describe('new members', () => {
  it('are enrolled as students or added as instructors, with accounts no address can sign in to', async () => {
    const { lms } = school()
    const { course, teacher: grace, students } = lms.classOf(3)
    const tied = await buildLinkedCourse(school(), course)
    const report = await syncRoster(tied)
    expect(report).toMatchObject({ state: 'done', listed: 4, created: 4, suspended: 0, problem: null })
    const roster = await rosterOf(tied)
    expect(roster.map(({ full_name, email }) => [full_name, email])).toEqual(
      students.map(({ name, email }) => [name, email]),
    )
    expect(roster[0]).toMatchObject({ state: 'enrolled', added_by: 'lms', sis_user_id: students[0]?.username })
    const teacher = await findAccount(school().platform, grace)
    expect(await instructorsOf(tied)).toEqual([tied.teacherId, teacher._id])
    expect(teacher).toMatchObject({ from_lms: true, password_hash: null, role: 'instructor' })
    expect(teacher.email_key).toMatch(/^lti:/)
  })

  it('get the papers uploaded before them, as while a deep link is made in a new course', async () => {
    const { course, students } = school().lms.classOf(2)
    const tied = await buildLinkedCourse(school(), course)
    const [ada] = students
    const paper = { name: `${ada?.name}.pdf`, bytes: await drawPaper({ full_name: 'Nobody' }, correctAnswers) }
    const { submissionIds } = await buildAssignment(api, tied, [paper])
    await syncRoster(tied)
    const { _id: student_id } = await findAccount(school().platform, { id: ada?.id ?? '' })
    expect(await SubmissionModel.findById(submissionIds[0]).lean()).toMatchObject({ student_id })
  })

  it('are not merged with an account that has the same address', async () => {
    const { lms } = school()
    const { course, students } = lms.classOf(1)
    const [student] = students
    const own = await buildPerson('student', { email: student?.email ?? '' })
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    const [enrolled] = await rosterOf(tied)
    expect(enrolled?.email).toBe(student?.email)
    expect(enrolled?.id).not.toBe(own.id)
  })

  it('are imported where the LMS hides names and addresses', async () => {
    const { lms, platform } = school()
    const { course } = lms.classOf(2)
    const tool = lms.tools.get(platform.client_id)
    if (!tool) throw new Error('registered')
    tool.privacy = 'anonymous'
    const tied = await buildLinkedCourse(school(), course)
    expect(await syncRoster(tied)).toMatchObject({ state: 'done', created: 3 })
    tool.privacy = 'public'
    const hidden = await rosterOf(tied)
    expect(hidden).toHaveLength(2)
    for (const { username, full_name, email } of hidden) {
      expect(username).toMatch(/^student-[0-9a-f]{4}/)
      expect({ full_name, email }).toEqual({ full_name: null, email: '' })
    }
    expect(await syncRoster(tied)).toMatchObject({ created: 0, changed: 3 })
    const shown = await namesOn(tied)
    expect(shown).not.toContain(null)
    tool.privacy = 'anonymous'
    expect(await syncRoster(tied)).toMatchObject({ changed: 0, unchanged: 3 })
    tool.privacy = 'public'
    expect(await namesOn(tied)).toEqual(shown)
  })

  it('include marked test students, who are not missing when the roster leaves them out', async () => {
    const { lms, platform } = school()
    const { course } = lms.classOf(1)
    const listed = lms.addTestStudent(course)
    const unlisted = lms.addUser({ testStudent: true })
    const tied = await buildLinkedCourse(school(), course)
    await linkPerson(platform, tied.context, unlisted)
    expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 0 })
    const marked = (await rosterOf(tied)).filter(({ test_student }) => test_student)
    expect(marked.map(({ id }) => id).sort()).toEqual(
      [(await findAccount(school().platform, listed))._id, (await findAccount(school().platform, unlisted))._id].sort(),
    )
  })

  it('do not count as missing when they launched without a role', async () => {
    const { lms, deployment } = school()
    const { course } = lms.classOf(1)
    const tied = await buildLinkedCourse(school(), course)
    const admin = lms.addAdmin()
    await launchAndSignIn(school(), { as: admin, link: lms.addLink(course, { deployment }) })
    expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 0, missing: 0 })
  })

  it('are unchanged by a second sync, which writes nothing twice', async () => {
    const { course } = school().lms.classOf(4)
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    const before = await rosterOf(tied)
    const users = await UserModel.countDocuments()
    expect(await syncRoster(tied)).toMatchObject({ created: 0, changed: 0, suspended: 0, unchanged: 5 })
    expect(await rosterOf(tied)).toEqual(before)
    expect(await UserModel.countDocuments()).toBe(users)
  })
})

describe('changed members', () => {
  it('get new names and addresses, unless their owner has joined the account', async () => {
    const { lms, platform } = school()
    const { course, students } = lms.classOf(2)
    const [one, two] = students
    if (!one || !two) throw new Error('two students')
    const tied = await buildLinkedCourse(school(), course)
    const joined = await buildPerson('student', { full_name: 'Own Name' })
    const user = await UserModel.findById(joined.id).lean()
    if (!user) throw new Error('an account')
    await linkPerson(platform, tied.context, two, { user })
    await syncRoster(tied)
    Object.assign(one, { name: 'Ana Newname', email: 'ana.new@school.example' })
    Object.assign(two, { name: 'Ben Newname' })
    expect(await syncRoster(tied)).toMatchObject({ changed: 2, created: 0 })
    const names = await namesOn(tied)
    expect(names).toEqual(['Ana Newname', 'Own Name'])
    expect((await findAccount(school().platform, one)).email).toBe('ana.new@school.example')
  })

  it('become instructors or students, and the audit log has it', async () => {
    const { lms } = school()
    const { course, students } = lms.classOf(2)
    const [helper] = students
    if (!helper) throw new Error('a student')
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    const { _id: id } = await findAccount(school().platform, helper)
    lms.enrol(course, helper, ['Learner', 'TeachingAssistant'])
    expect(await syncRoster(tied)).toMatchObject({ changed: 1 })
    expect(await instructorsOf(tied)).toContain(id)
    expect((await rosterOf(tied)).map((student) => student.id)).not.toContain(id)
    lms.enrol(course, helper, 'Learner')
    expect(await syncRoster(tied)).toMatchObject({ changed: 1 })
    expect(await instructorsOf(tied)).not.toContain(id)
    expect((await rosterOf(tied)).map((student) => student.id)).toContain(id)

    const admin = api.as(await buildPerson('admin'))
    const log = await admin.send(listAudit, { query: { person: helper.username } })
    expect(log.body.map(({ action, actor }) => [action, actor.username])).toEqual([
      ['student.enrolled', 'LMS'],
      ['course.instructor_removed', 'LMS'],
      ['student.removed', 'LMS'],
      ['course.instructor_added', 'LMS'],
      ['student.enrolled', 'LMS'],
    ])
  })

  it('never include the last instructor, and teachers are not enrolled', async () => {
    const { lms } = school()
    const { course, teacher: grace, students } = lms.classOf(3)
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    const { _id: graceId } = await findAccount(school().platform, grace)
    const session = await launchAndSignIn(school(), { as: grace, course, message: 'LtiDeepLinkingRequest' })
    const { courseId } = tied
    const gone = await tied.teacher.send(removeInstructor, { params: { courseId, userId: tied.teacherId } })
    expect(gone.status).toBe(200)
    lms.enrol(course, grace, 'Learner')
    await session.caller.send(syncLmsRoster, { params: { courseId }, body: {} })
    await waitForSync({ courseId, teacher: session.caller })
    const opened = await session.caller.send(getCourse, { params: { courseId } })
    expect(opened.body.instructors.map(({ id }) => id)).toEqual([graceId])
    expect(opened.body.student_count).toBe(students.length)
  })
})

describe('missing members', () => {
  it('are suspended when no longer listed or inactive, retain their work, and are restored', async () => {
    const { lms } = school()
    const { course, students } = lms.classOf(4)
    const [left, inactive] = students
    if (!left || !inactive) throw new Error('students')
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    const { _id: leftId } = await findAccount(school().platform, left)
    const work = { student_id: leftId, course_id: tied.courseId }
    await SubmissionModel.collection.insertOne({ _id: 900_001 as never, ...work })

    lms.unenrol(course, left)
    lms.enrol(course, inactive, 'Learner', 'Inactive')
    expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 2, unchanged: 3, listed: 4 })
    expect(await rosterOf(tied)).toHaveLength(2)
    expect(await SubmissionModel.collection.countDocuments(work)).toBe(1)
    expect(await findMember(tied.context, left)).toMatchObject({ status: 'suspended', user_id: leftId })
    const { courseId, teacher } = tied
    const suspended = await teacher.send(listSuspended, { params: { courseId } })
    expect(suspended.headers.get('x-total-count')).toBe('2')
    const byName = [left.name, inactive.name].sort()
    expect(suspended.body.map(({ full_name, role }) => [full_name, role])).toEqual(
      byName.map((name) => [name, 'student']),
    )
    for (const skip of [0, 1]) {
      const page = await teacher.send(listSuspended, { params: { courseId }, query: { skip, limit: 1 } })
      expect(page.body.map(({ full_name }) => full_name)).toEqual([byName[skip]])
    }

    lms.enrol(course, left, 'Learner')
    lms.enrol(course, inactive, 'Learner')
    expect(await syncRoster(tied)).toMatchObject({ returned: 2, suspended: 0, created: 0 })
    expect((await rosterOf(tied)).map(({ id }) => id)).toContain(leftId)
    expect((await teacher.send(listSuspended, { params: { courseId } })).body).toEqual([])
  })

  it('stay when they are active in another section of the same course', async () => {
    const { lms, platform } = school()
    const first = lms.classOf(3, { title: 'Section A' })
    const second = lms.addCourse({ title: 'Section B' })
    const tied = await buildLinkedCourse(school(), first.course)
    await linkCourse(lms, platform, second, tied.courseId)
    const [moving] = first.students
    if (!moving) throw new Error('a student')
    lms.enrol(second, moving, 'Learner')
    await syncRoster(tied)
    lms.unenrol(first.course, moving)
    await syncRoster(tied)
    expect(await findMember(tied.context, moving)).toMatchObject({ status: 'suspended' })
    expect(await rosterOf(tied)).toHaveLength(3)
    const params = { courseId: tied.courseId }
    expect((await tied.teacher.send(listSuspended, { params })).body).toEqual([])
  })

  it('stay when a teacher has added them, whatever the LMS lists', async () => {
    const { lms, platform } = school()
    const { course, students } = lms.classOf(3)
    const [known] = students
    if (!known) throw new Error('a student')
    const tied = await buildLinkedCourse(school(), course)
    const own = await buildPerson('student')
    const email = `${own.username}@school.example`
    await tied.teacher.send(addStudent, { params: { courseId: tied.courseId }, body: { email } })
    const user = await UserModel.findById(own.id).lean()
    if (!user) throw new Error('an account')
    await linkPerson(platform, tied.context, known, { user })
    await syncRoster(tied)
    lms.unenrol(course, known)
    expect(await syncRoster(tied)).toMatchObject({ suspended: 1 })
    expect((await rosterOf(tied)).map(({ id }) => id)).toContain(own.id)
  })

  it('are not suspended by a list without most of the class until a teacher accepts it', async () => {
    const { lms } = school()
    const { course, students } = lms.classOf(14)
    const tied = await buildLinkedCourse(school(), course)
    const params = { courseId: tied.courseId }
    await syncRoster(tied)
    const early = await tied.teacher.send(syncLmsRoster, { params, body: { suspend_missing: true } })
    expect(early.status).toBe(409)
    for (const student of students.slice(1)) lms.unenrol(course, student)
    const doubted = await syncRoster(tied)
    expect(doubted).toMatchObject({ state: 'doubtful', missing: 13, suspended: 0, listed: 2 })
    expect(await rosterOf(tied)).toHaveLength(14)
    expect(await syncRoster(tied)).toMatchObject({ state: 'doubtful', missing: 13 })
    expect(await rosterOf(tied)).toHaveLength(14)
    expect(await syncRoster(tied, { suspend_missing: true })).toMatchObject({
      state: 'done',
      suspended: 13,
      missing: 0,
    })
    expect(await rosterOf(tied)).toHaveLength(1)
  })

  it('are not suspended by an empty list', async () => {
    const { lms } = school()
    const { course } = lms.classOf(2)
    const tied = await buildLinkedCourse(school(), course)
    await syncRoster(tied)
    course.members.clear()
    expect(await syncRoster(tied)).toMatchObject({ state: 'doubtful', missing: 3, listed: 0 })
    expect(await rosterOf(tied)).toHaveLength(2)
  })
})

describe('when', () => {
  it('syncs as soon as an instructor has linked the course, without a request', async () => {
    const { lms, deployment } = school()
    const { course, teacher: grace } = lms.classOf(5)
    const link = lms.addLink(course, { deployment })
    const first = await launchAndSignIn(school(), { as: grace, link })
    const body = { course: { kind: 'new', name: 'Biology' }, assignment: { kind: 'none' } } as const
    const { course_id: courseId } = (await first.caller.send(setUpLaunch, { body })).body
    if (courseId === null) throw new Error('a course was set up')
    const [lmsCourse] = await waitForSync({ courseId, teacher: first.caller })
    expect(lmsCourse).toMatchObject({ title: course.title, members: 6, report: { state: 'done', created: 5 } })
    expect((await first.caller.send(getCourse, { params: { courseId } })).body.student_count).toBe(5)
  })

  it('syncs at an instructor’s launch once the LMS gives the roster’s address', async () => {
    const { lms } = school()
    const { course, teacher: grace } = lms.classOf(2)
    const tied = await buildLinkedCourse(school(), course, { roster: null, memberships_url: null })
    const { courseId, teacher } = tied
    const refused = await teacher.send(syncLmsRoster, { params: { courseId }, body: {} })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body.message).toMatch(/does not share its roster with Assay/)
    await launchAndSignIn(school(), { as: grace, course, message: 'LtiDeepLinkingRequest' })
    const [lmsCourse] = await waitForSync(tied)
    expect(lmsCourse).toMatchObject({ blocker: null, report: { state: 'done', created: 2 } })
  })

  it('syncs at night, two courses at once in turn, and not courses nobody opens any more', async () => {
    const { lms } = school()
    const { services } = server.running
    const due = { sync_due_at: new Date(Date.now() - 1000) }
    const tied = await Promise.all([1, 2, 3, 4].map(() => buildLinkedCourse(school(), lms.classOf(2).course, due)))
    const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000)
    const old = await buildLinkedCourse(school(), lms.classOf(2).course, { ...due, launched_at: longAgo })
    await queueDueSyncs(services)
    for (const { context } of tied)
      await expect.poll(async () => (await reloadContext(context))?.roster).toMatchObject({ state: 'done', created: 3 })
    for (const one of tied) {
      const at = (await reloadContext(one.context))?.sync_due_at
      expect(at?.getTime()).toBeGreaterThan(Date.now())
      expect(at?.getHours()).toBeLessThan(5)
    }
    expect((await reloadContext(old.context))?.roster?.created).toBe(0)
  })
})
