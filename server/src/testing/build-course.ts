import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { createAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import type { Role } from '@assay/shared/users.ts'
import { type Algorithm, hash } from '@node-rs/argon2'
import { parse } from 'csv-parse/sync'
import { drawBlank, drawKey, drawStudentPaper } from '../../../tests/papers/draw-papers.ts'
import type { DrawnAssignment, DrawnStudent } from '../../../tests/papers/drawn-assignment.ts'
import { drawHandwrittenPaper } from '../../../tests/papers/handwritten.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { requireCourse } from '../features/courses/course.service.ts'
import { addEnrollment } from '../features/courses/enrollment.service.ts'
import { createUser } from '../features/users/user.service.ts'
import { isDatabaseConnected } from '../lib/database/database.ts'
import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { RegradeModel } from '../records/grading/regrade.model.ts'
import { RunModel } from '../records/grading/run.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import type { Api, Caller, Person } from './server.ts'

/** Hashed at the lowest cost; the real cost is tested in `auth/`. */
const PASSWORD = 'Correct-Horse-7-Battery'
const hashed = hash(PASSWORD, { algorithm: 2 satisfies Algorithm as Algorithm, memoryCost: 8, timeCost: 1 })

export async function buildPerson(
  role: Role,
  more: Partial<DrawnStudent> & { email_verified?: boolean } = {},
): Promise<Person> {
  const unique = randomUUID().slice(0, 8)
  const username = more.username ?? `${role}-${unique}`
  const user = await createUser(
    {
      username,
      email: more.email ?? `${username}@school.example`,
      full_name: more.full_name ?? null,
      student_number: more.student_number ?? null,
      role,
      email_verified: more.email_verified ?? true,
      password_hash: await hashed,
    },
    new Date(),
  )
  return { id: user._id, username, password: PASSWORD }
}

export async function buildCourse(api: Api, { students = 2 }: { students?: number } = {}) {
  const instructor = await buildPerson('instructor')
  const people: Person[] = []
  for (let i = 0; i < students; i++) people.push(await buildPerson('student'))
  const course = await api.as(instructor).send(createCourse, { body: { name: `Course ${randomUUID().slice(0, 8)}` } })
  if (course.status !== 201) throw new Error(`no course: ${course.text}`)
  const courseId = course.body.id
  for (const student of people) await enrol(courseId, student)
  return { instructor, students: people, courseId }
}

/** Over HTTP a teacher may name only people they know by ID. */
export async function enrol(courseId: number, student: Person): Promise<void> {
  const course = await requireCourse(courseId)
  const now = new Date()
  if (!(await addEnrollment(course, student.id, { added_by: 'teacher' }, now)))
    throw new Error(`${student.username} was enrolled before`)
  const teacher = { id: course.created_by, role: 'instructor' as const, sessionId: 'none' }
  await recordAudit(teacher, 'student.enrolled', { course_id: courseId, user_id: student.id }, now)
}

export async function buildStudent(courseId: number, more?: Parameters<typeof buildPerson>[1]): Promise<Person> {
  const student = await buildPerson('student', more)
  await enrol(courseId, student)
  return student
}

/** Short text, a choice and a number; 20 points in all. */
export const smallQuiz: DrawnAssignment = {
  title: 'Water and heat',
  course: 'Physics',
  instructions: 'Answer all questions.',
  questions: [
    {
      number: '1',
      prompt: 'Why does ice float on water?',
      points: 10,
      lines: 3,
      answer: 'Ice is less dense than water because its molecules are held further apart in a lattice.',
    },
    {
      number: '2',
      prompt: 'Which of these conducts heat best?',
      points: 5,
      lines: 1,
      choices: ['Wood', 'Copper', 'Glass'],
      answer: 'B',
    },
    { number: '3', prompt: 'How much is 12 times 12?', points: 5, lines: 1, answer: '144' },
  ],
}

export const correctAnswers = [
  'Ice is less dense than water because the molecules are held further apart in a lattice.',
  'B',
  '144',
]
export const weakAnswers = ['Because it is cold and hard.', 'A', '124']
const drawings = new Map<string, Promise<Buffer>>()
function drawOnce(input: unknown, draw: () => Promise<Buffer>): Promise<Buffer> {
  const key = JSON.stringify(input)
  const drawing = drawings.get(key) ?? draw()
  drawings.set(key, drawing)
  return drawing
}

export function drawPaper(
  student: Pick<DrawnStudent, 'full_name'> & Partial<DrawnStudent>,
  answers: string[],
): Promise<Buffer> {
  const drawn = { username: '', email: '', student_number: '', ...student }
  return drawOnce({ drawn, answers }, () => drawStudentPaper(smallQuiz, drawn, answers, 'typed'))
}

export function drawHandwrittenQuizPaper(student: Pick<DrawnStudent, 'full_name'>, answers: string[]): Promise<Buffer> {
  return drawHandwrittenPaper(smallQuiz, student, answers, { wild: 0.5 })
}

export function handwrittenQuizLines({ full_name }: Pick<DrawnStudent, 'full_name'>, answers: string[]): string[] {
  return [
    smallQuiz.title,
    `Name: ${full_name}`,
    smallQuiz.instructions ?? '',
    ...smallQuiz.questions.flatMap(({ number, prompt, points, choices = [] }, i) => [
      `${number}. ${prompt} (${points} points)`,
      ...choices.map((choice, n) => `${'ABCDE'[n]}) ${choice}`),
      answers[i] ?? '',
    ]),
  ].filter((line) => line !== '')
}

export interface UploadFile {
  name: string
  bytes: Buffer | string
}

export async function quizFiles(): Promise<{ blank: UploadFile; key: UploadFile }> {
  return {
    blank: { name: 'blank.pdf', bytes: await drawOnce('blank', () => drawBlank(smallQuiz)) },
    key: { name: 'key.pdf', bytes: await drawOnce('key', () => drawKey(smallQuiz)) },
  }
}

/** Submissions' ids are in the order of the papers. */
export async function buildAssignment(
  api: Api,
  { instructor, courseId }: { instructor: Person; courseId?: number },
  papers: UploadFile[],
) {
  const { blank, key } = await quizFiles()
  const created = await api
    .as(instructor)
    .send(createAssignment, {
      body: { name: smallQuiz.title, ...(courseId === undefined ? {} : { course_id: courseId }) },
      files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
    })
  if (created.status !== 201) throw new Error(`assignment not created: ${created.text}`)
  const assignmentId = created.body.id
  const listed = await api.as(instructor).send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
  return { assignmentId, submissionIds: listed.body.map((row) => row.id) }
}

export async function buildEmptyAssignment(api: Api, { students = 0 }: { students?: number } = {}) {
  const course = await buildCourse(api, { students })
  const { assignmentId } = await buildAssignment(api, course, [])
  return { ...course, teacher: api.as(course.instructor), assignmentId, params: { assignmentId } }
}

/** A paper for each set of answers, graded unless told otherwise. */
export async function buildGraded(
  api: Api,
  answerSets: string[][],
  {
    students = false,
    names = [],
    graded = true,
  }: {
    /** Each paper is a student's, by its file's name; else they are `paper-0.pdf` and so on. */
    students?: boolean
    names?: string[]
    graded?: boolean
  } = {},
) {
  const course = await buildCourse(api, { students: students ? answerSets.length : 0 })
  const papers = answerSets.map((answers, i) => ({
    file: course.students[i]?.username ?? `paper-${i}`,
    full_name: names[i] ?? `Student ${i}`,
    answers,
  }))
  return { ...course, ...(await buildGradedPapers(api, course, papers, graded)) }
}

/** `file`: a paper's name, without `.pdf`. */
export async function buildGradedPapers(
  api: Api,
  { instructor, courseId }: { instructor: Person; courseId: number },
  papers: { file: string; full_name: string; answers: string[] }[],
  graded = true,
) {
  const files = papers.map(async ({ file, full_name, answers }) => ({
    name: `${file}.pdf`,
    bytes: await drawPaper({ full_name }, answers),
  }))
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, await Promise.all(files))
  const run = graded ? await gradeAssignment(api, instructor, assignmentId) : null
  return { teacher: api.as(instructor), assignmentId, submissionIds, params: { assignmentId }, run }
}

