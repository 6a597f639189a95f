import { publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { createCourse, deleteCourse, getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { getLaunch, getSetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import type { Course, Person } from '../../../../../tests/fake-lms/data/lms-data.ts'
import type { Link } from '../../../../../tests/fake-lms/data/records.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { sweepOrphans } from '../../../maintenance/sweep-orphans.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildCourse, buildPerson, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import {
  buildLaunchedAssignment,
  launchAndSignIn,
  setUpCourse,
  useRegisteredLms,
} from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

const newCourse = (name: string) => ({ kind: 'new' as const, name })
const none = { kind: 'none' as const }

function classWithLink(students = 1) {
  const { lms, deployment } = school()
  const found = lms.classOf(students)
  return { ...found, link: lms.addLink(found.course, { deployment, title: 'Quiz 1', scoreMaximum: 20 }) }
}

async function readyClass(students = 1) {
  const room = await setUpCourse(school(), students)
  const { assignmentId } = await buildLaunchedAssignment(api, room)
  return { ...room, assignmentId }
}

function copyOf(course: Course, as: Person) {
  const { lms } = school()
  const copy = lms.copyCourse(course)
  lms.enrol(copy, as, 'Instructor')
  return { copy, link: [...lms.links.values()].find((one) => one.course === copy) as Link }
}

it('makes a course of the LMS’s, and puts everybody into it who has launched before', async () => {
  const { teacher, students, link, course } = classWithLink(2)
  const [early, late] = students
  if (!early || !late) throw new Error('two students')
  const waits = await launchAndSignIn(school(), { as: early, link })
  expect(waits.launch).toMatchObject({ purpose: 'waiting', course_id: null })

  const { caller } = await launchAndSignIn(school(), { as: teacher, link })
  expect((await caller.send(getSetUp)).body).toEqual({
    context_title: course.title,
    link_title: 'Quiz 1',
    has_link: true,
    course_id: null,
    courses: [],
    assignments: [],
    copied_from: null,
  })
  const done = await caller.send(setUpLaunch, { body: { course: newCourse('Biology'), assignment: none } })
  const courseId = done.body.course_id ?? 0
  expect(done.body).toMatchObject({ purpose: 'open', path: `/courses/${courseId}` })
  expect((await caller.send(getCourse, { params: { courseId } })).body).toMatchObject({ name: 'Biology' })

  await launchAndSignIn(school(), { as: late, link })
  const listed = await caller.send(listCourseStudents, { params: { courseId } })
  expect(listed.body.map(({ full_name }) => full_name).sort()).toEqual([early.name, late.name].sort())
  expect((await waits.caller.send(getLaunch)).body).toMatchObject({
    purpose: 'open',
    path: `/student/courses/${courseId}`,
  })
})

it('sends students to the assignment once it is published, and instructors to its papers', async () => {
  const { teacher, students, link, assignmentId, teacherLaunch } = await readyClass(1)
  const [student] = students
  if (!student) throw new Error('a student')
  expect((await launchAndSignIn(school(), { as: teacher, link })).launch).toMatchObject({
    purpose: 'open',
    path: `/assignments/${assignmentId}/submissions`,
    assignment_id: assignmentId,
  })
  const early = await launchAndSignIn(school(), { as: student, link })
  expect(early.launch).toMatchObject({ purpose: 'waiting', path: '/lti/waiting' })
  await teacherLaunch.caller.send(publishAssignment, { params: { assignmentId } })
  const launch = await early.caller.send(getLaunch)
  expect(launch.body).toMatchObject({ purpose: 'open', path: `/student/assignments/${assignmentId}` })
  const opened = await early.caller.send(getStudentAssignment, { params: { assignmentId } })
  expect(opened).toMatchObject({ status: 200, body: { id: assignmentId } })
})

it('leaves the link to be set up while its assignment is still to be created', async () => {
  const { teacher, link } = classWithLink()
  const { caller } = await launchAndSignIn(school(), { as: teacher, link })
  const body = { course: newCourse('Later'), assignment: { kind: 'later' as const } }
  expect((await caller.send(setUpLaunch, { body })).body).toMatchObject({
    purpose: 'set_up',
    course_id: expect.any(Number),
  })
  expect((await launchAndSignIn(school(), { as: teacher, link })).launch).toMatchObject({ purpose: 'set_up' })
})

it('takes a further section into a course the instructor teaches, and gives its teachers and students their places', async () => {
  const { lms, deployment } = school()
  const { teacher, course: first, courseId, assignmentId } = await readyClass(0)
  const section = lms.classOf(1)
  lms.enrol(section.course, teacher, 'Instructor')
  const link = lms.addLink(section.course, { deployment, title: 'Quiz 1' })
  const { caller } = await launchAndSignIn(school(), { as: teacher, link })
  expect((await caller.send(getSetUp)).body).toMatchObject({
    course_id: null,
    courses: [{ id: courseId, name: first.title, assignments: 1 }],
  })
  const body = {
    course: { kind: 'existing' as const, course_id: courseId },
    assignment: { kind: 'existing' as const, assignment_id: assignmentId },
  }
  expect((await caller.send(setUpLaunch, { body })).body).toMatchObject({ assignment_id: assignmentId })
  const colleague = await launchAndSignIn(school(), { as: section.teacher, link })
  expect(colleague.launch.path).toBe(`/assignments/${assignmentId}/submissions`)
  const known = await colleague.caller.send(getCourse, { params: { courseId } })
  expect(known.body.instructors.map(({ id }) => id)).toContain(colleague.userId)
  const audit = await AuditModel.find({ action: 'course.tied_to_lms', 'subject.course_id': courseId }).lean()
  expect(audit).toHaveLength(2)
})

it('lets one of two in who set a course up at once, and leaves no second course', async () => {
  const { lms } = school()
  const { teacher, course, link } = classWithLink()
  const other = lms.addUser()
  lms.enrol(course, other, 'TeachingAssistant')
  const both = [
    await launchAndSignIn(school(), { as: teacher, link }),
    await launchAndSignIn(school(), { as: other, link }),
  ]
  const name = 'Set up by two'
  const replies = await Promise.all(
    both.map(({ caller }) => caller.send(setUpLaunch, { body: { course: newCourse(name), assignment: none } })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await CourseModel.countDocuments({ name })).toBe(1)
})

it('offers no course and takes no assignment that the instructor does not teach', async () => {
  const { teacher, link } = classWithLink()
  const { caller } = await launchAndSignIn(school(), { as: teacher, link })
  const stranger = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildAssignment(api, stranger, [])
  const course = { kind: 'existing' as const, course_id: stranger.courseId }
  expect((await caller.send(setUpLaunch, { body: { course, assignment: none } })).status).toBe(404)
  for (const kind of ['existing', 'copy'] as const) {
    const body = { course: newCourse('Mine'), assignment: { kind, assignment_id: assignmentId } }
    expect((await caller.send(setUpLaunch, { body })).status).toBe(404)
  }
  expect((await caller.send(getSetUp)).body.courses).toEqual([])
  expect(await CourseModel.countDocuments({ name: 'Mine' })).toBe(0)
})

it('asks for a copy of an assignment of another course, which is a draft without anybody’s work', async () => {
  const own = await readyClass(1)
  const papers = [{ name: 'kim.pdf', bytes: await drawPaper({ full_name: 'Kim' }, correctAnswers) }]
  const { lms, deployment } = school()
  const { assignmentId } = await buildLaunchedAssignment(api, own, papers)
  await own.teacherLaunch.caller.send(publishAssignment, { params: { assignmentId } })
  const next = lms.addCourse()
  lms.enrol(next, own.teacher, 'Instructor')
  const link = lms.addLink(next, { deployment, title: 'Quiz 2' })
  const { caller } = await launchAndSignIn(school(), { as: own.teacher, link })
  const course = newCourse('Next term')
  const existing = { kind: 'existing' as const, assignment_id: assignmentId }
  const refused = await caller.send(setUpLaunch, { body: { course, assignment: existing } })
  expect(refused).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'assignment' }] } })
  const done = await caller.send(setUpLaunch, {
    body: { course, assignment: { kind: 'copy', assignment_id: assignmentId } },
  })
  const copyId = done.body.assignment_id ?? 0
  expect(copyId).not.toBe(assignmentId)
  const [from, copy] = await Promise.all([
    AssignmentModel.findById(assignmentId).lean(),
    AssignmentModel.findById(copyId).lean(),
  ])
  expect(copy).toMatchObject({
    status: 'draft',
    course_id: done.body.course_id,
    title: from?.title,
    blank: from?.blank,
    key: from?.key,
    due_at: null,
  })
  expect(await SubmissionModel.countDocuments({ assignment_id: copyId })).toBe(0)
})

