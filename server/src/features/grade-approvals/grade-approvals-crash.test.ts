import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import { approveSureGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { GradeDetailsModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../testing/build-course.ts'
import { copyPaper } from '../../testing/copy-paper.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'

// Three batches.
const PAPERS = 600

let dataDir = ''
let process: ServerProcess
const api = createTestApi({
  get running() {
    return process
  },
})
let teacher: Person
let params: { assignmentId: number }

/** Looks into the store itself, while no process has it open. */
async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  const database = await startEmbeddedDatabase({ folder: join(dataDir, 'database') })
  await mongoose.connect(database.url)
  try {
    return await work()
  } finally {
    await mongoose.disconnect()
    await database.stop()
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-approval-crash-'))
  process = await startServerProcess(dataDir)
  const [username, password] = ['survivor', 'Some-Good-7-Phrase']
  const body = { username, password, email: 'survivor@school.example', role: 'instructor' as const }
  teacher = { id: (await api.nobody.send(registerInstructor, { body })).body.id, username, password }
  const bytes = await drawPaper({ full_name: 'Ada Byron' }, correctAnswers)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor: teacher }, [
    { name: 'a.pdf', bytes },
  ])
  await gradeAssignment(api, teacher, assignmentId)
  params = { assignmentId }
  await process.stop()
  await inDatabase(async () => {
    const copies = { copies: PAPERS - 1, question: 'q3', answerOf: () => '144' }
    await copyPaper(submissionIds[0] ?? 0, copies)
    const sure = { 'grade.needs_review': false, 'grade.unscored_points': 0, 'grade.final_score': 90 }
    await SubmissionModel.updateMany({ assignment_id: assignmentId }, { $set: sure })
    await GradeDetailsModel.updateMany({}, { $set: { 'criteria.$[].score': 1, 'criteria.$[].confidence': 0.9 } })
  })
}, 60_000)
afterAll(async () => {
  await process.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const approvals = async () => (await api.as(teacher).send(getGradeApprovals, { params })).body
const state = async () => (await approvals()).latest?.state

it.each([
  ['as soon as it is stored', 'after insertOne grade_approvals 1'],
  ['with some grades approved, and nobody told', 'after bulkWrite submissions 1'],
  ['with some grades approved and audited', 'before bulkWrite submissions 3'],
])(
  'is made once and in whole by the next process when one is killed %s, and can be undone',
  async (_, at) => {
    process = await startServerProcess(dataDir, {
      NODE_OPTIONS: `--import=${new URL('../../testing/kill-at-write.ts', import.meta.url).href}`,
      KILL_FROM: 'grade_approvals',
      KILL_AT: at,
    })
    expect((await approvals()).sure).toBe(PAPERS)
    const died = new Promise((resolve) => process.child.once('exit', (_code, signal) => resolve(signal)))
    // The process may die before or after it replies.
    await api
      .as(teacher)
      .send(approveSureGrades, { params, body: { expected: PAPERS } })
      .catch(() => null)
    expect(await died).toBe('SIGKILL')

    process = await startServerProcess(dataDir)
    await expect.poll(state, { timeout: 60_000 }).toBe('applied')
    const { latest } = await approvals()
    expect(latest).toMatchObject({ approved: PAPERS, skipped: 0 })
    await api.as(teacher).send(undoGradeApproval, { params: { ...params, approvalId: latest?.id ?? 0 } })
    await expect.poll(state, { timeout: 60_000 }).toBe('undone')
    expect(await approvals()).toMatchObject({ sure: PAPERS, latest: { undone: PAPERS } })
    await process.stop()
    await inDatabase(async () => {
      const told = await AuditModel.find({ action: /^grade\.approv/ }).lean()
      expect(told.filter(({ action }) => action === 'grade.approved')).toHaveLength(PAPERS)
      expect(new Set(told.map(({ subject }) => subject.submission_id)).size).toBe(PAPERS)
      expect(await SubmissionModel.countDocuments({ 'grade.reviewed_at': { $gt: new Date(0) } })).toBe(0)
      await AuditModel.deleteMany({ action: /^grade\.approv/ })
    })
  },
  120_000,
)
