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
import type { Endpoint, ReplyOf } from '@assay/shared/http/endpoint.ts'
import { defaultLlmSettings } from '@assay/shared/llm/llm-settings.ts'
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
import { type Person, useTestApi } from './testing/server.ts'

const { api, server } = useTestApi()

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
    questionId: 'q3',
  }
}

/** Only students of the teacher's other courses may be enrolled by ID. */
async function buildKnownStudent(teacher: Person): Promise<number> {
  const student = await buildPerson('student')
  await enrol((await api.as(teacher).send(createCourse, { body: { name: 'Another' } })).body.id, student)
  return student.id
}

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

/** Statuses: anonymous, the student, a classmate, a student of no such course, another teacher, the owner, an admin. */
const everyone = (ok = 200) => answers([ok, ok, ok, ok, ok, ok, ok])
const signedIn = (ok = 200) => answers([401, ok, ok, ok, ok, ok, ok])
const anyStudent = (ok = 200) => answers([401, ok, ok, ok, 403, 403, 403])
const anyTeacher = (ok = 200) => answers([401, 403, 403, 403, ok, ok, ok])
const ownTeacher = (ok = 200) => answers([401, 403, 403, 403, 404, ok, ok])
const ownStudent = (ok = 200) => answers([401, ok, ok, 404, 403, 403, 403])
const adminOnly = (ok = 200) => answers([401, 403, 403, 403, 403, 403, ok])
/** For students and teachers, while the assignment is not published. */
const draftAssignment = (ok = 200) => answers([401, 404, 404, 404, 404, ok, ok])
/** Students' alone. */
const unpublished = () => answers([401, 404, 404, 404, 403, 403, 403])
const inCourse = (ok = 200) => answers([401, ok, ok, 404, 404, ok, ok])

const name = () => `user-${Math.random().toString(36).slice(2)}`
const account = () => {
  const username = name()
  return { username, email: `${username}@school.example`, password: 'Another-Good-1-Phrase' }
}

interface Case {
  rule: Rule
  // A request may be any endpoint's; the server checks it against the contract.
  request?: (world: World) => Sent | Promise<Sent>
}
type Sent = object & { params?: object }

/** The world provides ids that the case does not give. */
async function requestOf(world: World, { path }: Endpoint, { request }: Partial<Case> = {}): Promise<object> {
  const sent = (await request?.(world)) ?? {}
  const names = (path.match(/(?<=:)\w+/g) ?? []).filter((name) => name in world && !(name in (sent.params ?? {})))
  const ids = Object.fromEntries(names.map((name) => [name, Reflect.get(world, name)]))
  return { ...sent, params: { ...ids, ...sent.params } }
}

/** The owner has entered the outsider's ID. */
const askedOutsider: Case = {
  rule: answers([401, 404, 404, 200, 403, 403, 403]),
  request: async ({ courseId, owner, outsider }) => {
    await api.as(owner).send(enrolStudent, { params: { courseId }, body: { user_id: outsider.id } })
    return {}
  },
}

/** With a change to undo. */
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

/** The same for all callers, of whom only the last may change it. */
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

const when = (rule: Rule, request: Case['request']): Case => ({ rule, request })

const onScan = (body?: object, status?: number) =>
  when(ownTeacher(status), async (world) => ({ params: { ...(await scanParams(world)), page: 1 }, body }))

const onItem = (body: (world: World) => object) =>
  when(ownTeacher(), async (world) => ({ params: await itemParams(world), body: body(world) }))

const onCheck = (body?: (checkId: number) => object) =>
  when(ownTeacher(), async (world) => {
    const { answer, check_id } = await buildCheck(world)
    return { params: answer, body: body?.(check_id) }
  })

const onRubric = (body: (current: ReplyOf<typeof getRubric>) => object) =>
  when(ownTeacher(), async ({ assignmentId, owner }) => {
    const current = await api.as(owner).send(getRubric, { params: { assignmentId } })
    return { params: { version: 1 }, body: body(current.body) }
  })

const withIdsAlone = (rule: Rule, calls: string): Record<string, Case> =>
  Object.fromEntries(calls.split(/\s+/).map((call) => [call, { rule }]))

