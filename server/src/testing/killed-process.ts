import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts'
import { type Api, createTestApi, type Person } from './api.ts'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from './build-course.ts'
import { copyPaper } from './copy-paper.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

interface KilledProcess {
  readonly api: Api
  readonly teacher: Person
  readonly assignmentId: number
  readonly dataDir: string
  start(): Promise<void>
  /** Kills the process that runs at a write to come (`kill-at-write.ts`); `died` is the signal that ended it. */
  dieAt(at: string, from: string): Promise<{ died: Promise<NodeJS.Signals | null> }>
  stop(): Promise<void>
  /** Looks into the store itself, while no process has it open. */
  inDatabase<T>(work: () => Promise<T>): Promise<T>
}

/** In a process of its own, with so many graded papers; stopped as the tests begin. */
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