it('offers last term’s assignment for a copied course, and never ties this term’s students to it', async () => {
  const { lms } = school()
  const old = await readyClass(1)
  old.link.custom = { assignment_id: String(old.assignmentId) }
  const { copy, link } = copyOf(old.course, old.teacher)
  const student = lms.addUser()
  lms.enrol(copy, student, 'Learner')
  const early = await launchAndSignIn(school(), { as: student, link })
  expect(early.launch).toMatchObject({ purpose: 'waiting', course_id: null, assignment_id: null })
  const { caller } = await launchAndSignIn(school(), { as: old.teacher, link })
  const { copied_from } = (await caller.send(getSetUp)).body
  expect(copied_from).toMatchObject({ course_id: old.courseId, assignment_id: old.assignmentId })
  const body = {
    course: newCourse('This term'),
    assignment: { kind: 'copy' as const, assignment_id: old.assignmentId },
  }
  const done = await caller.send(setUpLaunch, { body })
  expect(done.body.assignment_id).not.toBe(old.assignmentId)
  const again = await launchAndSignIn(school(), { as: student, link })
  expect(again.launch).toMatchObject({ assignment_id: done.body.assignment_id })
  const oldStudents = await old.teacherLaunch.caller.send(listCourseStudents, { params: { courseId: old.courseId } })
  expect(oldStudents.body.map(({ id }) => id)).not.toContain(again.userId)
})