/** An endpoint missing here fails the test below. */
const cases: Record<string, Case> = {
  ...withIdsAlone(
    signedIn(),
    `getMe signOut resendConfirmation exportOwnData previewOwnErasure listCourses listMyCourses`,
  ),
  getCsrfToken: { rule: everyone() },
  getDemo: { rule: everyone() },
  getPublicSettings: { rule: everyone() },
  getStudentProfile: { rule: anyStudent() },
  getInstructorProfile: { rule: anyTeacher() },
  listAssignments: { rule: anyTeacher() },
  getCourse: { rule: inCourse() },
  ...withIdsAlone(
    ownTeacher(),
    `listCourseStudents getCourseRetention deleteCourse createJoinCode deleteJoinCode getInvitationLimit
     inviteRoster listLmsCourses stopLmsSync listSuspended listRosterJobs getRosterJob stopRosterJob
     getAssignment publishAssignment unpublishAssignment deleteAssignment getScoreRules listExtensions
     getLmsScores listLmsScores sendLmsScores checkLmsScores listRubricVersions stopRubricGeneration exportRubric
     getRubric listSubmissions listMatches matchSubmissions gradeAnyway listSubmissionIds countSubmissions
     listGroups getSubmission listQuestions getQuestion getAnswer listRubricItems searchCommentBank listClassScans
     getSimilarity getAccuracyCheck getTranscription deleteSubmission listRuns getRun retryRun stopRun
     getGradeApprovals listRetainedGrades exportGrades exportGradeHistory getAnswerSheetQuestions listPrints
     getSeparatorSheets exportGradedPapers getGradedPaper getGradeHistory listRegrades listOpenRegrades
     getCourseAnalytics getGradeDistribution listStudentPerformance listQuestionStatistics getCourseLlm
     removeCourseLlm getCourseLlmUsage`,
  ),
  ...withIdsAlone(
    adminOnly(),
    `getSystemSettings sendTestMail getStorageUsage getSystemLlm getSystemLlmUsage getAdminDashboard listAudit
     listAuditActions listUsers listPlatforms getToolValues listRegistrationLinks`,
  ),
  getStudentCourse: { rule: ownStudent() },
  listStudentAssignments: { rule: ownStudent() },
  getPhotoDraft: { rule: draftAssignment() },
  deletePhotoDraft: { rule: draftAssignment() },

  signIn: when(everyone(401), () => ({ body: { username: 'nobody-here', password: 'x' } })),
  registerStudent: when(everyone(201), () => ({ body: account() })),
  registerInstructor: when(everyone(201), () => ({ body: { ...account(), role: 'instructor' } })),
  signInToDemo: when(everyone(404), () => ({ body: { role: 'instructor' } })),
  forgotPassword: when(everyone(), () => ({ body: { email: `${name()}@school.example` } })),
  resetPassword: when(everyone(400), () => ({ body: { token: 'x', new_password: 'Another-Good-1-Phrase' } })),
  changePassword: when(signedIn(), ({ owner }) => ({
    body: { current_password: owner.password, new_password: 'Another-Good-1-Phrase' },
  })),
  getMailedLink: when(everyone(400), () => ({ body: { token: 'x' } })),
  confirmEmail: when(signedIn(400), () => ({ body: { token: 'x' } })),
  acceptInvitation: when(everyone(400), () => ({ body: { token: 'x', password: 'Another-Good-1-Phrase' } })),
  updateStudentProfile: when(anyStudent(), () => ({ body: { full_name: 'New Name' } })),
  exportUserData: when(adminOnly(), ({ student }) => ({ params: { userId: student.id } })),
  eraseOwnAccount: when(signedIn(422), () => ({ body: { password: 'not-theirs' } })),
  previewErasure: when(adminOnly(), ({ outsider }) => ({ params: { userId: outsider.id } })),
  eraseUser: when(adminOnly(202), ({ outsider }) => ({
    params: { userId: outsider.id },
    body: { username: outsider.username },
  })),
  updateInstructorProfile: when(anyTeacher(), () => ({ body: { full_name: 'New Name' } })),

  createCourse: when(anyTeacher(201), () => ({ body: { name: 'New' } })),
  enrolStudent: when(ownTeacher(201), async ({ owner }) => ({ body: { user_id: await buildKnownStudent(owner) } })),
  removeStudent: when(ownTeacher(), ({ classmate }) => ({ params: { userId: classmate.id } })),

  updateCourse: when(ownTeacher(), () => ({ body: { name: 'Renamed' } })),
  previewCourseRetention: when(ownTeacher(), () => ({ query: { months: 12 } })),
  setCourseRetention: when(ownTeacher(), () => ({ body: { months: 12 } })),
  addInstructor: when(ownTeacher(201), async () => ({ body: { login: (await buildPerson('instructor')).username } })),
  removeInstructor: when(ownTeacher(), async ({ courseId, owner }) => {
    const other = await buildPerson('instructor')
    await api.as(owner).send(addInstructor, { params: { courseId }, body: { login: other.username } })
    return { params: { courseId, userId: other.id } }
  }),
  acceptEnrollment: askedOutsider,
  declineEnrollment: askedOutsider,
  joinCourse: when(answers([401, 409, 409, 201, 403, 403, 403]), async ({ courseId, owner }) => ({
    body: { code: (await api.as(owner).send(createJoinCode, { params: { courseId } })).body.join_code },
  })),

  addStudent: when(ownTeacher(), () => ({ body: { email: `${name()}@school.example` } })),
  addStudentsFromCsv: when(ownTeacher(), () => ({
    files: { file: [{ name: 'class.csv', bytes: `email\n${name()}@school.example\n` }] },
  })),
  previewRosterCsv: when(ownTeacher(), () => ({
    files: { file: [{ name: 'class.csv', bytes: 'email\nada@school.example\n' }] },
  })),
  removeFromRoster: when(ownTeacher(), ({ classmate }) => ({ params: { studentId: classmate.id } })),
  renameRosterStudent: when(ownTeacher(), ({ classmate }) => ({
    params: { studentId: classmate.id },
    body: { full_name: 'Somebody Else' },
  })),
  resendRosterInvitation: when(ownTeacher(), ({ classmate }) => ({ params: { studentId: classmate.id } })),
  // Syncs are tested in `features/lti/roster`.
  syncLmsRoster: when(ownTeacher(409), () => ({ body: {} })),

  createAssignment: when(ownTeacher(201), async ({ courseId }) => {
    const { blank, key } = await quizFiles()
    return { body: { name: 'New', course_id: courseId }, files: { blank_pdf: [blank], answer_key_pdf: [key] } }
  }),
  previewDeletion: when(anyTeacher(), ({ assignmentId }) => ({ query: { ids: `${assignmentId}` } })),
  deleteAssignments: when(anyTeacher(), ({ assignmentId }) => ({ body: { assignment_ids: [assignmentId] } })),
  updateAssignment: when(ownTeacher(), () => ({ body: { name: 'Quiz 4' } })),
  setNamesHidden: when(ownTeacher(), () => ({ body: { names_hidden: true } })),
  previewScoreRules: when(ownTeacher(), () => ({ body: { late_penalty: null, adjustment: null } })),
  previewDates: when(ownTeacher(), () => ({ body: { due_at: null } })),
  setScoreRules: when(ownTeacher(), () => ({ body: { late_penalty: null, adjustment: null, version: 0 } })),
  setHandInTimes: when(ownTeacher(), ({ submissionId }) => ({
    body: { submission_ids: [submissionId], at: 'on_time' as const },
  })),
  waiveLatePenalty: when(ownTeacher(), () => ({ body: { waived: true } })),
  setExtension: when(ownTeacher(), async ({ assignmentId, student, owner }) => {
    const due = { body: { due_at: '2030-01-01T00:00:00Z' } }
    await api.as(owner).send(updateAssignment, { params: { assignmentId }, ...due })
    return { params: { assignmentId, studentId: student.id }, body: { due_at: '2030-02-01T00:00:00Z' } }
  }),
  removeExtension: when(ownTeacher(), async ({ assignmentId, student, owner }) => {
    const params = { assignmentId, studentId: student.id }
    const due = { body: { due_at: '2030-01-01T00:00:00Z' } }
    await api.as(owner).send(updateAssignment, { params: { assignmentId }, ...due })
    await api.as(owner).send(setExtension, { params, body: { due_at: '2030-02-01T00:00:00Z' } })
    return { params }
  }),
  saveGroup: when(ownTeacher(409), ({ student }) => ({ body: { student_ids: [student.id] } })),
  takeGroups: when(ownTeacher(409), () => ({ body: { csv: 'group,email\nRed,ada@school.example\n' } })),
  setException: when(ownTeacher(), ({ student }) => ({ params: { studentId: student.id }, body: { exception: null } })),
  getOwnGroup: { rule: unpublished() },
  changeOwnGroup: when(unpublished(), () => ({ body: { action: 'leave' } })),
  detachLmsLink: when(ownTeacher(404), () => ({ params: { linkId: 999_999 } })),
  saveRubric: onRubric(({ version, rubric }) => ({ version, rubric })),
  checkRubric: onRubric(({ version }) => ({ version, checked: true })),
  getPaperText: when(ownTeacher(), () => ({
    params: { which: 'key' },
    query: { page: 1, x: 0, y: 0, width: 100, height: 100 },
  })),
  getRubricVersion: when(ownTeacher(), () => ({ params: { version: 1 } })),
  restoreRubricVersion: onRubric(({ version }) => ({ version })),
  generateRubric: when(ownTeacher(409), () => ({ body: { by: 'model' } })),
  getAssignmentPaper: when(ownTeacher(), () => ({ params: { which: 'key' } })),

  acceptMatches: when(ownTeacher(), ({ submissionId, student }) => ({
    body: { accepted: [{ submission_id: submissionId, student_id: student.id }] },
  })),
  setSubmissionStudent: when(ownTeacher(), () => ({ body: { student_id: null } })),
  splitPaper: {
    rule: ownTeacher(409),
    request: ({ assignmentId, submissionId }) => ({
      params: { assignmentId, submissionId },
      body: { second_begins_on: 2 },
    }),
  },
  getSubmissionFile: { rule: answers([401, 404, 404, 404, 404, 200, 200]) },
  getSubmissionPage: when(ownTeacher(), () => ({ params: { page: 1 } })),
  getAnswerPicture: when(ownTeacher(), () => ({ params: { picture: 1 } })),
  decideAnswers: when(ownTeacher(), (world) => decision(world, 4)),
  groupAnswersTogether: when(ownTeacher(), ({ submissionId }) => ({ body: { submission_ids: [submissionId] } })),
  undoQuestionChange: {
    rule: answers([401, 403, 403, 403, 404, 200, 404]),
    request: async (world) => {
      const grouped = await api
        .as(world.owner)
        .send(groupAnswersTogether, {
          params: { assignmentId: world.assignmentId, questionId: 'q3' },
          body: { submission_ids: [world.submissionId] },
        })
      return { params: { assignmentId: world.assignmentId, questionId: 'q3', changeId: grouped.body.change_id } }
    },
  },
  createRubricItem: when(ownTeacher(201), ({ assignmentId }) => newItem(assignmentId)),
  changeRubricItem: onItem(() => ({ ...itemWords, points: 2, revision: 1 })),
  removeRubricItem: onItem(() => ({ revision: 1 })),
  applyRubricItem: onItem(({ submissionId }) => ({
    answers: [{ submission_id: submissionId, decided: null }],
    applied: true,
  })),
  // Without files it gets as far as being asked for them.
  uploadClassScan: when(ownTeacher(400), () => ({ files: {} })),
  getClassScan: onScan(),
  getClassScanPage: onScan(),
  stopClassScan: onScan(),
  resumeClassScan: onScan(),
  splitClassScan: onScan({ revision: 1, by: 'page_count', pages_per_paper: 1 }),
  editClassScan: onScan({ revision: 1, edit: { kind: 'turn', pages: ['p1'], degrees: 90 } }),
  undoClassScanEdit: onScan({ revision: 1 }),
  // Refused for what it asks, once let in.
  confirmClassScan: onScan({ revision: 0 }, 409),
  deleteClassScan: onScan(),
  setSimilarity: when(ownTeacher(), () => ({ body: { enabled: false } })),
  dismissSimilarPairs: when(ownTeacher(), async ({ assignmentId, submissionId }) => {
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
  }),
  startAccuracyCheck: when(ownTeacher(), () => ({ body: { answers: 8 } })),
  getBlindAnswer: onCheck(),
  markBlindAnswer: onCheck((check_id) => ({ check_id, points: null })),
  applyBlindMarks: onCheck((check_id) => ({ check_id })),
  getReviewList: onCheck(),
  exportAccuracyCheck: onCheck(),
  flagReviewList: onCheck((check_id) => ({ check_id, limit: 10 })),
  announceGrading: when(ownTeacher(), () => ({ body: { open: true } })),
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
  addPenMark: when(ownTeacher(), () => ({
    params: { markId: randomUUID() },
    body: { kind: 'tick', page: 1, colour: 'red', x: 90, y: 120, turn: 0 },
  })),
  erasePenMark: when(ownTeacher(), () => ({ params: { markId: randomUUID() } })),
  uploadSubmission: when(ownTeacher(201), async () => ({ body: {}, files: { file: [(await quizFiles()).blank] } })),
  uploadSubmissions: when(ownTeacher(201), async () => ({ body: {}, files: { files: [(await quizFiles()).blank] } })),
  deleteSubmissions: when(ownTeacher(), ({ submissionId }) => ({ body: { submission_ids: [submissionId] } })),

  processAssignment: when(ownTeacher(202), () => ({ body: { force: true } })),
  estimateRun: when(ownTeacher(), () => ({ body: { force: true } })),

  overrideGrade: when(ownTeacher(), () => ({ body: { overall_score: 1, human_review_notes: null } })),
  approveGrades: {
    rule: ownTeacher(409),
    request: ({ assignmentId }) => ({ params: { assignmentId }, body: { expected: 1 } }),
  },
  undoGradeApproval: when(ownTeacher(404), () => ({ params: { approvalId: 1_000_000 } })),
  createPrint: when(ownTeacher(201), () => ({
    body: { students: false, spares: 1, names: false, double_sided: false },
  })),
  getPrintedCopies: when(ownTeacher(404), () => ({ params: { printId: 1_000_000 } })),
  getOwnGradedPaper: { rule: answers([401, 404, 404, 404, 403, 403, 403]) },

  // Regrades need a published assignment.
  requestRegrade: when(answers([401, 404, 404, 404, 403, 403, 403]), () => ({ body: { reason: 'Please look again' } })),
  previewAmendment: when(ownTeacher(404), () => ({
    body: { regrade_id: 1_000_000, kind: 'alternative', text: 'a gross' },
  })),
  applyAmendment: when(ownTeacher(404), () => ({
    body: { regrade_id: 1_000_000, kind: 'alternative', text: 'a gross', rubric_version: 1, answers: [] },
  })),
  listAmendments: when(ownTeacher(), async ({ submissionId, student }) => ({
    params: { regradeId: await buildRegrade(await assignmentOf(submissionId), submissionId, student) },
  })),
  undoAmendment: when(ownTeacher(404), () => ({ params: { amendmentId: 1_000_000 } })),
  answerRegrade: when(ownTeacher(), async ({ assignmentId, submissionId, student }) => ({
    params: { regradeId: await buildRegrade(assignmentId, submissionId, student) },
    body: { answer: 'I have looked again' },
  })),
  getGradebook: { rule: ownTeacher() },
  exportGradebook: { rule: ownTeacher() },
  updateGradebook: when(ownTeacher(), () => ({ body: { drop_lowest: 1 } })),

  // Launch sessions are tested in `features/lti/launches`.
  openLaunch: when(everyone(401), () => ({ params: { launchId: 'no-such-launch' }, body: { code: 'x' } })),
  resumeLaunch: when(everyone(401), () => ({ params: { launchId: 'no-such-launch' } })),
  getLaunch: { rule: signedIn(404) },
  openInWindow: { rule: signedIn(404) },
  getSetUp: { rule: answers([401, 403, 403, 403, 404, 404, 403]) },
  setUpLaunch: when(answers([401, 403, 403, 403, 404, 404, 403]), ({ assignmentId }) => ({
    body: { assignment: { kind: 'copy', assignment_id: assignmentId } },
  })),
  joinAccount: when(answers([401, 404, 404, 404, 404, 404, 403]), ({ owner }) => ({
    body: { username: owner.username, password: owner.password },
  })),

  changeSystemSettings: when(adminOnly(), () => ({ body: { limit_upload: 500 } })),
  previewSchoolRetention: when(adminOnly(), () => ({ query: { months: 12 } })),
  changeSystemLlm: when(adminOnly(), () => ({
    body: { ...defaultLlmSettings, course_budget: null, teachers_keys: true },
  })),
  // No LLM is set up, which only callers with the right learn.
  testSystemLlm: when(adminOnly(409), () => ({ body: {} })),
  changeCourseLlm: when(ownTeacher(), () => ({ body: defaultLlmSettings })),
  testCourseLlm: when(ownTeacher(409), () => ({ body: {} })),
  fireTestCompletion: when(answers([401, 200, 404, 404, 404, 404, 200]), ({ student }) => ({
    params: { userId: student.id },
    query: { assignment_id: 1 },
  })),
  failOnPurpose: when(everyone(409), () => ({ params: { kind: '409' } })),

  // Launch sessions are tested in `features/lti/deep-linking`.
  getLinkChoice: { rule: answers([401, 403, 403, 403, 404, 404, 403]) },
  answerDeepLink: when(answers([401, 403, 403, 403, 404, 404, 403]), ({ assignmentId }) => ({
    body: { assignment_ids: [assignmentId] },
  })),

  createManagedUser: when(adminOnly(201), () => ({ body: { ...account(), role: 'instructor', hand_over: 'mail' } })),
  changeUserRole: when(adminOnly(), ({ outsider }) => ({
    params: { userId: outsider.id },
    body: { role: 'instructor' },
  })),
  approveUser: when(adminOnly(), ({ student }) => ({ params: { userId: student.id } })),
  deactivateUser: when(adminOnly(), ({ outsider }) => ({ params: { userId: outsider.id } })),
  reactivateUser: when(adminOnly(), ({ outsider }) => ({ params: { userId: outsider.id } })),
  sendUserLink: when(adminOnly(), ({ outsider }) => ({ params: { userId: outsider.id } })),

  createPlatform: when(adminOnly(201), () => ({
    body: {
      name: 'Our Moodle',
      lms: 'moodle',
      issuer: `http://127.0.0.1/${name()}`,
      client_id: 'assay',
      auth_endpoint: 'http://127.0.0.1/auth',
      token_endpoint: 'http://127.0.0.1/token',
      jwks_url: 'http://127.0.0.1/certs',
    },
  })),
  getPlatform: when(adminOnly(), buildPlatform),
  changePlatform: when(adminOnly(), async () => ({ ...(await buildPlatform()), body: { name: 'Another name' } })),
  approvePlatform: when(adminOnly(), buildPlatform),
  deactivatePlatform: when(adminOnly(), buildPlatform),
  reactivatePlatform: when(adminOnly(), buildPlatform),
  deletePlatform: when(adminOnly(), buildPlatform),
  rotatePlatformKey: when(adminOnly(), buildPlatform),
  startSelfTest: when(adminOnly(202), buildPlatform),
  getSelfTest: when(adminOnly(), buildPlatform),
  createRegistrationLink: { rule: adminOnly(201) },
  revokeRegistrationLink: when(adminOnly(404), () => ({ params: { linkId: 1_000_000 } })),
  // Not registered dynamically, so there is nothing to change at the LMS.
  updateRegistration: when(adminOnly(409), buildPlatform),
  listLaunchLog: when(adminOnly(), buildPlatform),

  getStudentDashboard: { rule: answers([401, 200, 200, 200, 403, 403, 403]) },
  // The assignment is a draft, which students cannot see; below, what they may do once it is published.
  getStudentAssignment: { rule: unpublished() },
  handInPaper: when(answers([401, 404, 404, 404, 403, 403, 403]), async () => ({
    body: {},
    files: { file: [(await quizFiles()).blank] },
  })),
  addPhoto: when(draftAssignment(), ({ assignmentId }) => newPhoto(assignmentId)),
  changePhoto: {
    // Whoever is let in learns that there is no such photo.
    rule: draftAssignment(404),
    request: ({ assignmentId }) => ({ ...photoParams(assignmentId), body: { corners: null, turns: 1 } }),
  },
  removePhoto: when(draftAssignment(), ({ assignmentId }) => photoParams(assignmentId)),
  orderPhotos: when(draftAssignment(), () => ({ body: { keys: [] } })),
  getPhotoPicture: when(draftAssignment(404), ({ assignmentId }) => photoParams(assignmentId)),
  handInPhotos: when(answers([401, 404, 404, 404, 403, 403, 403]), () => ({ body: { draft_id: 'none', revision: 1 } })),
  // Whoever is let in learns that there are no photos.
  getSubmissionPhoto: when(answers([401, 404, 404, 404, 404, 404, 404]), () => ({ params: { number: 1 } })),
  downloadSubmissionPhoto: when(answers([401, 404, 404, 404, 404, 404, 404]), () => ({ params: { number: 1 } })),
  uploadPhotos: when(ownTeacher(409), () => ({ body: { draft_id: 'none', revision: 1, student_id: null } })),
  getAttemptFile: when(answers([401, 404, 404, 404, 403, 403, 403]), () => ({ params: { number: 1 } })),
}

