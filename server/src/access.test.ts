import { randomUUID } from 'node:crypto'
import { listAssignments, publishAssignment, setExtension, updateAssignment } from '@assay/shared/assignments.ts'
import { contract } from '@assay/shared/contract.ts'
import {
  addInstructor,
  createCourse,
  createJoinCode,
  enrolStudent,
  listCourses,
  listMyCourses,
} from '@assay/shared/courses.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { groupAnswersTogether } from '@assay/shared/questions.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { createRubricItem } from '@assay/shared/rubric-items.ts'
import {
  getStudentAssignment,
  getStudentDashboard,
  handInPaper,
  listStudentAssignments,
} from '@assay/shared/students.ts'
import { deleteSubmissions, getSubmission, getSubmissionFile } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { heicPicture } from '../../tests/papers/heic-picture.ts'
import { createPlatform } from './features/lti/platforms/platform.service.ts'
import { startRosterImport } from './features/roster/roster-import.ts'
import { nextId } from './lib/database/database.ts'
import { CourseModel } from './records/courses/course.model.ts'
import { AccuracyCheckModel } from './records/grading/accuracy-check.model.ts'
import { RegradeModel } from './records/grading/regrade.model.ts'
import { SimilarityReportModel } from './records/grading/similarity-report.model.ts'
import { ClassScanModel, ClassScanPageModel, ClassScanStepModel } from './records/submissions/class-scan.model.ts'
import { SubmissionModel } from './records/submissions/submission.model.ts'
import type { Person } from './testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
  quizFiles,
} from './testing/build-course.ts'
import { useTestApi } from './testing/server.ts'

const { api, server } = useTestApi()

/** LLM settings that send no requests. */
const offline = {
  provider: 'offline' as const,
  model: '',
  base_url: null,
  price: null,
  monthly_budget: null,
  pictures: true,
  second_opinion: 'never' as const,
  second_model: null,
  second_price: null,
  at_once: 8,
}

/** A course and its people, without papers; everyone requests it in their own role. */
async function buildCourseWorld() {
  const { instructor: owner, students, courseId } = await buildCourse(api, { students: 2 })
  const [student, classmate] = students
  if (!student || !classmate) throw new Error('two students')
  return {
    student,
    classmate,
    outsider: await buildPerson('student'),
    stranger: await buildPerson('instructor'),
    owner,
    admin: await buildPerson('admin'),
    courseId,
    jobId: await buildRosterJob(owner, courseId),
    ...{ assignmentId: 0, submissionId: 0, runId: 0, gradeId: 0 },
  }
}

/** A student of another of the teacher's courses: only those may be enrolled by ID. */
async function buildKnownStudent(teacher: Person): Promise<number> {
  const student = await buildPerson('student')
  await enrol((await api.as(teacher).send(createCourse, { body: { name: 'Another' } })).body.id, student)
  return student.id
}

/** The same with a draft assignment and one graded paper, which is `student`'s. */
async function buildWorld(): Promise<World> {
  const world = await buildCourseWorld()
  const { owner, student, courseId } = world
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor: owner, courseId }, [
    { name: `${student.username}.pdf`, bytes: await drawPaper({ full_name: 'Sam' }, correctAnswers) },
  ])
  const run = await gradeAssignment(api, owner, assignmentId)
  const submissionId = submissionIds[0] ?? 0
  const opened = await api.as(owner).send(getSubmission, { params: { assignmentId, submissionId } })
  return { ...world, assignmentId, submissionId, runId: run.id, gradeId: opened.body.grade?.id ?? 0 }
}

/** A file long enough to be processed as a job. */
async function buildRosterJob(owner: { id: number }, courseId: number): Promise<number> {
  const course = await CourseModel.findById(courseId).lean()
  const actor = { id: owner.id, role: 'instructor' as const, sessionId: 'none' }
  const { services } = server.running
  if (!course) throw new Error('a course')
  const file = { name: 'class.csv', mail: true, rows: [], rejected: [], notes: [] }
  return (await startRosterImport(course, file, actor, services))._id
}

type World = Awaited<ReturnType<typeof buildCourseWorld>>

const who = ['nobody', 'student', 'classmate', 'outsider', 'stranger', 'owner', 'admin'] as const
type Who = (typeof who)[number]
type Rule = Record<Who, number>

const answers = (statuses: [number, number, number, number, number, number, number]): Rule =>
  Object.fromEntries(who.map((person, i) => [person, statuses[i]])) as Rule

/** The statuses of an anonymous caller, the student, a classmate, a student of no such course, another teacher, the owner, an admin. */
const everyone = (ok = 200) => answers([ok, ok, ok, ok, ok, ok, ok])
const signedIn = (ok = 200) => answers([401, ok, ok, ok, ok, ok, ok])
const anyStudent = (ok = 200) => answers([401, ok, ok, ok, 403, 403, 403])
const anyTeacher = (ok = 200) => answers([401, 403, 403, 403, ok, ok, ok])
const ownTeacher = (ok = 200) => answers([401, 403, 403, 403, 404, ok, ok])
const ownStudent = (ok = 200) => answers([401, ok, ok, 404, 403, 403, 403])
const adminOnly = (ok = 200) => answers([401, 403, 403, 403, 403, 403, ok])
/** Of students' and teachers' in an assignment that is not published. */
const draftAssignment = (ok = 200) => answers([401, 404, 404, 404, 404, ok, ok])
const inCourse = (ok = 200) => answers([401, ok, ok, 404, 404, ok, ok])

const name = () => `user-${Math.random().toString(36).slice(2)}`
const account = () => {
  const username = name()
  return { username, email: `${username}@school.example`, password: 'Another-Good-1-Phrase' }
}

interface Case {
  rule: Rule
  // The server validates requests against the contract; here a request may be any endpoint's.
  request?: (world: World) => object | Promise<object>
}

/** The owner has entered the ID of the student of no such course. */
const askedOutsider: Case = {
  rule: answers([401, 404, 404, 200, 403, 403, 403]),
  request: async ({ courseId, owner, outsider }) => {
    await api.as(owner).send(enrolStudent, { params: { courseId }, body: { user_id: outsider.id } })
    return { params: { courseId } }
  },
}

