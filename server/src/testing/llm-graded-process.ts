import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { type FakeLlm, type FakeLlmOptions, startFakeLlm } from '../../../tests/fake-llm/fake-llm.ts'
import type { RecordedRequest } from '../../../tests/fake-llm/received-request.ts'
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts'
import { type Api, createTestApi, type Person } from './server.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

interface LlmGradedProcess {
  readonly fake: FakeLlm
  readonly api: Api
  register(username: string): Promise<Person>
  /**
   * The fake answers such a request badly once (billed and stored), then stalls the retry: at a kill only the ledger
   * knows of the answers.
   */
  stallRetries(...words: string[]): void
  countStalled(): number
  /** Returns how many answers were stored by the kill. */
  killAndRestart(): Promise<number>
  repeatedRequests(): RecordedRequest[]
}

export function useLlmGradedProcess(
  options: FakeLlmOptions,
  environment: Record<string, string> = {},
): LlmGradedProcess {
  let fake: FakeLlm
  let dataDir = ''
  let running: ServerProcess
  let settings: Record<string, string> = {}
  const kills: { known: Set<RecordedRequest>; answered: Set<string> }[] = []
  const api = createTestApi(() => running)

  beforeAll(async () => {
    fake = await startFakeLlm(options)
    settings = {
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: 'fake-1',
      AI_BASE_URL: fake.baseUrlOf('openai-compatible'),
      AI_PRICE_INPUT: '1000',
      AI_PRICE_OUTPUT: '1000',
      ...environment,
    }
    dataDir = await mkdtemp(join(tmpdir(), 'assay-model-crash-'))
    running = await startServerProcess(dataDir, settings)
  })
  afterAll(async () => {
    await running.stop()
    await fake.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get fake() {
      return fake
    },
    api,
    async register(username) {
      const password = 'Some-Good-7-Phrase'
      const body = { username, password, email: `${username}@school.example`, role: 'instructor' as const }
      const { body: user } = await api.nobody.send(registerInstructor, { body })
      return { id: user.id, username, password }
    },
    stallRetries(...words) {
      for (const some of words)
        fake.script(
          { do: 'stall', when: `(?=[^]*${some})(?=[^]*That answer cannot be used)` },
          { do: 'broken_json', when: some },
        )
    },
    countStalled: () => fake.requests.filter(({ status, abandoned }) => status === 0 && !abandoned).length,
    async killAndRestart() {
      await running.kill()
      const stored = await readAnsweredRequestIds(join(dataDir, 'database'))
      // By prompt, since the same prompt might be sent under another key.
      const answered = fake.requests.filter(({ idempotencyKey }) => stored.has(idempotencyKey ?? ''))
      kills.push({ known: new Set(fake.requests), answered: new Set(answered.map(({ prompt }) => prompt)) })
      running = await startServerProcess(dataDir, settings)
      return stored.size
    },
    repeatedRequests: () =>
      fake.requests.filter((request) =>
        kills.some(({ known, answered }) => !known.has(request) && answered.has(request.prompt)),
      ),
  }
}

async function readAnsweredRequestIds(folder: string): Promise<Set<string>> {
  const database = await startEmbeddedDatabase({ folder })
  const connection = await mongoose.createConnection(database.url).asPromise()
  try {
    const calls = connection.collection<{ identity: string }>('llm_calls').find({ paid: true })
    return new Set((await calls.toArray()).map(({ identity }) => identity))
  } finally {
    await connection.close()
    await database.stop()
  }
}