const worlds: { lookedAt?: World; course?: World; papers?: World } = {}

async function worldFor(endpoint: Endpoint): Promise<World> {
  // Building papers takes most of the time.
  const needsPapers = /\/(assignments|lti\/launch)\b/.test(endpoint.path)
  const kind = endpoint.method === 'get' ? 'lookedAt' : needsPapers ? 'papers' : 'course'
  const world = worlds[kind] ?? (await (kind === 'course' ? buildCourseWorld() : buildWorld()))
  worlds[kind] = world
  return world
}

/**
 * The test data serves the next call too: they only add, note or compute. Rebuilding it takes most of this file's time.
 */
const leavesData: ReadonlySet<string> = new Set(
  `previewScoreRules previewDates estimateRun checkRubric announceGrading matchSubmissions checkLmsScores
   sendLmsScores stopRubricGeneration stopRun retryRun createAssignment updateAssignment createRubricItem
   setExtension removeExtension setScoreRules setSimilarity dismissSimilarPairs answerRegrade waiveLatePenalty setHandInTimes
   flagReviewList updateCourse updateGradebook setCourseRetention createJoinCode deleteJoinCode addStudent addStudentsFromCsv
   enrolStudent addInstructor removeInstructor stopLmsSync changeCourseLlm removeCourseLlm changeRubricItem
   applyRubricItem removeRubricItem markBlindAnswer applyBlindMarks stopClassScan resumeClassScan splitClassScan
   editClassScan undoClassScanEdit confirmClassScan deleteClassScan uploadClassScan overrideGrade createPrint
   uploadSubmissions uploadSubmission stopRosterJob groupAnswersTogether undoQuestionChange decideAnswers
   addPenMark erasePenMark correctAnswer gradeAnyway startAccuracyCheck addPhoto orderPhotos removePhoto deletePhotoDraft saveRubric
   restoreRubricVersion previewRosterCsv inviteRoster resendRosterInvitation renameRosterStudent fireTestCompletion
   joinCourse sendUserLink approveUser reactivateUser`.split(/\s+/),
)

