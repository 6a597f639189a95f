import { setTimeout } from 'node:timers/promises'
import { flagReviewBudget, getBlindAnswer, markBlindAnswer, startAccuracyCheck } from '@assay/shared/accuracy-checks.ts'
import { getClassScan, uploadClassScan } from '@assay/shared/class-scans.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { type openLaunch, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { uploadSubmissions } from '@assay/shared/submissions.ts'
import { createMailedLinkToken } from '../../server/src/features/auth/mailed-link.ts'
import { startSession } from '../../server/src/features/auth/session.service.ts'
import { seedDemo } from '../../server/src/features/demo/seed-demo.ts'
import { logLaunchAttempt, newLaunchAttempt } from '../../server/src/features/lti/launch-endpoints/launch-attempt.ts'
import { createPlatform } from '../../server/src/features/lti/platforms/platform.service.ts'
import { LtiRefusal } from '../../server/src/features/lti/refusals.ts'
import {
  createUser,
  findDemoUsers,
  findUserByLogin,
  requireUser,
} from '../../server/src/features/users/user.service.ts'
import { AssignmentModel } from '../../server/src/records/assignments/assignment.model.ts'
import { CourseModel } from '../../server/src/records/courses/course.model.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { RunningServer } from '../../server/src/start.ts'
import { type Api, createTestApi } from '../../server/src/testing/api.ts'
import {
  buildAssignment,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  weakAnswers,
} from '../../server/src/testing/build-course.ts'
import { launchAndSignIn, type RegisteredLms } from '../../server/src/testing/registered-lms.ts'
import type { LaunchOptions } from '../fake-lms/launches/launcher.ts'
import { demoStudents } from '../papers/demo-students.ts'
import { type ClassStudent, seedReleased } from './seed-released.ts'

/** Accounts: `visitor` is not signed in; the new ones have no data; the beginner has a course with an assignment but no students. */
export type Role = 'visitor' | 'instructor' | 'student' | 'admin' | 'new instructor' | 'beginner' | 'new student'

export interface TestData {
  tokens: Record<Exclude<Role, 'visitor'>, string>
  courseId: number
  emptyCourseId: number
  assignmentId: number
  draftId: number
  emptyAssignmentId: number
  /** Assignments with an accuracy check: half marked, and finished with flagged papers. */
  checkingId: number
  checkedId: number
  submissionId: number
  ungradedSubmissionId: number
  /** A scan of a few papers of the draft, to be looked over. */
  classScanId: number
  /** The demo student's graded assignment. */
  studentAssignmentId: number
  /** With similar answers, regrade requests and adjusted scores; the demo student's paper there is late. */
  releasedId: number
  /** With a regrade request that is open, or answered. */
  requestedSubmissionId: number
  answeredSubmissionId: number
  /** Unused secrets of mailed links; opening their pages does not use them. */
  links: { reset: string; confirm: string; invitation: string }
  /** Sessions of LMS launches, as the resume request returns them. */
  launches: Record<Launched, LaunchedSession>
  /** An active LMS, and one that waits for approval. */
  platformId: number
  waitingPlatformId: number
}

/**
 * `setting up`: an instructor at a link that is not set up; `waiting`: a student there; `no role`: an administrator of the LMS there;
 * `choosing`: an instructor in deep linking.
 */
export type Launched = 'setting up' | 'waiting' | 'no role' | 'choosing'
export type LaunchedSession = ReplyOf<typeof openLaunch>

const required = <T>(thing: T | null | undefined, what: string): T => {
  if (thing === null || thing === undefined) throw new Error(`the demo has no ${what}`)
  return thing
}

