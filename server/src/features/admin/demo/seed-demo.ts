import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import type { RunDoc } from '../../../records/grading/run.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { type DemoProgressDoc, DemoProgressModel } from '../../../records/system/demo-progress.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment, findAssignmentByTitle } from '../../assignments/assignment.service.ts'
import { createAssignment } from '../../assignments/create-assignment.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { createCourse, findCourseByName } from '../../courses/course.service.ts'
import { enrol } from '../../courses/enrollment.service.ts'
import { isEnrolled } from '../../courses/enrollment-queries.ts'
import { publish } from '../../grades/grade.routes.ts'
import type { GradingPipeline } from '../../runs/grading-pipeline.ts'
import { findRun, startRun } from '../../runs/run.service.ts'
import { deleteSubmissionRows, storeSubmissions } from '../../submissions/submission.service.ts'
import { countUsers, createUser, findUserByLogin } from '../../users/user.service.ts'

const DemoFile = z.object({ name: z.string(), path: z.string() })
const DemoMaterial = z.object({
  students: z.array(
    z.object({ username: z.string(), full_name: z.string(), email: z.string(), student_number: z.string() }),
  ),
  assignments: z.array(z.object({ title: z.string(), blank: DemoFile, key: DemoFile, papers: z.array(DemoFile) })),
})

const DRAW_DEMO_SCRIPT = fileURLToPath(new URL('../../../../../tests/papers/draw-demo.ts', import.meta.url))

/** In a process of its own, so that the server stays responsive. */
type DrawDemo = (folder: string) => Promise<z.infer<typeof DemoMaterial>>