async function callAs(person: Who, call: string, endpoint: Endpoint, found: Case): Promise<number> {
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
  const sent = await requestOf(watched, endpoint, found)
  const { status } = await callerOf(world, person, endpoint, found.rule).send(endpoint, sent)
  // The next gets test data of their own.
  if (endpoint.method !== 'get' && isNamed && status < 300 && !leavesData.has(call)) {
    if (worlds.course === world) delete worlds.course
    if (worlds.papers === world) delete worlds.papers
  }
  return status
}

function callerOf(world: World, person: Who, endpoint: Endpoint, rule: Rule) {
  if (person === 'nobody') return api.nobody
  const changes = endpoint.method !== 'get' && rule[person] < 300
  // Signing out in one call must not sign out the next.
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
    const crossed: World = { ...theirs, assignmentId: mine.assignmentId, courseId: mine.courseId }
    // The questions of all assignments have the same ids.
    const idsIn = (path: string) => path.replace(':questionId', '').match(/:\w+Id/g) ?? []
    const twoIds = contract.filter(({ endpoint }) => idsIn(endpoint.path).length > 1)
    expect(twoIds.length).toBeGreaterThan(6)
    for (const { name: call, endpoint } of twoIds) {
      const request = await requestOf(crossed, endpoint, cases[call])
      const { status } = await api.as(mine.owner).send(endpoint as Endpoint, request)
      expect([call, status]).toEqual([call, 404])
    }
    const ownPaper = { ...mine, gradeId: theirs.gradeId }
    const override = await requestOf(ownPaper, overrideGrade, cases.overrideGrade)
    expect((await api.as(mine.owner).send(overrideGrade as Endpoint, override)).status).toBe(404)
    const bulk = { params: { assignmentId: mine.assignmentId }, body: { submission_ids: [theirs.submissionId] } }
    const deleted = await api.as(mine.owner).send(deleteSubmissions, bulk)
    expect(deleted.body.results).toMatchObject({ total_deleted: 0, validation_failures: [{ id: theirs.submissionId }] })
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
    expect((await api.as(outsider).send(getStudentDashboard)).body).toMatchObject({ courses: [], recent_grades: [] })
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