/** The demo course, graded and published, and accounts and a course without data. */
export async function buildTestData(running: RunningServer, school: RegisteredLms): Promise<TestData> {
  const { services, grading } = running
  await seedDemo(services, grading)
  const demo = await findDemoUsers()
  const instructor = required(
    demo.find(({ role }) => role === 'instructor'),
    'instructor',
  )
  const student = required(
    demo.find(({ role }) => role === 'student'),
    'student',
  )
  const admin = required(await findUserByLogin('admin'), 'administrator')
  const course = required(await CourseModel.findOne({ created_by: instructor._id }).lean(), 'course')
  const graded = required(
    await AssignmentModel.findOne({ course_id: course._id, status: 'published' }).lean(),
    'published assignment',
  )
  const draft = required(await AssignmentModel.findOne({ course_id: course._id, status: 'draft' }).lean(), 'draft')
  const own = required(
    await SubmissionModel.findOne({ assignment_id: graded._id, student_id: student._id }).lean(),
    'paper of the student',
  )
  const waiting = required(await SubmissionModel.findOne({ assignment_id: draft._id }).lean(), 'ungraded paper')

  const api = createTestApi({ running })
  const newInstructor = await buildPerson('instructor', { username: 'newteacher', full_name: 'Nora Neumann' })
  const beginner = await buildPerson('instructor', { username: 'beginner', full_name: 'Bea Ginner' })
  const newStudent = await buildPerson('student', { username: 'newstudent', full_name: 'Nils Neumann' })
  const empty = await api.as(beginner).send(createCourse, { body: { name: 'A course without anybody' } })
  const { assignmentId: emptyAssignmentId } = await buildAssignment(
    api,
    { instructor: beginner, courseId: empty.body.id },
    [],
  )
  // Papers without student names, for the screen that assigns them.
  const instructorToken = await startSession(instructor, services)
  await api.withToken(instructorToken).send(uploadSubmissions, {
    params: { assignmentId: draft._id },
    body: {},
    files: {
      files: [
        { name: 'scan 0041.pdf', bytes: await drawPaper({ full_name: 'Lucy Chen' }, correctAnswers) },
        { name: 'scan 0042.pdf', bytes: await drawPaper({ full_name: 'Somebody Else' }, correctAnswers) },
      ],
    },
  })
  const invited = await createUser(
    {
      username: 'invited',
      email: 'invited@school.example',
      role: 'student',
      account: 'invited',
      password_hash: null,
    },
    services.clock.now(),
  )
  const now = services.clock.now()
  const links = {
    reset: await createMailedLinkToken(await requireUser(newStudent.id), 'reset', now),
    confirm: await createMailedLinkToken(await requireUser(newStudent.id), 'confirm', now),
    invitation: await createMailedLinkToken(invited, 'invitation', now),
  }
  const tokenOf = async (id: number) => startSession(await requireUser(id), services)
  const released = await seedReleased(
    api,
    {
      caller: api.withToken(instructorToken),
      person: { id: instructor._id, username: instructor.username, password: '' },
    },
    course._id,
    await Promise.all(
      // The demo student last: theirs is the late paper.
      [...demoStudents.filter(({ username }) => username !== student.username).slice(0, 6), student].map(
        async ({ username, full_name }): Promise<ClassStudent> => {
          const user = required(await findUserByLogin(username), username)
          return { full_name: full_name ?? username, caller: api.withToken(await tokenOf(user._id)) }
        },
      ),
    ),
  )
  return {
    tokens: {
      instructor: await tokenOf(instructor._id),
      student: await tokenOf(student._id),
      admin: await tokenOf(admin._id),
      'new instructor': await tokenOf(newInstructor.id),
      beginner: await tokenOf(beginner.id),
      'new student': await tokenOf(newStudent.id),
    },
    courseId: course._id,
    emptyCourseId: empty.body.id,
    assignmentId: graded._id,
    draftId: draft._id,
    emptyAssignmentId,
    submissionId: own._id,
    ungradedSubmissionId: waiting._id,
    classScanId: await buildClassScan(api.withToken(instructorToken), draft._id),
    studentAssignmentId: graded._id,
    releasedId: released.assignmentId,
    requestedSubmissionId: released.requested,
    answeredSubmissionId: released.answered,
    links,
    ...(await buildChecks(api, instructor, instructorToken, course._id)),
    launches: await launchAll(api, school),
    ...(await buildPlatforms(running)),
  }
}

async function buildClassScan(teacher: ReturnType<Api['withToken']>, assignmentId: number): Promise<number> {
  const papers = ['Maya Fischer', 'Lucy Chen', 'Somebody Else'].map(async (full_name, i) => ({
    name: `copier ${i + 1}.pdf`,
    bytes: await drawPaper({ full_name }, correctAnswers),
  }))
  const body = { split_by: 'blank' as const }
  const sent = { params: { assignmentId }, body, files: { files: await Promise.all(papers) } }
  const scanId = (await teacher.send(uploadClassScan, sent)).body.id
  const isReady = async () =>
    (await teacher.send(getClassScan, { params: { assignmentId, scanId } })).body.state === 'ready'
  while (!(await isReady())) await setTimeout(200)
  return scanId
}