const drawInProcess: DrawDemo = async (folder) => {
  await promisify(execFile)(process.execPath, [DRAW_DEMO_SCRIPT, folder], { timeout: 300_000 })
  return DemoMaterial.parse(JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')))
}

/** Continues an interrupted first start; what exists is never touched again. */
export async function seedDemo(services: Services, grading: GradingPipeline, draw: DrawDemo = drawInProcess) {
  const { config, log, clock } = services
  const progress = await startOrResume()
  if (!progress || progress.done) return
  const once = async (step: string, work: () => Promise<void>) => {
    if (progress.steps.includes(step)) return
    await work()
    await DemoProgressModel.updateOne({ _id: 'demo' }, { $addToSet: { steps: step } })
  }

  const folder = await mkdtemp(join(config.dataDir, 'demo-'))
  try {
    const instructor = await ensureDemoAccounts(services)
    const drawn = await draw(folder)
    await once('course', async () => {
      const course = await ensureCourse(instructor, services)
      const nobody = await hashPassword(randomBytes(24).toString('base64url'))
      for (const student of drawn.students) {
        const user =
          (await findUserByLogin(student.username)) ??
          (await createUser({ ...student, role: 'student', password_hash: nobody, email_verified: true }, clock.now()))
        if (!(await isEnrolled({ id: user._id }, course._id))) await enrol(course, user, clock.now())
      }
    })
    const course = await findCourse(instructor)
    if (course) {
      for (const assignment of drawn.assignments)
        await once(`assignment: ${assignment.title}`, () => ensureAssignment(course, assignment, instructor, services))
      const first = await findAssignmentByTitle(course._id, drawn.assignments[0]?.title ?? '')
      if (first) await once('graded', () => gradeAndPublish(first, instructor, grading, services))
    }
    await DemoProgressModel.updateOne({ _id: 'demo' }, { $set: { done: true } })
    log.info('the demo course is ready')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A demo instructor without progress was created by a version that stored none. */
async function startOrResume(): Promise<DemoProgressDoc | null> {
  const progress = await DemoProgressModel.findById('demo').lean()
  if (progress) return progress
  const mayBegin = (await countUsers()) === 0 || (await findUserByLogin('instructor'))?.demo
  if (!mayBegin) return null
  const begun: DemoProgressDoc = { _id: 'demo', steps: [], done: false }
  await DemoProgressModel.create(begun)
  return begun
}

const COURSE_NAME = 'Science foundations (demo)'

const findCourse = (instructor: UserDoc) => findCourseByName(COURSE_NAME, instructor._id)

async function ensureCourse(instructor: UserDoc, { clock }: Services): Promise<CourseDoc> {
  const course = {
    name: COURSE_NAME,
    course_code: 'SCI-101',
    description: 'A course to try Assay with: fourteen students, one quiz already graded and one waiting for you.',
  }
  return (await findCourse(instructor)) ?? createCourse(course, { id: instructor._id }, clock.now())
}

async function toUploadedPaper({ name, path }: z.infer<typeof DemoFile>) {
  const content = await readFile(path)
  const hash = hashOf(content)
  return { file: { field: '', name, path, size: content.length, hash }, handwritten: false }
}

async function ensureAssignment(
  course: CourseDoc,
  { title, blank, key, papers }: z.infer<typeof DemoMaterial>['assignments'][number],
  instructor: UserDoc,
  { files, clock }: Services,
): Promise<void> {
  if (await findAssignmentByTitle(course._id, title)) return
  await createAssignment(
    {
      title,
      courseId: course._id,
      blank: await toUploadedPaper(blank),
      key: await toUploadedPaper(key),
      papers: await Promise.all(papers.map(toUploadedPaper)),
    },
    { id: instructor._id },
    files,
    clock.now(),
    { storeSubmissions, deleteSubmissionRows },
  )
}

async function gradeAndPublish(
  assignment: AssignmentDoc,
  instructor: UserDoc,
  grading: GradingPipeline,
  services: Services,
): Promise<void> {
  const actor = { id: instructor._id, role: instructor.role, sessionId: 'first start' }
  if (assignment.status === 'published') return
  const runId = await startOrFindRun(assignment, actor, grading, services)
  if (runId !== 'graded already') {
    const run = await waitForRun(runId)
    if (run?.status === 'failed') throw new Error(`the demo was not graded: ${run.failure}`)
    if (run?.status !== 'completed') return
  }
  const fresh = await findAssignment(assignment._id)
  if (fresh) await publish(fresh, actor, services.clock.now())
}

async function startOrFindRun(assignment: AssignmentDoc, actor: Actor, grading: GradingPipeline, services: Services) {
  try {
    const run = await startRun(assignment, {}, actor, services)
    await grading.start(run)
    return run._id
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'nothing_to_grade') return 'graded already'
    const activeRunId = (await findAssignment(assignment._id))?.active_run_id
    if (error.code !== 'run_in_progress' || !activeRunId) throw error
    return activeRunId
  }
}

async function waitForRun(runId: number): Promise<RunDoc | null> {
  for (;;) {
    const run = await findRun(runId)
    if (!run || run.finished_at) return run
    await wait(250)
  }
}

/** Whose paper is good but not perfect. */
const DEMO_STUDENT = 'lchen'

const DEMO_ACCOUNTS = [
  { username: 'admin', full_name: 'Demo Administrator', role: 'admin' },
  { username: DEMO_STUDENT, full_name: 'Lucy Chen', role: 'student' },
  { username: 'instructor', full_name: 'Dr. Ines Keller', role: 'instructor' },
] as const

async function readPasswordFile(file: string): Promise<Map<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return new Map([...text.matchAll(/^(\S+) +(\S+)$/gm)].map(([, name = '', secret = '']) => [name, secret]))
}

async function writePasswordFile(file: string, text: string): Promise<void> {
  const staging = `${file}.new`
  const handle = await open(staging, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(staging, file)
}

/** Passwords are written first, so that an interrupted start goes on with the same ones. */
export async function ensureDemoAccounts({ config, clock }: Services): Promise<UserDoc> {
  const file = join(config.dataDir, 'first-run.txt')
  const passwords = await readPasswordFile(file)
  const accounts = new Map<string, UserDoc>()
  let hasNewPasswords = false
  for (const { username } of DEMO_ACCOUNTS) {
    const user = await findUserByLogin(username)
    if (user) accounts.set(username, user)
    else if (!passwords.has(username)) {
      passwords.set(username, randomBytes(15).toString('base64url'))
      hasNewPasswords = true
    }
  }
  if (hasNewPasswords) {
    const lines = [...passwords].map(([username, secret]) => `${username.padEnd(12)} ${secret}`)
    const text = `Demo accounts, created at first start for trying Assay on this machine:\n\n${lines.join('\n')}\n`
    await writePasswordFile(file, text)
    console.log(`\n${text}\nStored in ${file}\n`)
  }
  for (const account of DEMO_ACCOUNTS) {
    if (accounts.has(account.username)) continue
    const user = await createUser(
      {
        ...account,
        email: `${account.username}@demo.example`,
        student_number: account.role === 'student' ? '20260103' : null,
        password_hash: await hashPassword(passwords.get(account.username) ?? ''),
        email_verified: true,
        demo: account.role !== 'admin',
      },
      clock.now(),
    )
    accounts.set(account.username, user)
  }
  const instructor = accounts.get('instructor')
  if (!instructor) throw new Error('the instructor was just made')
  return instructor
}