it('says nothing of where a course was copied from to an instructor who did not teach that', async () => {
  const old = await readyClass(0)
  const other = school().lms.addUser()
  const { link } = copyOf(old.course, other)
  const { caller } = await launchAndSignIn(school(), { as: other, link })
  expect((await caller.send(getSetUp)).body).toMatchObject({ copied_from: null, courses: [] })
})

it('finds the assignment by the name of its link where the LMS sends the history of courses only', async () => {
  const old = await readyClass(0)
  const { link } = copyOf(old.course, old.teacher)
  link.history = []
  const { caller } = await launchAndSignIn(school(), { as: old.teacher, link })
  expect((await caller.send(getSetUp)).body.copied_from).toMatchObject({ assignment_id: old.assignmentId })
})

it('believes a deep link’s assignment within its own course alone, and follows it to another there', async () => {
  const { lms, deployment } = school()
  const one = await readyClass(0)
  const foreign = await readyClass(0)
  const link = lms.addLink(one.course, { deployment, custom: { assignment_id: String(foreign.assignmentId) } })
  const launch = () => launchAndSignIn(school(), { as: one.teacher, link })
  const first = await launch()
  expect(first.launch).toMatchObject({ purpose: 'set_up', assignment_id: null })
  const taken = { kind: 'existing' as const, assignment_id: foreign.assignmentId }
  expect((await first.caller.send(setUpLaunch, { body: { assignment: taken } })).status).toBe(404)
  link.custom = { assignment_id: String(one.assignmentId) }
  expect((await launch()).launch).toMatchObject({ purpose: 'open', assignment_id: one.assignmentId })
  const second = await buildLaunchedAssignment(api, one)
  link.custom = { assignment_id: String(second.assignmentId) }
  expect((await launch()).launch.assignment_id).toBe(second.assignmentId)
  const stored = await LtiResourceLinkModel.findOne({ resource_link_id: link.id }).lean()
  expect(stored).toMatchObject({ assignment_id: second.assignmentId })
})