/** A class scan of one page of the paper's assignment, with a change to undo. */
async function scanParams({ assignmentId, submissionId }: World) {
  const paper = await SubmissionModel.findById(submissionId).lean()
  const scanId = await nextId('class_scans')
  const page = { key: 'p1', page: 1, turn: 0 as const, blank_page: null, doubts: [] }
  const proposed = { key: 'one', pages: [page], notes: [], student_id: null, student_by: null }
  const split = { by: 'blank' as const, pages_per_paper: null }
  const proposal = {
    papers: [{ ...proposed, student_doubt: null, name_read: null, checked: false }],
    dropped: [],
    split,
  }
  await ClassScanModel.create({
    _id: scanId,
    assignment_id: paper?.assignment_id ?? assignmentId,
    created_by: 1,
    created_at: new Date(),
    state: 'ready',
    failure: null,
    files: [{ hash: '0'.repeat(64), name: 'copier.pdf', size: 1, pages: 1 }],
    progress: { step: 'pages', done: 1, total: 1 },
    proposal,
    revision: 1,
  })
  await ClassScanStepModel.create({ _id: `${scanId}/0`, scan_id: scanId, revision: 0, proposal })
  await ClassScanPageModel.create({
    ...{ _id: `${scanId}/1`, scan_id: scanId, page: 1, file: 0, number: 1, turn: 0, empty: false },
    ...{ blank_page: null, sure: false, picture: Buffer.from('a picture'), written: null },
  })
  return { assignmentId, scanId }
}

const decision = ({ assignmentId, submissionId }: World, points: number) => ({
  params: { assignmentId, questionId: 'q3' },
  body: { answers: [{ submission_id: submissionId, decided: null }], points: { q3: points } },
})

const photoParams = (assignmentId: number) => ({ params: { assignmentId, key: randomUUID() } })
const newPhoto = (assignmentId: number) => ({
  ...photoParams(assignmentId),
  files: { photo: [{ name: 'page.heic', bytes: heicPicture() }] },
})

const itemWords = { kind: 'takes' as const, points: 1, text: 'The unit is missing.' }
const newItem = (assignmentId: number) => ({
  params: { assignmentId, questionId: 'q3' },
  body: { criterion_id: 'q3', ...itemWords },
})

async function itemParams({ owner, assignmentId }: World) {
  const made = await api.as(owner).send(createRubricItem, newItem(assignmentId))
  return { assignmentId, questionId: 'q3', itemId: made.body.id }
}

/** A finished check with one answer, and where that is found. */
async function buildCheck({ assignmentId, submissionId, owner }: World) {
  const _id = await nextId('accuracy_checks')
  await AccuracyCheckModel.create({
    _id,
    assignment_id: assignmentId,
    started_by: owner.id,
    started_at: new Date(),
    finished_at: new Date(),
    answers: [{ submission_id: submissionId, question_id: 'q3', points: { q3: 3 }, skipped: false }],
  })
  return { check_id: _id, answer: { assignmentId, position: 1 } }
}

const assignmentOf = async (submissionId: number) =>
  (await SubmissionModel.findById(submissionId).lean())?.assignment_id ?? 0

async function buildRegrade(assignment_id: number, submission_id: number, student: Person): Promise<number> {
  const _id = await nextId('regrades')
  await RegradeModel.create({
    _id,
    assignment_id,
    submission_id,
    student_id: student.id,
    state: 'open',
    reason: 'Please look again',
    about: `test/${_id}`,
    asked_at: new Date(),
    score_when_asked: 50,
  })
  return _id
}

/** An LMS that nothing refers to: the same for all callers of an endpoint, of whom only the last may change it. */
async function buildPlatform(): Promise<{ params: { platformId: number } }> {
  platform ??= createAnyPlatform()
  return platform
}

let platform: ReturnType<typeof buildPlatform> | undefined
afterEach(() => {
  platform = undefined
})

async function createAnyPlatform() {
  const site = `https://${name()}.example`
  const platform = await createPlatform(
    {
      name: 'Our Moodle',
      lms: 'moodle',
      issuer: site,
      client_id: 'assay',
      auth_endpoint: `${site}/mod/lti/auth.php`,
      token_endpoint: `${site}/mod/lti/token.php`,
      token_audience: null,
      jwks_url: `${site}/mod/lti/certs.php`,
      status: 'active',
    },
    server.running.services,
  )
  return { params: { platformId: platform._id } }
}