export async function gradeAssignment(
  api: Api,
  instructor: Person,
  assignmentId: number,
  body: { submission_ids?: number[]; force?: boolean; outdated?: boolean } = {},
) {
  const started = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body })
  if (started.status !== 202) throw new Error(`could not start the run: ${started.text}`)
  return waitForRun(api, instructor, assignmentId, started.body.run_id)
}

export async function waitForRun(api: Api, instructor: Person, assignmentId: number, runId: number) {
  // Asking over HTTP costs as much as a step of the run.
  for (let waitMs = 50; isDatabaseConnected(); waitMs = Math.min(1.5 * waitMs, 250)) {
    if (await RunModel.exists({ _id: runId, finished_at: { $ne: null } })) break
    await after(waitMs)
  }
  for (;;) {
    const { body } = await api.as(instructor).send(getRun, { params: { assignmentId, runId } })
    if (body.finished_at) return body
    await after(250)
  }
}

/** Approves what is suggested unless told otherwise. */
export async function decideGrade(
  teacher: Caller,
  ids: { assignmentId: number; submissionId: number },
  decision: Partial<GradeOverride> = {},
) {
  const { body } = await teacher.send(getSubmission, { params: ids })
  const reply = await teacher.send(overrideGrade, {
    params: { ...ids, gradeId: body.grade?.id ?? 0 },
    body: { overall_score: null, human_review_notes: null, ...decision },
  })
  if (reply.status !== 200) throw new Error(`not decided: ${reply.text}`)
  return reply
}

export const rowsOf = (csv: string): string[] =>
  parse(csv, { bom: true, relax_column_count: true }).map((cells: string[]) => cells.join(','))

/** As if all that was done to an assignment so far had been done at one moment. */
export async function ageAssignment(assignmentId: number, at: Date): Promise<void> {
  const mine = { assignment_id: assignmentId }
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { created_at: at, updated_at: at } })
  await AssignmentModel.updateOne({ _id: assignmentId, published_at: { $ne: null } }, { $set: { published_at: at } })
  await SubmissionModel.updateMany(mine, { $set: { created_at: at, updated_at: at } })
  await RunModel.updateMany(mine, { $set: { started_at: at, finished_at: at } })
  await RegradeModel.updateMany({ ...mine, state: 'answered' }, { $set: { answered_at: at } })
}