it('asks for the course before deep linking, and for nothing but that', async () => {
  const { lms, deployment } = school()
  const { course, teacher } = lms.classOf(0)
  const message = 'LtiDeepLinkingRequest' as const
  const { caller, launch } = await launchAndSignIn(school(), { as: teacher, course, deployment, message })
  expect(launch).toMatchObject({ purpose: 'set_up' })
  expect((await caller.send(getSetUp)).body).toMatchObject({ has_link: false })
  const done = await caller.send(setUpLaunch, { body: { course: newCourse('Linked'), assignment: none } })
  expect(done.body).toMatchObject({ purpose: 'deep_link', path: '/lti/choose' })
})

it('opens no assignment that was moved to another course', async () => {
  const { teacher, students, link, assignmentId, teacherLaunch } = await readyClass(1)
  const elsewhere = await teacherLaunch.caller.send(createCourse, { body: { name: 'Elsewhere' } })
  const body = { course_id: elsewhere.body.id }
  const moved = await teacherLaunch.caller.send(updateAssignment, { params: { assignmentId }, body })
  expect(moved.status).toBe(200)
  expect((await launchAndSignIn(school(), { as: teacher, link })).launch).toMatchObject({
    purpose: 'set_up',
    assignment_id: null,
  })
  const [student] = students
  if (!student) throw new Error('a student')
  expect((await launchAndSignIn(school(), { as: student, link })).launch).toMatchObject({
    purpose: 'waiting',
    assignment_id: null,
  })
})

it('names its LMS to those who teach the course, and to nobody else', async () => {
  const { teacherLaunch, courseId, students, link } = await readyClass(1)
  const params = { courseId }
  const { name } = school().platform
  expect((await teacherLaunch.caller.send(getCourse, { params })).body.lms_names).toEqual([name])
  const [student] = students
  if (!student) throw new Error('a student')
  const theirs = await launchAndSignIn(school(), { as: student, link })
  expect((await theirs.caller.send(getCourse, { params })).body.lms_names).toEqual([])
  const own = await buildCourse(api, { students: 0 })
  const reply = await api.as(own.instructor).send(getCourse, { params: { courseId: own.courseId } })
  expect(reply.body.lms_names).toEqual([])
})

it('is unlinked from its course when that is deleted', async () => {
  const ready = await readyClass(0)
  const other = await readyClass(0)
  const params = { courseId: ready.courseId }
  expect((await ready.teacherLaunch.caller.send(deleteCourse, { params })).status).toBe(200)
  expect(await LtiContextModel.countDocuments({ course_id: ready.courseId })).toBe(0)
  expect(await LtiContextModel.countDocuments({ course_id: other.courseId })).toBe(1)
  expect((await ready.teacherLaunch.caller.send(getLaunch)).body).toMatchObject({ purpose: 'set_up', course_id: null })
})

it('is unlinked by the sweep or the next launch from a course whose deletion was interrupted', async () => {
  for (const launches of [false, true]) {
    const { courseId, teacher, link } = await readyClass(0)
    await CourseModel.deleteOne({ _id: courseId })
    const opened = launches ? await launchAndSignIn(school(), { as: teacher, link }) : null
    if (opened) expect(opened.launch).toMatchObject({ purpose: 'set_up', course_id: null, assignment_id: null })
    else await sweepOrphans(server.running.services)
    expect(await LtiContextModel.countDocuments({ course_id: courseId })).toBe(0)
  }
})

it('is no call for who signed in by password, nor in a course already set up as another', async () => {
  const instructor = await buildPerson('instructor')
  const body = { course: newCourse('Mine'), assignment: none }
  expect((await api.as(instructor).send(setUpLaunch, { body })).status).toBe(404)
  expect((await api.as(instructor).send(createCourse, { body: { name: 'Own' } })).status).toBe(201)
  const ready = await readyClass(0)
  const again = await ready.teacherLaunch.caller.send(setUpLaunch, { body })
  expect(again.status).toBe(409)
})
