import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { ReceivedFile } from '../../lib/uploads.ts'
import type { Services } from '../../services.ts'
import { type AssignmentDoc, AssignmentModel } from '../assignments/assignment.model.ts'
import { createAssignment } from '../assignments/create-assignment.ts'
import { publish } from '../assignments/publish.ts'
import { hashPassword } from '../auth/password.ts'
import { type CourseDoc, CourseModel } from '../courses/course.model.ts'
import { createCourse } from '../courses/course.service.ts'
import { enrol, isEnrolled } from '../courses/enrollment.service.ts'
import type { Grading } from '../runs/grading.ts'
import { findRun, startRun } from '../runs/run.service.ts'
import type { UserDoc } from '../users/user.model.ts'
import { countUsers, createUser, findUserByLogin } from '../users/user.service.ts'

const File = z.object({ name: z.string(), path: z.string() })
const Drawn = z.object({
  students: z.array(
    z.object({ username: z.string(), full_name: z.string(), email: z.string(), student_number: z.string() }),
  ),
  assignments: z.array(z.object({ title: z.string(), blank: File, key: File, papers: z.array(File) })),
})

const drawDemo = fileURLToPath(new URL('../../../../tests/papers/draw-demo.ts', import.meta.url))

/** The demo student: one whose paper is good, and not perfect. */
const DEMO_STUDENT = 'lchen'

/**
 * The demo course, at first start: two assignments, one of them graded and published. Goes on where an earlier start
 * left off; where there are accounts of other people and no demo, there will be none.
 */
export async function seedDemo(services: Services, grading: Grading): Promise<void> {
  const { config, log } = services
  const began = await findUserByLogin('instructor')
  if (began ? !began.demo : (await countUsers()) > 0) return
  if (await isComplete()) return

  const folder = await mkdtemp(join(config.dataDir, 'demo-'))
  try {
    const instructor = await ensureStaff(services)
    await promisify(execFile)(process.execPath, [drawDemo, folder], { timeout: 300_000 })
    const drawn = Drawn.parse(JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')))
    const course = await ensureCourse(instructor, services)
    const nobody = await hashPassword(randomBytes(24).toString('base64url'))
    for (const student of drawn.students) {
      const user =
        (await findUserByLogin(student.username)) ??
        (await createUser({ ...student, role: 'student', password_hash: nobody }, services.clock.now()))
      if (!(await isEnrolled(user._id, course._id))) await enrol(course, user, services.clock.now())
    }
    for (const [i, assignment] of drawn.assignments.entries()) {
      const kept = await ensureAssignment(course, assignment, instructor, services)
      if (i === 0) await gradeAndPublish(kept, instructor, grading, services)
    }
    log.info('the demo course is ready')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const COURSE = 'Science foundations (demo)'

async function isComplete(): Promise<boolean> {
  const course = await CourseModel.findOne({ name: COURSE }).lean()
  if (!course) return false
  const assignments = await AssignmentModel.find({ course_id: course._id }).lean()
  return assignments.length >= 2 && assignments.some((assignment) => assignment.status === 'published')
}

/** One account of each role, with passwords made here, written down once and kept nowhere else in the clear. */
async function ensureStaff({ config, clock }: Services): Promise<UserDoc> {
  const kept = await findUserByLogin('instructor')
  if (kept) return kept
  const password = () => randomBytes(15).toString('base64url')
  const passwords = { admin: password(), [DEMO_STUDENT]: password(), instructor: password() }
  const lines = Object.entries(passwords).map(([username, secret]) => `${username.padEnd(12)} ${secret}`)
  const text = `Accounts made at first start, for trying Assay on this machine:\n\n${lines.join('\n')}\n`
  const file = join(config.dataDir, 'first-run.txt')
  await writeFile(file, text, { mode: 0o600 })
  console.log(`\n${text}\nKept in ${file}\n`)

  const account = async (user: {
    username: keyof typeof passwords
    full_name: string
    role: UserDoc['role']
  }) =>
    createUser(
      {
        ...user,
        email: `${user.username}@demo.example`,
        student_number: user.role === 'student' ? '20260103' : null,
        password_hash: await hashPassword(passwords[user.username] ?? ''),
        demo: user.role !== 'admin',
      },
      clock.now(),
    )
  if (!(await findUserByLogin('admin')))
    await account({ username: 'admin', full_name: 'Demo Administrator', role: 'admin' })
  if (!(await findUserByLogin(DEMO_STUDENT))) {
    await account({ username: DEMO_STUDENT, full_name: 'Lucy Chen', role: 'student' })
  }
  // Last: whoever finds the instructor may rely on the others.
  return account({ username: 'instructor', full_name: 'Dr. Ines Keller', role: 'instructor' })
}

async function ensureCourse(instructor: UserDoc, { clock }: Services): Promise<CourseDoc> {
  const course = {
    name: COURSE,
    course_code: 'SCI-101',
    description:
      'A course to try Assay with: fourteen students, one quiz already graded and one waiting for you.',
  }
  return (
    (await CourseModel.findOne({ name: COURSE, created_by: instructor._id }).lean()) ??
    createCourse(course, { id: instructor._id }, clock.now())
  )
}

async function received({
  name,
  path,
}: z.infer<typeof File>): Promise<{ file: ReceivedFile; handwritten: boolean }> {
  const content = await readFile(path)
  const hash = createHash('sha256').update(content).digest('hex')
  return { file: { field: '', name, path, size: content.length, hash }, handwritten: false }
}

async function ensureAssignment(
  course: CourseDoc,
  { title, blank, key, papers }: z.infer<typeof Drawn>['assignments'][number],
  instructor: UserDoc,
  { files, clock }: Services,
): Promise<AssignmentDoc> {
  const kept = await AssignmentModel.findOne({ course_id: course._id, title }).lean()
  if (kept) return kept
  return createAssignment(
    {
      title,
      courseId: course._id,
      blank: await received(blank),
      key: await received(key),
      papers: await Promise.all(papers.map(received)),
    },
    { id: instructor._id },
    files,
    clock.now(),
  )
}

async function gradeAndPublish(
  assignment: AssignmentDoc,
  instructor: UserDoc,
  grading: Grading,
  services: Services,
): Promise<void> {
  const actor = { id: instructor._id, role: instructor.role, sessionId: 'first start' }
  if (assignment.status === 'published') return
  const runId = assignment.active_run_id ?? (await startRun(assignment, {}, actor, services))._id
  const done = new Promise<void>((resolve) => {
    services.events.on('run_changed', ({ payload }) => {
      if (payload.id === runId && payload.finished_at) resolve()
    })
  })
  const run = await findRun(runId)
  if (run) await grading.begin(run)
  if (!run?.finished_at) await done
  const fresh = await AssignmentModel.findById(assignment._id).lean()
  if (fresh) await publish(fresh, actor, services.clock.now())
}
