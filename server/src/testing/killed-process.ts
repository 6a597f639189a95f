import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts'
import { nextIds } from '../lib/database/database.ts'
import { GradeDetailsModel } from '../records/grading/grade.model.ts'
import { AnswerProjectionModel } from '../records/grading/question-answer.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'
import { AnswersModel } from '../records/submissions/transcription.model.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from './build-course.ts'
import { type Api, createTestApi, type Person } from './server.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

interface Copies {
  copies: number
  question: string
  answerOf: (index: number) => string
}

const BATCH = 1_000
/** Above those that papers get. */
const FIRST_NUMBER = 20_000

async function copyPaper(id: number, { copies, question, answerOf }: Copies): Promise<void> {
  const { upload_key: _, ...submission } = await SubmissionModel.findById(id).lean().orFail()
  const { grade } = submission
  const updated_at = new Date(submission.updated_at.getTime() - 60 * 60 * 1000)
  const [details, answers] = await Promise.all([
    GradeDetailsModel.findById(grade?.id).lean().orFail(),
    AnswersModel.findById(id).lean().orFail(),
  ])
  if (!grade) throw new Error('the paper is graded')
  for (let from = 0; from < copies; from += BATCH) {
    const count = Math.min(BATCH, copies - from)
    const [first, firstGrade] = [await nextIds('submissions', count), await nextIds('grades', count)]
    const places = Array.from({ length: count }, (_, i) => i)
    await SubmissionModel.insertMany(
      places.map((i) => ({
        ...submission,
        updated_at,
        _id: first + i,
        student_identifier: `Student ${from + i}`,
        paper_number: FIRST_NUMBER + from + i,
        grade: { ...grade, id: firstGrade + i },
      })),
      { lean: true },
    )
    await GradeDetailsModel.insertMany(
      places.map((i) => ({ ...details, _id: firstGrade + i, submission_id: first + i })),
      { lean: true },
    )
    await AnswersModel.insertMany(
      places.map((i) => ({
        ...answers,
        _id: first + i,
        extracted: {
          ...answers.extracted,
          answers: answers.extracted.answers.map((answer) =>
            answer.question_id === question ? { ...answer, text: answerOf(from + i) } : answer,
          ),
        },
      })),
      { lean: true },
    )
  }
  // Older than what was projected, as they are, they would not be seen.
  await AnswerProjectionModel.deleteOne({ _id: submission.assignment_id })
}

interface KilledProcess {
  readonly api: Api
  readonly teacher: Person
  readonly assignmentId: number
  readonly dataDir: string
  start(): Promise<void>
  /** At a write to come (`kill-at-write.ts`); `died` is the signal that ended the process. */
  dieAt(at: string, from: string): Promise<{ died: Promise<NodeJS.Signals | null> }>
  stop(): Promise<void>
  /** While no process has the store open. */
  inDatabase<T>(work: () => Promise<T>): Promise<T>
}

export function useKilledProcess(papers: number, { answerOf }: { answerOf: (index: number) => string }): KilledProcess {
  let dataDir = ''
  let running: ServerProcess
  let teacher: Person
  let assignmentId = 0
  const api = createTestApi(() => running)
  const ordersFile = () => join(dataDir, 'kill-orders.txt')
  const start = async () => {
    await rm(ordersFile(), { force: true })
    const preloaded = `--import=${new URL('./kill-at-write.ts', import.meta.url).href}`
    running = await startServerProcess(dataDir, { NODE_OPTIONS: preloaded, KILL_ORDERS: ordersFile() })
  }

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
    dataDir = await mkdtemp(join(tmpdir(), 'assay-killed-'))
    await start()
    const [username, password] = ['survivor', 'Some-Good-7-Phrase']
    const body = { username, password, email: 'survivor@school.example', role: 'instructor' as const }
    teacher = { id: (await api.nobody.send(registerInstructor, { body })).body.id, username, password }
    const files = [{ name: 'a.pdf', bytes: await drawPaper({ full_name: 'Ada Byron' }, correctAnswers) }]
    const built = await buildAssignment(api, { instructor: teacher }, files)
    assignmentId = built.assignmentId
    await gradeAssignment(api, teacher, assignmentId)
    await running.stop()
    const copies = { copies: papers - 1, question: 'q3', answerOf }
    await inDatabase(() => copyPaper(built.submissionIds[0] ?? 0, copies))
  })
  afterAll(async () => {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    api,
    get teacher() {
      return teacher
    },
    get assignmentId() {
      return assignmentId
    },
    get dataDir() {
      return dataDir
    },
    start,
    async dieAt(at, from) {
      // Renamed, so that it is never found half written.
      await writeFile(`${ordersFile()}.new`, `${at}\n${from}`)
      await rename(`${ordersFile()}.new`, ordersFile())
      const died = new Promise<NodeJS.Signals | null>((resolve) =>
        running.child.once('exit', (_code, signal) => resolve(signal)),
      )
      return { died }
    },
    stop: () => running.stop(),
    inDatabase,
  }
}