/** Who may call which endpoint. An endpoint of the contract that is missing here fails the test below. */
const cases: Record<string, Case> = {
  signIn: { rule: everyone(401), request: () => ({ body: { username: 'nobody-here', password: 'x' } }) },
  getMe: { rule: signedIn() },
  getCsrfToken: { rule: everyone() },
  signOut: { rule: signedIn() },
  registerStudent: { rule: everyone(201), request: () => ({ body: account() }) },
  registerInstructor: {
    rule: everyone(201),
    request: () => ({ body: { ...account(), role: 'instructor' } }),
  },
  getDemo: { rule: everyone() },
  signInToDemo: { rule: everyone(404), request: () => ({ body: { role: 'instructor' } }) },
  forgotPassword: { rule: everyone(), request: () => ({ body: { email: `${name()}@school.example` } }) },
  resetPassword: {
    rule: everyone(400),
    request: () => ({ body: { token: 'x', new_password: 'Another-Good-1-Phrase' } }),
  },
  changePassword: {
    rule: signedIn(),
    request: ({ owner }) => ({
      body: { current_password: owner.password, new_password: 'Another-Good-1-Phrase' },
    }),
  },
  getMailedLink: { rule: everyone(400), request: () => ({ body: { token: 'x' } }) },
  confirmEmail: { rule: signedIn(400), request: () => ({ body: { token: 'x' } }) },
  resendConfirmation: { rule: signedIn() },
  acceptInvitation: {
    rule: everyone(400),
    request: () => ({ body: { token: 'x', password: 'Another-Good-1-Phrase' } }),
  },
  getStudentProfile: { rule: anyStudent() },
  updateStudentProfile: { rule: anyStudent(), request: () => ({ body: { full_name: 'New Name' } }) },
  exportOwnData: { rule: signedIn() },
  exportUserData: { rule: adminOnly(), request: ({ student }) => ({ params: { userId: student.id } }) },
  previewOwnErasure: { rule: signedIn() },
  eraseOwnAccount: { rule: signedIn(422), request: () => ({ body: { password: 'not-theirs' } }) },
  previewErasure: { rule: adminOnly(), request: ({ outsider }) => ({ params: { userId: outsider.id } }) },
  eraseUser: {
    rule: adminOnly(202),
    request: ({ outsider }) => ({ params: { userId: outsider.id }, body: { username: outsider.username } }),
  },
  getInstructorProfile: { rule: anyTeacher() },
  updateInstructorProfile: { rule: anyTeacher(), request: () => ({ body: { full_name: 'New Name' } }) },

  listCourses: { rule: signedIn() },
  listMyCourses: { rule: signedIn() },
  createCourse: { rule: anyTeacher(201), request: () => ({ body: { name: 'New' } }) },
  getCourse: { rule: inCourse(), request: ({ courseId }) => ({ params: { courseId } }) },
  listCourseStudents: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  enrolStudent: {
    rule: ownTeacher(201),
    request: async ({ courseId, owner }) => ({
      params: { courseId },
      body: { user_id: await buildKnownStudent(owner) },
    }),
  },
  removeStudent: {
    rule: ownTeacher(),
    request: ({ courseId, classmate }) => ({ params: { courseId, userId: classmate.id } }),
  },

  updateCourse: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, body: { name: 'Renamed' } }),
  },
  getCourseRetention: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  previewCourseRetention: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, query: { months: 12 } }),
  },
  setCourseRetention: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, body: { months: 12 } }),
  },
  deleteCourse: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  addInstructor: {
    rule: ownTeacher(201),
    request: async ({ courseId }) => ({
      params: { courseId },
      body: { login: (await buildPerson('instructor')).username },
    }),
  },
  removeInstructor: {
    rule: ownTeacher(),
    request: async ({ courseId, owner }) => {
      const other = await buildPerson('instructor')
      await api.as(owner).send(addInstructor, { params: { courseId }, body: { login: other.username } })
      return { params: { courseId, userId: other.id } }
    },
  },
  createJoinCode: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  deleteJoinCode: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  acceptEnrollment: askedOutsider,
  declineEnrollment: askedOutsider,
  joinCourse: {
    rule: answers([401, 409, 409, 201, 403, 403, 403]),
    request: async ({ courseId, owner }) => ({
      body: { code: (await api.as(owner).send(createJoinCode, { params: { courseId } })).body.join_code },
    }),
  },

  addStudent: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, body: { email: `${name()}@school.example` } }),
  },
  getInvitationLimit: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  inviteRoster: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  addStudentsFromCsv: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({
      params: { courseId },
      files: { file: [{ name: 'class.csv', bytes: `email\n${name()}@school.example\n` }] },
    }),
  },
  previewRosterCsv: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({
      params: { courseId },
      files: { file: [{ name: 'class.csv', bytes: 'email\nada@school.example\n' }] },
    }),
  },
  removeFromRoster: {
    rule: ownTeacher(),
    request: ({ courseId, classmate }) => ({ params: { courseId, studentId: classmate.id } }),
  },
  renameRosterStudent: {
    rule: ownTeacher(),
    request: ({ courseId, classmate }) => ({
      params: { courseId, studentId: classmate.id },
      body: { full_name: 'Somebody Else' },
    }),
  },
  resendRosterInvitation: {
    rule: ownTeacher(),
    request: ({ courseId, classmate }) => ({ params: { courseId, studentId: classmate.id } }),
  },
  listLmsCourses: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  // The test course is linked to no LMS; syncs are tested in `features/lti/roster`.
  syncLmsRoster: {
    rule: ownTeacher(409),
    request: ({ courseId }) => ({ params: { courseId }, body: {} }),
  },
  stopLmsSync: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  listSuspended: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  listRosterJobs: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  getRosterJob: {
    rule: ownTeacher(),
    request: ({ courseId, jobId }) => ({ params: { courseId, jobId } }),
  },
  stopRosterJob: {
    rule: ownTeacher(),
    request: ({ courseId, jobId }) => ({ params: { courseId, jobId } }),
  },

  listAssignments: { rule: anyTeacher() },
  getAssignment: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  createAssignment: {
    rule: ownTeacher(201),
    request: async ({ courseId }) => {
      const { blank, key } = await quizFiles()
      return {
        body: { name: 'New', course_id: courseId },
        files: { blank_pdf: [blank], answer_key_pdf: [key] },
      }
    },
  },
  previewDeletion: {
    rule: anyTeacher(),
    request: ({ assignmentId }) => ({ query: { ids: `${assignmentId}` } }),
  },
  deleteAssignments: {
    rule: anyTeacher(),
    request: ({ assignmentId }) => ({ body: { assignment_ids: [assignmentId] } }),
  },
  publishAssignment: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  unpublishAssignment: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  deleteAssignment: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  updateAssignment: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { name: 'Quiz 4' } }),
  },
  setNamesHidden: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { names_hidden: true } }),
  },
  getScoreRules: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  previewScoreRules: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { late_penalty: null, adjustment: null } }),
  },
  previewDates: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { due_at: null } }),
  },
  setScoreRules: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({
      params: { assignmentId },
      body: { late_penalty: null, adjustment: null, version: 0 },
    }),
  },
  waiveLatePenalty: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId }, body: { waived: true } }),
  },
  listExtensions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  setExtension: {
    rule: ownTeacher(),
    request: async ({ assignmentId, student, owner }) => {
      const due = { body: { due_at: '2030-01-01T00:00:00Z' } }
      await api.as(owner).send(updateAssignment, { params: { assignmentId }, ...due })
      return { params: { assignmentId, studentId: student.id }, body: { due_at: '2030-02-01T00:00:00Z' } }
    },
  },
  removeExtension: {
    rule: ownTeacher(),
    request: async ({ assignmentId, student, owner }) => {
      const params = { assignmentId, studentId: student.id }
      const due = { body: { due_at: '2030-01-01T00:00:00Z' } }
      await api.as(owner).send(updateAssignment, { params: { assignmentId }, ...due })
      await api.as(owner).send(setExtension, { params, body: { due_at: '2030-02-01T00:00:00Z' } })
      return { params }
    },
  },
  getLmsScores: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  listLmsScores: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  sendLmsScores: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  detachLmsLink: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({ params: { assignmentId, linkId: 999_999 } }),
  },
  checkLmsScores: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  saveRubric: {
    rule: ownTeacher(),
    request: async ({ assignmentId, owner }) => {
      const { body } = await api.as(owner).send(getRubric, { params: { assignmentId } })
      return { params: { assignmentId }, body: { version: body.version, rubric: body.rubric } }
    },
  },
  checkRubric: {
    rule: ownTeacher(),
    request: async ({ assignmentId, owner }) => {
      const { body } = await api.as(owner).send(getRubric, { params: { assignmentId } })
      return { params: { assignmentId }, body: { version: body.version, checked: true } }
    },
  },
  getPaperText: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({
      params: { assignmentId, which: 'key' },
      query: { page: 1, x: 0, y: 0, width: 100, height: 100 },
    }),
  },
  listRubricVersions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getRubricVersion: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId, version: 1 } }),
  },
  restoreRubricVersion: {
    rule: ownTeacher(),
    request: async ({ assignmentId, owner }) => {
      const { body } = await api.as(owner).send(getRubric, { params: { assignmentId } })
      return { params: { assignmentId, version: 1 }, body: { version: body.version } }
    },
  },
  // No model is set up here.
  generateRubric: {
    rule: ownTeacher(409),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { by: 'model' } }),
  },
  stopRubricGeneration: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  exportRubric: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getAssignmentPaper: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId, which: 'key' } }),
  },
  getRubric: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },

  listSubmissions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  listMatches: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  matchSubmissions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  acceptMatches: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId, student }) => ({
      params: { assignmentId },
      body: { accepted: [{ submission_id: submissionId, student_id: student.id }] },
    }),
  },
  setSubmissionStudent: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId, submissionId },
      body: { student_id: null },
    }),
  },
  gradeAnyway: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  splitPaper: {
    // It has a grade.
    rule: ownTeacher(409),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId, submissionId },
      body: { second_begins_on: 2 },
    }),
  },
  listSubmissionIds: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  countSubmissions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getSubmission: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  getSubmissionFile: {
    rule: answers([401, 404, 404, 404, 404, 200, 200]),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  getSubmissionPage: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId, page: 1 } }),
  },
  listQuestions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getQuestion: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId, questionId: 'q3' } }) },
  getAnswer: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId, questionId: 'q3' } }),
  },
  getAnswerPicture: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId, submissionId, questionId: 'q3', picture: 1 },
    }),
  },
  decideAnswers: { rule: ownTeacher(), request: (world) => decision(world, 4) },
  groupAnswersTogether: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId, questionId: 'q3' },
      body: { submission_ids: [submissionId] },
    }),
  },
  undoQuestionChange: {
    // Only one's own changes can be undone.
    rule: answers([401, 403, 403, 403, 404, 200, 404]),
    request: async (world) => {
      const grouped = await api.as(world.owner).send(groupAnswersTogether, {
        params: { assignmentId: world.assignmentId, questionId: 'q3' },
        body: { submission_ids: [world.submissionId] },
      })
      return { params: { assignmentId: world.assignmentId, questionId: 'q3', changeId: grouped.body.change_id } }
    },
  },
  listRubricItems: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId, questionId: 'q3' } }),
  },
  createRubricItem: { rule: ownTeacher(201), request: ({ assignmentId }) => newItem(assignmentId) },
  changeRubricItem: {
    rule: ownTeacher(),
    request: async (world) => ({ params: await itemParams(world), body: { ...itemWords, points: 2, revision: 1 } }),
  },
  removeRubricItem: {
    rule: ownTeacher(),
    request: async (world) => ({ params: await itemParams(world), body: { revision: 1 } }),
  },
  applyRubricItem: {
    rule: ownTeacher(),
    request: async (world) => ({
      params: await itemParams(world),
      body: { answers: [{ submission_id: world.submissionId, decided: null }], applied: true },
    }),
  },
  searchCommentBank: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId, questionId: 'q3' } }),
  },
  listClassScans: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  // Without files it gets as far as being asked for them.
  uploadClassScan: { rule: ownTeacher(400), request: ({ assignmentId }) => ({ params: { assignmentId }, files: {} }) },
  getClassScan: { rule: ownTeacher(), request: async (world) => ({ params: await scanParams(world) }) },
  getClassScanPage: {
    rule: ownTeacher(),
    request: async (world) => ({ params: { ...(await scanParams(world)), page: 1 } }),
  },
  stopClassScan: { rule: ownTeacher(), request: async (world) => ({ params: await scanParams(world) }) },
  resumeClassScan: { rule: ownTeacher(), request: async (world) => ({ params: await scanParams(world) }) },
  splitClassScan: {
    rule: ownTeacher(),
    request: async (world) => ({
      params: await scanParams(world),
      body: { revision: 1, by: 'page_count', pages_per_paper: 1 },
    }),
  },
  editClassScan: {
    rule: ownTeacher(),
    request: async (world) => ({
      params: await scanParams(world),
      body: { revision: 1, edit: { kind: 'turn', pages: ['p1'], degrees: 90 } },
    }),
  },
  undoClassScanEdit: {
    rule: ownTeacher(),
    request: async (world) => ({ params: await scanParams(world), body: { revision: 1 } }),
  },
  // Refused for what it asks, once it is let in.
  confirmClassScan: {
    rule: ownTeacher(409),
    request: async (world) => ({ params: await scanParams(world), body: { revision: 0 } }),
  },
  deleteClassScan: { rule: ownTeacher(), request: async (world) => ({ params: await scanParams(world) }) },
  getSimilarity: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  setSimilarity: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { enabled: false } }),
  },
  dismissSimilarPairs: {
    rule: ownTeacher(),
    request: async ({ assignmentId, submissionId }) => {
      const _id = await assignmentOf(submissionId)
      await SimilarityReportModel.deleteOne({ _id })
      await SimilarityReportModel.create({
        _id,
        enabled: true,
        state: 'done',
        papers: 2,
        pairs: [{ first: submissionId, second: submissionId + 1, answers: [] }],
        dismissed: {},
      })
      const pair_ids = [`${submissionId}-${submissionId + 1}`]
      return { params: { assignmentId }, body: { pair_ids, dismissed: true } }
    },
  },
  getAccuracyCheck: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  startAccuracyCheck: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { answers: 8 } }),
  },
  getBlindAnswer: { rule: ownTeacher(), request: async (world) => ({ params: (await buildCheck(world)).answer }) },
  markBlindAnswer: {
    rule: ownTeacher(),
    request: async (world) => {
      const { answer, check_id } = await buildCheck(world)
      return { params: answer, body: { check_id, points: null } }
    },
  },
  applyBlindMarks: {
    rule: ownTeacher(),
    request: async (world) => {
      const { answer, check_id } = await buildCheck(world)
      return { params: { assignmentId: answer.assignmentId }, body: { check_id } }
    },
  },
  getReviewList: {
    rule: ownTeacher(),
    request: async (world) => ({ params: { assignmentId: (await buildCheck(world)).answer.assignmentId } }),
  },
  exportAccuracyCheck: {
    rule: ownTeacher(),
    request: async (world) => ({ params: { assignmentId: (await buildCheck(world)).answer.assignmentId } }),
  },
  flagReviewList: {
    rule: ownTeacher(),
    request: async (world) => {
      const { answer, check_id } = await buildCheck(world)
      return { params: { assignmentId: answer.assignmentId }, body: { check_id, limit: 10 } }
    },
  },
  announceGrading: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId, questionId: 'q3' }, body: { open: true } }),
  },
  getTranscription: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  correctAnswer: {
    rule: ownTeacher(),
    // An earlier role may have corrected it.
    request: async ({ assignmentId, submissionId, owner }) => {
      const params = { assignmentId, submissionId }
      const { body } = await api.as(owner).send(getTranscription, { params })
      const [answer] = body.answers ?? []
      return {
        params: { ...params, questionId: answer?.question_id },
        body: { text: 'Ice floats', revision: answer?.revision },
      }
    },
  },
  uploadSubmission: {
    rule: ownTeacher(201),
    request: async ({ assignmentId }) => ({
      params: { assignmentId },
      body: {},
      files: { file: [(await quizFiles()).blank] },
    }),
  },
  uploadSubmissions: {
    rule: ownTeacher(201),
    request: async ({ assignmentId }) => ({
      params: { assignmentId },
      body: {},
      files: { files: [(await quizFiles()).blank] },
    }),
  },
  deleteSubmission: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  deleteSubmissions: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId },
      body: { submission_ids: [submissionId] },
    }),
  },

  processAssignment: {
    rule: ownTeacher(202),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { force: true } }),
  },
  listRuns: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getRun: { rule: ownTeacher(), request: ({ assignmentId, runId }) => ({ params: { assignmentId, runId } }) },
  estimateRun: {
    rule: ownTeacher(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { force: true } }),
  },
  retryRun: {
    rule: ownTeacher(),
    request: ({ assignmentId, runId }) => ({ params: { assignmentId, runId } }),
  },
  stopRun: {
    rule: ownTeacher(),
    request: ({ assignmentId, runId }) => ({ params: { assignmentId, runId } }),
  },

  overrideGrade: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId, gradeId }) => ({
      params: { assignmentId, submissionId, gradeId },
      body: { overall_score: 1, human_review_notes: null },
    }),
  },
  getGradeApprovals: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  approveSureGrades: {
    rule: ownTeacher(409),
    // Fewer than are sure, or none is.
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { expected: 1 } }),
  },
  undoGradeApproval: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({ params: { assignmentId, approvalId: 1_000_000 } }),
  },
  listRetainedGrades: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  exportGrades: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  exportGradeHistory: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  createPrint: {
    rule: ownTeacher(201),
    request: ({ assignmentId }) => ({
      params: { assignmentId },
      body: { students: false, spares: 1, names: false, double_sided: false },
    }),
  },
  getAnswerSheetQuestions: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  listPrints: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getPrintedCopies: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({ params: { assignmentId, printId: 1_000_000 } }),
  },
  getSeparatorSheets: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  exportGradedPapers: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getGradedPaper: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  getOwnGradedPaper: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: ({ assignmentId }) => ({ params: { assignmentId } }),
  },
  getGradeHistory: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },

  // The test assignment is a draft, so no regrade can be requested yet.
  requestRegrade: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { reason: 'Please look again' } }),
  },
  listRegrades: {
    rule: ownTeacher(),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId } }),
  },
  listOpenRegrades: { rule: ownTeacher(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  previewAmendment: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({
      params: { assignmentId },
      body: { regrade_id: 1_000_000, kind: 'alternative', text: 'a gross' },
    }),
  },
  applyAmendment: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({
      params: { assignmentId },
      body: { regrade_id: 1_000_000, kind: 'alternative', text: 'a gross', rubric_version: 1, answers: [] },
    }),
  },
  listAmendments: {
    rule: ownTeacher(),
    request: async ({ assignmentId, submissionId, student }) => ({
      params: { assignmentId, regradeId: await buildRegrade(await assignmentOf(submissionId), submissionId, student) },
    }),
  },
  undoAmendment: {
    rule: ownTeacher(404),
    request: ({ assignmentId }) => ({ params: { assignmentId, amendmentId: 1_000_000 } }),
  },
  answerRegrade: {
    rule: ownTeacher(),
    request: async ({ assignmentId, submissionId, student }) => ({
      params: {
        assignmentId,
        submissionId,
        regradeId: await buildRegrade(assignmentId, submissionId, student),
      },
      body: { answer: 'I have looked again' },
    }),
  },
  getGradebook: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  exportGradebook: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  updateGradebook: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, body: { drop_lowest: 1 } }),
  },
  getCourseAnalytics: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  getGradeDistribution: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  listStudentPerformance: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  listQuestionStatistics: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },

  // No caller here comes from an LMS: what a launch session may do is tested in features/lti/launches.
  openLaunch: {
    rule: everyone(401),
    request: () => ({ params: { launchId: 'no-such-launch' }, body: { code: 'x' } }),
  },
  resumeLaunch: { rule: everyone(401), request: () => ({ params: { launchId: 'no-such-launch' } }) },
  getLaunch: { rule: signedIn(404) },
  openInWindow: { rule: signedIn(404) },
  getSetUp: { rule: answers([401, 403, 403, 403, 404, 404, 403]) },
  setUpLaunch: {
    rule: answers([401, 403, 403, 403, 404, 404, 403]),
    request: ({ assignmentId }) => ({ body: { assignment: { kind: 'copy', assignment_id: assignmentId } } }),
  },
  joinAccount: {
    rule: answers([401, 404, 404, 404, 404, 404, 403]),
    request: ({ owner }) => ({ body: { username: owner.username, password: owner.password } }),
  },

  getPublicSettings: { rule: everyone() },
  getSystemSettings: { rule: adminOnly() },
  changeSystemSettings: { rule: adminOnly(), request: () => ({ body: { limit_upload: 500 } }) },
  sendTestMail: { rule: adminOnly() },
  getStorageUsage: { rule: adminOnly() },
  previewSchoolRetention: { rule: adminOnly(), request: () => ({ query: { months: 12 } }) },
  getSystemLlm: { rule: adminOnly() },
  changeSystemLlm: {
    rule: adminOnly(),
    request: () => ({ body: { ...offline, course_budget: null, teachers_keys: true } }),
  },
  // There is nothing to test: no LLM is called, and only callers with the right learn that.
  testSystemLlm: { rule: adminOnly(409), request: () => ({ body: {} }) },
  getSystemLlmUsage: { rule: adminOnly() },
  getCourseLlm: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  changeCourseLlm: {
    rule: ownTeacher(),
    request: ({ courseId }) => ({ params: { courseId }, body: offline }),
  },
  removeCourseLlm: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  testCourseLlm: {
    rule: ownTeacher(409),
    request: ({ courseId }) => ({ params: { courseId }, body: {} }),
  },
  getCourseLlmUsage: { rule: ownTeacher(), request: ({ courseId }) => ({ params: { courseId } }) },
  fireTestCompletion: {
    rule: answers([401, 200, 404, 404, 404, 404, 200]),
    request: ({ student }) => ({ params: { userId: student.id }, query: { assignment_id: 1 } }),
  },
  failOnPurpose: { rule: everyone(409), request: () => ({ params: { kind: '409' } }) },

  // None of these sessions comes from a launch; launch sessions are tested in `features/lti/deep-linking`.
  getLinkChoice: { rule: answers([401, 403, 403, 403, 404, 404, 403]) },
  answerDeepLink: {
    rule: answers([401, 403, 403, 403, 404, 404, 403]),
    request: ({ assignmentId }) => ({ body: { assignment_ids: [assignmentId] } }),
  },

  getAdminDashboard: { rule: adminOnly() },
  listAudit: { rule: adminOnly() },
  listAuditActions: { rule: adminOnly() },
  listUsers: { rule: adminOnly() },
  createManagedUser: {
    rule: adminOnly(201),
    request: () => ({ body: { ...account(), role: 'instructor', hand_over: 'mail' } }),
  },
  changeUserRole: {
    rule: adminOnly(),
    request: ({ outsider }) => ({ params: { userId: outsider.id }, body: { role: 'instructor' } }),
  },
  approveUser: {
    rule: adminOnly(),
    request: ({ student }) => ({ params: { userId: student.id } }),
  },
  deactivateUser: {
    rule: adminOnly(),
    request: ({ outsider }) => ({ params: { userId: outsider.id } }),
  },
  reactivateUser: {
    rule: adminOnly(),
    request: ({ outsider }) => ({ params: { userId: outsider.id } }),
  },
  sendUserLink: { rule: adminOnly(), request: ({ outsider }) => ({ params: { userId: outsider.id } }) },

  listPlatforms: { rule: adminOnly() },
  createPlatform: {
    rule: adminOnly(201),
    request: () => ({
      body: {
        name: 'Our Moodle',
        lms: 'moodle',
        issuer: `http://127.0.0.1/${name()}`,
        client_id: 'assay',
        auth_endpoint: 'http://127.0.0.1/auth',
        token_endpoint: 'http://127.0.0.1/token',
        jwks_url: 'http://127.0.0.1/certs',
      },
    }),
  },
  getPlatform: { rule: adminOnly(), request: buildPlatform },
  changePlatform: {
    rule: adminOnly(),
    request: async () => ({ ...(await buildPlatform()), body: { name: 'Another name' } }),
  },
  approvePlatform: { rule: adminOnly(), request: buildPlatform },
  deactivatePlatform: { rule: adminOnly(), request: buildPlatform },
  reactivatePlatform: { rule: adminOnly(), request: buildPlatform },
  deletePlatform: { rule: adminOnly(), request: buildPlatform },
  rotatePlatformKey: { rule: adminOnly(), request: buildPlatform },
  startSelfTest: { rule: adminOnly(202), request: buildPlatform },
  getSelfTest: { rule: adminOnly(), request: buildPlatform },
  getToolValues: { rule: adminOnly() },
  listRegistrationLinks: { rule: adminOnly() },
  createRegistrationLink: { rule: adminOnly(201) },
  revokeRegistrationLink: { rule: adminOnly(404), request: () => ({ params: { linkId: 1_000_000 } }) },
  // It was not registered dynamically, so there is nothing to change at the LMS.
  updateRegistration: { rule: adminOnly(409), request: buildPlatform },
  listLaunchLog: { rule: adminOnly(), request: buildPlatform },

  getStudentDashboard: { rule: answers([401, 200, 200, 200, 403, 403, 403]) },
  getStudentCourse: { rule: ownStudent(), request: ({ courseId }) => ({ params: { courseId } }) },
  listStudentAssignments: { rule: ownStudent(), request: ({ courseId }) => ({ params: { courseId } }) },
  // The assignment is a draft, which students cannot see; below, what they may do once it is published.
  getStudentAssignment: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: ({ assignmentId }) => ({ params: { assignmentId } }),
  },
  handInPaper: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: async ({ assignmentId }) => ({
      params: { assignmentId },
      body: {},
      files: { file: [(await quizFiles()).blank] },
    }),
  },
  getPhotoDraft: { rule: draftAssignment(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  addPhoto: { rule: draftAssignment(), request: ({ assignmentId }) => newPhoto(assignmentId) },
  changePhoto: {
    // Nobody has a photo under this key, so that whoever is let in learns this.
    rule: draftAssignment(404),
    request: ({ assignmentId }) => ({ ...photoParams(assignmentId), body: { corners: null, turns: 1 } }),
  },
  removePhoto: { rule: draftAssignment(), request: ({ assignmentId }) => photoParams(assignmentId) },
  orderPhotos: {
    rule: draftAssignment(),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { keys: [] } }),
  },
  deletePhotoDraft: { rule: draftAssignment(), request: ({ assignmentId }) => ({ params: { assignmentId } }) },
  getPhotoPicture: { rule: draftAssignment(404), request: ({ assignmentId }) => photoParams(assignmentId) },
  handInPhotos: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { draft_id: 'none', revision: 1 } }),
  },
  // The paper came as a PDF: whoever is let in learns that it has no photos.
  getSubmissionPhoto: {
    rule: answers([401, 404, 404, 404, 404, 404, 404]),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId, number: 1 } }),
  },
  downloadSubmissionPhoto: {
    rule: answers([401, 404, 404, 404, 404, 404, 404]),
    request: ({ assignmentId, submissionId }) => ({ params: { assignmentId, submissionId, number: 1 } }),
  },
  uploadPhotos: {
    rule: ownTeacher(409),
    request: ({ assignmentId }) => ({
      params: { assignmentId },
      body: { draft_id: 'none', revision: 1, student_id: null },
    }),
  },
  getAttemptFile: {
    rule: answers([401, 404, 404, 404, 403, 403, 403]),
    request: ({ assignmentId }) => ({ params: { assignmentId, number: 1 } }),
  },
}

