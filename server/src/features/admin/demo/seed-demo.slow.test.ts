import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAssignments } from '@assay/shared/assignments.ts'
import { getDemo, getMe, signInToDemo } from '@assay/shared/auth.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { afterEach, expect, it } from 'vitest'
import { type Caller, createTestApi } from '../../../testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../../testing/server-process.ts'

let dataDir = ''
let process: ServerProcess
const api = createTestApi(() => process)

afterEach(async () => {
  await process.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function demoCaller(role: 'instructor' | 'student'): Promise<Caller> {
  const { body } = await api.nobody.send(signInToDemo, { body: { role } })
  return api.withToken(body.access_token)
}

it('is complete however often the first start is interrupted, and the server is ready before', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-demo-'))
  process = await startServerProcess(dataDir, { DEMO: 'on' })
  expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
  // Interrupted while it draws, and again while it grades.
  for (const papers of [0, 1]) {
    await expect.poll(async () => (await api.nobody.send(getDemo)).body.accounts.length).toBe(2)
    if (papers > 0) {
      const instructor = await demoCaller('instructor')
      await expect.poll(async () => (await instructor.send(listAssignments)).body.length).toBeGreaterThan(0)
    }
    await process.kill()
    process = await startServerProcess(dataDir, { DEMO: 'on' })
  }

  const instructor = await demoCaller('instructor')
  const states = async () => (await instructor.send(listAssignments)).body.map(({ status }) => status).sort()
  await expect.poll(states).toEqual(['draft', 'published'])
  const assignments = (await instructor.send(listAssignments)).body
  for (const { counts } of assignments) expect(counts.submissions).toBeGreaterThanOrEqual(12)
  const graded = assignments.find(({ status }) => status === 'published')
  expect(graded?.counts).toMatchObject({ graded: graded?.counts.submissions, failed: 0, unreleased: 0 })
  expect((await instructor.send(listCourses)).body).toMatchObject([{ student_count: 14, assignment_count: 2 }])

  const rows = (await instructor.send(listSubmissions, { params: { assignmentId: graded?.id ?? 0 } })).body
  expect(rows.filter(({ student }) => student === null)).toEqual([])
  const reasons = rows.map(({ review_summary }) => review_summary).filter((reason) => reason !== null)
  expect(reasons.some((reason) => reason.includes('hidden text'))).toBe(true)

  const student = await demoCaller('student')
  expect((await student.send(getStudentDashboard)).body).toMatchObject({
    courses: [{ assignment_count: 1, graded_assignment_count: 1 }],
    recent_grades: [{ overall_score: expect.any(Number) }],
  })

  const note = join(dataDir, 'first-run.txt')
  expect((await stat(note)).mode & 0o777).toBe(0o600)
  const [, password = ''] = /^instructor\s+(\S+)$/m.exec(await readFile(note, 'utf8')) ?? []
  const byPassword = api.again({ id: 0, username: 'instructor', password })
  expect((await byPassword.send(getMe)).body.role).toBe('instructor')
})

it('does not exist where it is turned off', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-demo-'))
  process = await startServerProcess(dataDir, { DEMO: 'off' })
  expect((await api.nobody.send(getDemo)).body.accounts).toEqual([])
  expect((await api.nobody.send(signInToDemo, { body: { role: 'instructor' } })).status).toBe(404)
})