/** Two graded assignments in which the grader is checked; every answer marked gets half of its points. */
async function buildChecks(
  api: Api,
  { _id, username }: { _id: number; username: string },
  token: string,
  courseId: number,
): Promise<Pick<TestData, 'checkingId' | 'checkedId'>> {
  const teacher = api.withToken(token)
  const signedIn: Api = { ...api, as: () => teacher }
  const owner = { id: _id, username, password: '' }
  const build = async (marks: number) => {
    const papers = await Promise.all(
      ['Ann Avery', 'Bo Birch', 'Cem Cole', 'Dee Dunn', 'Eli East', 'Fay Fox'].map(async (full_name, i) => ({
        name: `${full_name}.pdf`,
        bytes: await drawPaper({ full_name }, i % 2 ? correctAnswers : weakAnswers),
      })),
    )
    const { assignmentId } = await buildAssignment(signedIn, { instructor: owner, courseId }, papers)
    await gradeAssignment(signedIn, owner, assignmentId)
    const params = { assignmentId }
    const { body: check } = await teacher.send(startAccuracyCheck, { params, body: { answers: 10 } })
    for (const { position } of check.answers.slice(0, marks)) {
      const at = { ...params, position }
      const { body } = await teacher.send(getBlindAnswer, { params: at })
      const points = Object.fromEntries(body.question.criteria.map(({ id, points }) => [id, points / 2]))
      await teacher.send(markBlindAnswer, { params: at, body: { check_id: check.id, points } })
    }
    if (marks === check.answers.length)
      await teacher.send(flagReviewBudget, { params, body: { check_id: check.id, limit: 10, risk: 5 } })
    return assignmentId
  }
  return { checkingId: await build(5), checkedId: await build(10) }
}

/** A link that is not set up, in an LMS course that is. */
async function launchAll(api: Api, school: RegisteredLms): Promise<TestData['launches']> {
  const { lms, deployment } = school
  const { course, teacher, students } = lms.classOf(1)
  const link = lms.addLink(course, { deployment, title: 'Quiz 3', scoreMaximum: 20 })
  const first = await launchAndSignIn(school, { as: teacher, link })
  const body = {
    course: { kind: 'new' as const, name: course.title },
    assignment: { kind: 'later' as const },
  }
  const courseId = (await first.caller.send(setUpLaunch, { body })).body.course_id ?? 0
  const owner = { id: first.userId, username: '', password: '' }
  await buildAssignment({ ...api, as: () => first.caller }, { instructor: owner, courseId }, [])

  const unknown = lms.classOf(1)
  const early = lms.addLink(unknown.course, { deployment, title: 'Quiz 1: cells', scoreMaximum: 20 })
  const session = async (options: LaunchOptions): Promise<LaunchedSession> => {
    return (await launchAndSignIn(school, options)).session
  }
  const student = required(unknown.students[0] ?? students[0], 'student')
  return {
    'setting up': await session({ as: unknown.teacher, link: early }),
    waiting: await session({ as: student, link: early }),
    'no role': await session({ as: lms.addAdmin(), link: early }),
    choosing: await session({ as: teacher, course, deployment, message: 'LtiDeepLinkingRequest' }),
  }
}

async function buildPlatforms({ services }: RunningServer) {
  const moodle = 'https://moodle.school.example'
  const active = await createPlatform(
    {
      name: 'School of the North',
      lms: 'moodle',
      issuer: moodle,
      client_id: 'X3rU8Yq0WmTzA1b',
      auth_endpoint: `${moodle}/mod/lti/auth.php`,
      token_endpoint: `${moodle}/mod/lti/token.php`,
      token_audience: null,
      jwks_url: `${moodle}/mod/lti/certs.php`,
      status: 'active',
      approved_by: 1,
      deployments: [{ id: '2', first_seen_at: new Date() }],
    },
    services,
  )
  const waiting = await createPlatform(
    {
      name: 'school.instructure.com',
      lms: 'canvas',
      issuer: 'https://canvas.instructure.com',
      client_id: '10000000000042',
      auth_endpoint: 'https://sso.canvaslms.com/api/lti/authorize_redirect',
      token_endpoint: 'https://sso.canvaslms.com/login/oauth2/token',
      token_audience: null,
      jwks_url: 'https://sso.canvaslms.com/api/lti/security/jwks',
      status: 'pending',
      registered_by: 'link',
      origins: ['https://school.instructure.com'],
    },
    services,
  )
  const attempt = {
    ...newLaunchAttempt('launch', 'contact-sheet'),
    platform: active,
    issuer: moodle,
    deployment_id: '2',
  }
  await logLaunchAttempt({ ...attempt, via: 'cookie', role: 'instructor' }, null, services)
  await logLaunchAttempt({ ...attempt, via: 'storage', role: 'student' }, null, services)
  await logLaunchAttempt(attempt, new LtiRefusal('token_time', 'iat lies in the future'), services)
  return { platformId: active._id, waitingPlatformId: waiting._id }
}