/** One set of test data for all calls that change nothing, and for changes one until it has been changed. */
const worlds: { lookedAt?: World; course?: World; papers?: World } = {}

async function worldFor(endpoint: Endpoint): Promise<World> {
  // Building papers takes most of the time, and changes to courses, accounts and settings need none.
  const needsPapers = /\/(assignments|lti\/launch)\b/.test(endpoint.path)
  const kind = endpoint.method === 'get' ? 'lookedAt' : needsPapers ? 'papers' : 'course'
  const world = worlds[kind] ?? (await (kind === 'course' ? buildCourseWorld() : buildWorld()))
  worlds[kind] = world
  return world
}

/**
 * Changes after which the test data serves the next call as well, since they add to it, or note or compute something beside it. All
 * others leave it to be built again, which takes most of this file's time.
 */
const leavesData: ReadonlySet<string> = new Set([
  ...['previewScoreRules', 'previewDates', 'estimateRun', 'checkRubric', 'announceGrading', 'matchSubmissions'],
  ...['checkLmsScores', 'sendLmsScores', 'stopRubricGeneration', 'stopRun', 'retryRun'],
  ...['createAssignment', 'updateAssignment', 'createRubricItem', 'setExtension', 'removeExtension', 'setScoreRules'],
  ...['setSimilarity', 'dismissSimilarPairs', 'answerRegrade', 'waiveLatePenalty', 'flagReviewList'],
  ...[
    'updateCourse',
    'updateGradebook',
    'setCourseRetention',
    'createJoinCode',
    'deleteJoinCode',
    'addStudent',
    'addStudentsFromCsv',
  ],
  ...['enrolStudent', 'addInstructor', 'removeInstructor', 'stopLmsSync', 'changeCourseLlm', 'removeCourseLlm'],
  ...['changeRubricItem', 'applyRubricItem', 'removeRubricItem', 'markBlindAnswer', 'applyBlindMarks'],
  ...['stopClassScan', 'resumeClassScan', 'splitClassScan', 'editClassScan', 'undoClassScanEdit'],
  ...['confirmClassScan', 'deleteClassScan', 'uploadClassScan'],
  ...['overrideGrade', 'createPrint', 'uploadSubmissions', 'uploadSubmission', 'stopRosterJob'],
  ...[
    'groupAnswersTogether',
    'undoQuestionChange',
    'decideAnswers',
    'correctAnswer',
    'gradeAnyway',
    'startAccuracyCheck',
  ],
  ...['addPhoto', 'orderPhotos', 'removePhoto', 'deletePhotoDraft', 'saveRubric', 'restoreRubricVersion'],
  ...[
    'previewRosterCsv',
    'inviteRoster',
    'resendRosterInvitation',
    'renameRosterStudent',
    'fireTestCompletion',
    'joinCourse',
    'sendUserLink',
  ],
  ...['approveUser', 'reactivateUser'],
])

