import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { QuestionChangeModel } from '../../records/grading/question-change.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../testing/build-course.ts'
import { copyPaper } from '../../testing/copy-paper.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'

// Three batches of answers: a decision on all of them is many writes.
const PAPERS = 600

let dataDir = ''
let process: ServerProcess
const api = createTestApi({
  get running() {
    return process
  },
})
let teacher: Person
let params: { assignmentId: number; questionId: string }

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
  dataDir = await mkdtemp(join(tmpdir(), 'assay-decision-crash-'))
  process = await startServerProcess(dataDir)
  const [username, password] = ['survivor', 'Some-Good-7-Phrase']
  const body = { username, password, email: 'survivor@school.example', role: 'instructor' as const }
  teacher = { id: (await api.nobody.send(registerInstructor, { body })).body.id, username, password }
  const bytes = await drawPaper({ full_name: 'Ada Byron' }, correctAnswers)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor: teacher }, [
    { name: 'a.pdf', bytes },
  ])
  await gradeAssignment(api, teacher, assignmentId)
  params = { assignmentId, questionId: 'q3' }
  await process.stop()
  const copies = { copies: PAPERS - 1, question: 'q3', answerOf: (i: number) => (i % 2 ? '144' : '124') }
  await inDatabase(() => copyPaper(submissionIds[0] ?? 0, copies))
})
afterAll(async () => {
  await process.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function load() {
  const reply = await api.as(teacher).send(getQuestion, { params })
  expect(reply.status).toBe(200)
  return reply.body
}

const decisionsOf = ({ answers }: Awaited<ReturnType<typeof load>>) => answers.map(({ decided }) => decided)

/** Decides on all answers in a process that is killed at a write, and starts another. */
async function decideAndDie(points: number, at: string): Promise<void> {
  process = await startServerProcess(dataDir, {
    NODE_OPTIONS: `--import=${new URL('../../testing/kill-at-write.ts', import.meta.url).href}`,
    KILL_FROM: 'question_changes',
    KILL_AT: at,
  })
  const { answers } = await load()
  const seen = answers.map(({ submission_id, decided }) => ({ submission_id, decided }))
  const died = new Promise((resolve) => process.child.once('exit', (_, signal) => resolve(signal)))
  const deciding = api.as(teacher).send(decideAnswers, { params, body: { answers: seen, points: { q3: points } } })
  await expect(deciding).rejects.toThrow()
  expect(await died).toBe('SIGKILL')
}

/** What is in the store of decisions of so many points. */
function storedOf(points: number) {
  return inDatabase(async () => {
    const grades = await SubmissionModel.find({ assignment_id: params.assignmentId }, { grade: 1 }).lean()
    const told = await AuditModel.find({ action: 'grade.overridden', 'after.points.q3': points }).lean()
    return {
      decided: grades.filter(({ grade }) => grade?.decisions?.q3 === points).length,
      audited: told.length,
      papersAudited: new Set(told.map(({ subject }) => subject.submission_id)).size,
      applying: await QuestionChangeModel.countDocuments({ state: 'applying' }),
    }
  })
}

it('is not made at all by a process that is killed before it is stored', async () => {
  await decideAndDie(1, 'before insertOne question_changes 1')
  process = await startServerProcess(dataDir)
  expect(decisionsOf(await load())).toEqual(Array(PAPERS).fill(null))
  await process.stop()
  expect(await storedOf(1)).toMatchObject({ decided: 0, audited: 0, applying: 0 })
}, 120_000)

it.each([
  ['as soon as it is stored', 'after insertOne question_changes 1'],
  ['with some of the answers decided, and nobody told', 'after bulkWrite submissions 1'],
  ['with some of the answers decided and audited', 'before bulkWrite submissions 3'],
  ['with all of them decided, but not noted as applied', 'before updateOne question_changes 1'],
])(
  'is made once and in whole by the next process when one is killed %s, and can be undone',
  async (_, at) => {
    await decideAndDie(2, at)
    process = await startServerProcess(dataDir)
    const question = await load()
    expect(decisionsOf(question)).toEqual(Array(PAPERS).fill({ q3: 2 }))
    const undo = { ...params, changeId: question.undo?.id ?? 0 }
    const undone = await api.as(teacher).send(undoQuestionChange, { params: undo })
    expect(undone.body).toMatchObject({ conflicts: [], unavailable: [] })
    expect(decisionsOf(await load())).toEqual(Array(PAPERS).fill(null))
    await process.stop()

    // Told of once, however often it was begun.
    expect(await storedOf(2)).toEqual({ decided: 0, audited: PAPERS, papersAudited: PAPERS, applying: 0 })
    await inDatabase(() => AuditModel.deleteMany({ action: 'grade.overridden' }))
  },
  120_000,
)
