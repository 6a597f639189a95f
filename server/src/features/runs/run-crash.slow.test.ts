import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { registerInstructor } from '@assay/shared/auth.ts'
import { createCourse, listCourses } from '@assay/shared/courses.ts'
import { exportGrades, overrideGrade } from '@assay/shared/grades.ts'
import { getRun, listRuns, processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulateScan } from '../../../../tests/papers/scan.ts'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { correctAnswers, drawPaper, quizFiles, rowsOf, weakAnswers } from '../../testing/build-course.ts'
import { createTestApi, type Person } from '../../testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'

const PAPERS = 50
const KILLS = 5

let dataDir = ''
let process: ServerProcess
const api = createTestApi(() => process)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-crash-'))
  process = await startServerProcess(dataDir)
})
afterAll(async () => {
  await process.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function register(): Promise<Person> {
  const [username, password] = ['survivor', 'Some-Good-7-Phrase']
  const body = { username, password, email: 'survivor@school.example', role: 'instructor' as const }
  const { body: user } = await api.nobody.send(registerInstructor, { body })
  return { id: user.id, username, password }
}

it('is killed five times in the middle of a run, and still grades every paper exactly once and loses no write', async () => {
  const instructor = await register()
  // Sessions live in the database too.
  const teacher = api.as(instructor)
  const { blank, key } = await quizFiles()
  const papers = await Promise.all(
    Array.from({ length: PAPERS }, async (_, i) => {
      const typed = await drawPaper({ full_name: `Student ${i}` }, i % 3 ? correctAnswers : weakAnswers)
      // Scans are read last; meanwhile the others get first scores.
      const bytes = i % 5 ? typed : await simulateScan(typed, { seed: i, dpi: 100 })
      return { name: `paper-${i}.pdf`, bytes }
    }),
  )
  const created = await teacher.send(createAssignment, {
    body: { name: 'Crash' },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
  })
  const assignmentId = created.body.id
  const started = await teacher.send(processAssignment, { params: { assignmentId } })
  const run = { assignmentId, runId: started.body.run_id }
  const progress = async () => {
    const { body } = await teacher.send(getRun, { params: run })
    return { ...body, steps: body.read + body.graded }
  }

  const acknowledged: number[] = []
  const steps: number[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    // From a tenth to a bit over half of all steps: well before the end, however the machine is loaded.
    const aim = (2 * PAPERS * kill) / (KILLS + 4)
    // Writes go on until the kill; what was answered must be there afterwards.
    for (;;) {
      const made = await teacher.send(createCourse, { body: { name: `Course ${acknowledged.length}` } })
      if (made.status === 201) acknowledged.push(made.body.id)
      const { steps: now, finished_at } = await progress()
      if (now >= aim || finished_at) break
    }
    const { steps: reached, finished_at } = await progress()
    expect(finished_at).toBeNull()
    steps.push(reached)
    await process.kill()
    process = await startServerProcess(dataDir)
  }
  expect(steps).toEqual([...steps].sort((a, b) => a - b))

  await expect.poll(async () => (await progress()).status, { interval: 100 }).toBe('completed')
  expect(await progress()).toMatchObject({ total: PAPERS, graded: PAPERS, failed: 0, stopped: 0 })
  expect((await teacher.send(listRuns, { params: { assignmentId } })).body).toHaveLength(1)

  const courses: number[] = []
  // There may be more than a page holds.
  for (let page = [0]; page.length > 0; courses.push(...page)) {
    const { body } = await teacher.send(listCourses, { query: { skip: courses.length, limit: 500 } })
    page = body.map(({ id }) => id)
  }
  expect(courses.sort((a, b) => a - b)).toEqual(acknowledged)

  const rows = await teacher.send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
  expect(rows.body).toHaveLength(PAPERS)
  const first = rows.body[0]?.id ?? 0
  const opened = await teacher.send(getSubmission, { params: { assignmentId, submissionId: first } })
  const params = { assignmentId, submissionId: first, gradeId: opened.body.grade?.id ?? 0 }
  await teacher.send(overrideGrade, { params, body: { overall_score: 77.5, human_review_notes: null } })
  await process.kill()
  process = await startServerProcess(dataDir)
  expect(rowsOf((await teacher.send(exportGrades, { params: { assignmentId } })).text).join()).toContain(',77.5,77.5,')

  await process.stop()
  await countGradings(assignmentId)
}, 300_000)

/** In the store itself: each submission graded once, with one set of criteria. */
async function countGradings(assignmentId: number): Promise<void> {
  const database = await startEmbeddedDatabase({ folder: join(dataDir, 'database') })
  await mongoose.connect(database.url)
  const submissions = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
  const details = await mongoose.connection.collection('grade_details').find().toArray()
  const jobs = await mongoose.connection.collection('jobs').countDocuments({ group: /^run:/ })
  await mongoose.disconnect()
  await database.stop()
  // First scores are made again with the whole class.
  expect(new Set(submissions.map(({ grade }) => grade?.class_key)).size).toBe(1)
  expect(submissions.filter(({ grade }) => grade?.class_key.endsWith('/first'))).toEqual([])
  expect(submissions.filter(({ grade }) => (grade?.times_graded ?? 0) > 2)).toEqual([])
  const inUse = new Set(submissions.map((submission) => submission.grade?.id))
  // A kill may leave a set that nothing points to, never the reverse.
  expect(details.filter(({ _id }) => inUse.has(Number(_id)))).toHaveLength(PAPERS)
  expect(jobs).toBe(0)
}