/** Calls as a person would, with the test data of their role; returns the status. */
async function callAs(person: Who, call: string, endpoint: Endpoint, { rule, request }: Case): Promise<number> {
  const world = await worldFor(endpoint)
  let isNamed = false
  const watched = new Proxy(world, {
    get(target, key) {
      isNamed = true
      const value = Reflect.get(target, key)
      if (value === 0) throw new Error(`${endpoint.path} needs papers, and its test data has none`)
      return value
    },
  })
  const sent = (await request?.(watched)) ?? {}
  const { status } = await callerOf(world, person, endpoint, rule).send(endpoint, sent)
  // Someone with the right has changed it; the next gets test data of their own.
  if (endpoint.method !== 'get' && isNamed && status < 300 && !leavesData.has(call)) {
    if (worlds.course === world) delete worlds.course
    if (worlds.papers === world) delete worlds.papers
  }
  return status
}

function callerOf(world: World, person: Who, endpoint: Endpoint, rule: Rule) {
  if (person === 'nobody') return api.nobody
  const changes = endpoint.method !== 'get' && rule[person] < 300
  // A session of its own: signing out in one call must not sign out the next.
  return changes && endpoint.path.startsWith('/auth') ? api.again(world[person]) : api.as(world[person])
}

describe('access rules', () => {
  it('has a rule for every call of the contract', () => {
    expect(Object.keys(cases).sort()).toEqual(contract.map(({ name: call }) => call).sort())
    expect([...leavesData].filter((call) => !(call in cases))).toEqual([])
  })

  for (const { name: call, endpoint } of contract) {
    it(`${call}: ${endpoint.method} ${endpoint.path}`, async () => {
      const found = cases[call]
      if (!found) throw new Error(`no rule for ${call}`)
      const statuses: Partial<Rule> = {}
      for (const person of who) statuses[person] = await callAs(person, call, endpoint, found)
      expect(statuses).toEqual(found.rule)
    })
  }

  it('rejects ids of one assignment or course in calls on another', async () => {
    const [mine, theirs] = [await buildWorld(), await buildWorld()]
    // The teacher's own first id, followed by somebody else's ids.
    const crossed: World = { ...theirs, assignmentId: mine.assignmentId, courseId: mine.courseId }
    // The questions of all assignments have the same ids.
    const idsIn = (path: string) => path.replace(':questionId', '').match(/:\w+Id/g) ?? []
    const twoIds = contract.filter(({ endpoint }) => idsIn(endpoint.path).length > 1)
    expect(twoIds.length).toBeGreaterThan(6)
    for (const { name: call, endpoint } of twoIds) {
      const request = (await cases[call]?.request?.(crossed)) ?? {}
      const { status } = await api.as(mine.owner).send(endpoint as Endpoint, request)
      expect([call, status]).toEqual([call, 404])
    }
    const ownPaper = { ...mine, gradeId: theirs.gradeId }
    const override = (await cases.overrideGrade?.request?.(ownPaper)) ?? {}
    expect((await api.as(mine.owner).send(overrideGrade as Endpoint, override)).status).toBe(404)
    const bulk = {
      params: { assignmentId: mine.assignmentId },
      body: { submission_ids: [theirs.submissionId] },
    }
    const deleted = await api.as(mine.owner).send(deleteSubmissions, bulk)
    expect(deleted.body.results).toMatchObject({
      total_deleted: 0,
      validation_failures: [{ id: theirs.submissionId }],
    })
    const params = { assignmentId: theirs.assignmentId, submissionId: theirs.submissionId }
    const untouched = await api.as(theirs.owner).send(getSubmission, { params })
    expect(untouched.body).toMatchObject({ id: theirs.submissionId, manual_score_override: null })
  })

  it('lists nothing of what belongs to another', async () => {
    const { stranger, outsider, courseId } = await buildWorld()
    for (const endpoint of [listAssignments, listCourses, listMyCourses]) {
      const reply = await api.as(stranger).send(endpoint as Endpoint)
      expect([reply.body, reply.headers.get('x-total-count')]).toEqual([[], '0'])
    }
    const named = await api.as(stranger).send(listAssignments, { query: { course_id: courseId } })
    expect(named.body).toEqual([])
    expect((await api.as(outsider).send(listCourses)).body).toEqual([])
    expect((await api.as(outsider).send(getStudentDashboard)).body).toMatchObject({
      courses: [],
      recent_grades: [],
    })
  })

  it('lets a student read their own paper once published, and no one else’s', async () => {
    const world = await buildWorld()
    const { assignmentId, submissionId, courseId } = world
    await api.as(world.owner).send(publishAssignment, { params: { assignmentId } })
    const read = async (person: Person) =>
      (await api.as(person).send(getSubmissionFile, { params: { assignmentId, submissionId } })).status
    expect([await read(world.student), await read(world.classmate), await read(world.outsider)]).toEqual([
      200, 404, 404,
    ])
    const seen = await api.as(world.classmate).send(listStudentAssignments, { params: { courseId } })
    expect(seen.body).toMatchObject([{ is_graded: false, overall_score: null, submission_id: null }])
  })

  it('opens a published assignment to the course’s students, each with their own work, and to nobody else', async () => {
    const world = await buildWorld()
    const { assignmentId, submissionId } = world
    const params = { assignmentId }
    await api.as(world.owner).send(publishAssignment, { params })
    const opened = async (person: Person) => api.as(person).send(getStudentAssignment, { params })
    expect((await opened(world.student)).body).toMatchObject({ submission_id: submissionId, is_graded: true })
    expect((await opened(world.classmate)).body).toMatchObject({
      submission_id: null,
      is_graded: false,
      criterion_grades: [],
      can_ask_regrade: false,
    })
    expect((await opened(world.outsider)).status).toBe(404)
    const file = [(await quizFiles()).blank]
    const handIn = { params, body: {}, files: { file } }
    expect((await api.as(world.outsider).send(handInPaper, handIn)).status).toBe(404)
    expect((await api.as(world.classmate).send(handInPaper, handIn)).status).toBe(201)
    const reason = { params, body: { reason: 'Please look again' } }
    expect((await api.as(world.outsider).send(requestRegrade, reason)).status).toBe(404)
    expect((await api.as(world.classmate).send(requestRegrade, reason)).status).toBe(409)
    expect((await api.as(world.student).send(requestRegrade, reason)).status).toBe(201)
  })
})
