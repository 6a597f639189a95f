import {
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
} from '@assay/shared/analytics.ts'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { joinAccount, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { RunModel } from '../../../records/grading/run.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  weakAnswers,
} from '../../../testing/build-course.ts'
import { type LaunchedCaller, launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const api = createTestApi(server)

it('lets instructors look through a test student, who is graded and in no figure, no class and no account', async () => {
  const { lms, deployment } = school()
  const { course, teacher, students } = lms.classOf(1)
  const link = lms.addLink(course, { deployment, title: 'Quiz 1', scoreMaximum: 20 })
  const { caller, userId } = await launchAndSignIn(school(), { as: teacher, link })
  const set = await caller.send(setUpLaunch, {
    body: { course: { kind: 'new', name: 'Physics' }, assignment: { kind: 'later' } },
  })
  const courseId = set.body.course_id ?? 0
  const asTeacher = { ...api, as: () => caller }
  const instructor = { id: userId, username: '', password: '' }
  const { assignmentId } = await buildAssignment(asTeacher, { instructor, courseId }, [])
  const params = { assignmentId }
  await caller.send(setUpLaunch, { body: { assignment: { kind: 'existing', assignment_id: assignmentId } } })
  await caller.send(publishAssignment, { params })

  const [kim] = students
  if (!kim) throw new Error('a student')
  const real = await launchAndSignIn(school(), { as: kim, link })
  const tester = await launchAndSignIn(school(), { as: lms.addTestStudent(course), link })
  expect(tester.launch).toMatchObject({ role: 'student', purpose: 'open', can_join_account: false })
  const handIn = async (who: LaunchedCaller, name: string, answers: string[]) => {
    const file = [{ name: 'paper.pdf', bytes: await drawPaper({ full_name: name }, answers) }]
    return (await who.caller.send(handInPaper, { params, body: {}, files: { file } })).status
  }
  expect(await handIn(real, kim.name, correctAnswers)).toBe(201)
  expect(await handIn(tester, 'Test Student', weakAnswers)).toBe(201)
  await gradeAssignment(asTeacher, instructor, assignmentId)
  await caller.send(publishAssignment, { params })

  expect((await tester.caller.send(getStudentAssignment, { params })).body).toMatchObject({ is_graded: true })
  expect((await caller.send(listSubmissions, { params })).body).toHaveLength(2)
  expect((await caller.send(listCourseStudents, { params: { courseId } })).body).toHaveLength(2)

  const inCourse = { params: { courseId } }
  const grade = (await real.caller.send(getStudentAssignment, { params })).body.overall_score
  expect((await caller.send(getCourse, inCourse)).body.student_count).toBe(1)
  expect((await caller.send(getCourseAnalytics, inCourse)).body).toMatchObject({
    total_enrolled_students: 1,
    total_graded_items: 1,
    course_average_grade: grade,
    overall_completion_rate: 100,
  })
  expect((await caller.send(getGradeDistribution, inCourse)).body.total_grades).toBe(1)
  const performance = await caller.send(listStudentPerformance, inCourse)
  expect(performance.body.map(({ student_id }) => student_id)).toEqual([real.userId])
  expect(performance.headers.get('x-total-count')).toBe('1')
  const [questions] = (await caller.send(listQuestionStatistics, inCourse)).body
  expect(questions?.papers).toBe(1)

  const run = await RunModel.findOne({ assignment_id: assignmentId }).lean()
  const own = await SubmissionModel.findOne({ student_id: real.userId }).lean()
  expect(run?.class_submission_ids).toEqual([own?._id])

  const target = await buildPerson('student')
  const body = { username: target.username, password: target.password }
  expect((await tester.caller.send(joinAccount, { body })).status).toBe(403)
})
