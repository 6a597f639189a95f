import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { getCsrfToken, signIn } from '@assay/shared/auth.ts'
import {
  type BodyInput,
  type Endpoint,
  fillPath,
  type ParamsOf,
  type QueryInput,
  type ReplyOf,
} from '@assay/shared/http/endpoint.ts'
import type { ErrorReply } from '@assay/shared/http/errors.ts'
import mongoose from 'mongoose'
import request from 'supertest'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../config.ts'
import { generateRsaKeys, type RsaKeys } from '../features/lti/platforms/platform-keys.ts'
import { createLog } from '../lib/log.ts'
import { type RunningServer, type StartOptions, start } from '../start.ts'
import { createCachedPaperReader } from './cached-paper-reader.ts'
import { createTestDatabase, type TestDatabase } from './create-test-database.ts'

type TestEnvironment = Record<string, string>

/** With it set, the tests run against that MongoDB. */
const realMongoDb: TestEnvironment = process.env.MONGODB_URL ? { MONGODB_URL: process.env.MONGODB_URL } : {}

export type TestOverrides = Partial<Omit<StartOptions, 'config'>>

export async function startTestServer(
  dataDir: string,
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): Promise<RunningServer> {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    DEMO: 'off',
    DATA_DIR: dataDir,
    ...realMongoDb,
    ...environment,
  })
  const ownLimits = Object.keys(environment).some((name) => name.startsWith('READING_'))
  const papers = ownLimits ? {} : { papers: createCachedPaperReader() }
  const log = createLog(config.logLevel)
  const running = await start({
    config,
    log,
    clientFolder: null,
    jobPollMs: POLL_MS,
    scorePollMs: POLL_MS,
    passwordCost: { memoryCost: 8, timeCost: 1 },
    platformKeys: nextPlatformKeys,
    ...papers,
    ...parts,
  })
  await separateIdRanges()
  return running
}

/** Generating them costs more than most tests. None is used twice before all others were. */
const KEYS = 8
const keys: Promise<RsaKeys>[] = []
let keysTaken = 0

function nextPlatformKeys(): Promise<RsaKeys> {
  const index = keysTaken++ % KEYS
  keys[index] ??= generateRsaKeys()
  return keys[index]
}

/** Tests wait for due jobs and scores, so poll often. */
const POLL_MS = 200
let started = 0

/** Test files share a process with in-memory caches by id, so ids must be unique across their databases. */
async function separateIdRanges(): Promise<void> {
  started++
  await mongoose
    .model('Counter')
    .bulkWrite(
      mongoose
        .modelNames()
        .map((name) => ({
          updateOne: {
            filter: { _id: mongoose.model(name).collection.name },
            update: { $max: { value: started * 10_000 } },
            upsert: true,
          },
        })),
    )
}

/** With `MONGODB_URL: ''` it has an embedded database, as in the product. */
export function useServer(
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): { readonly running: RunningServer } {
  let running: RunningServer | undefined
  let database: TestDatabase | undefined
  let dataDir = ''
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-'))
    const given = { ...realMongoDb, ...environment }
    if (given.MONGODB_URL === undefined) database = await createTestDatabase()
    running = await startTestServer(dataDir, { ...(database ? { MONGODB_URL: database.url } : {}), ...given }, parts)
  })
  afterAll(async () => {
    await running?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    get running() {
      if (!running) throw new Error('only available after beforeAll')
      return running
    },
  }
}

export function useTestApi(...of: Parameters<typeof useServer>) {
  const server = useServer(...of)
  return { server, api: createTestApi(server) }
}

export interface Person {
  id: number
  username: string
  password: string
}

type Files = Record<string, { name: string; bytes: Buffer | string }[]>

interface Request<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryInput<E>
  body?: BodyInput<E>
  files?: Files
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface Reply<E extends Endpoint> {
  status: number
  headers: Headers
  body: ReplyOf<E> & Partial<ErrorReply>
  text: string
  bytes: Buffer
}

/** Sends the CSRF token on every change. */
export class Caller {
  readonly #url: () => string
  readonly #person: Person | null
  /** A promise, so that concurrent first calls share one session. */
  #token: Promise<string | null> | null
  #csrf: Promise<string> | null = null

  constructor(url: () => string, person: Person | null, token: string | null = null) {
    this.#url = url
    this.#person = person
    this.#token = token || !person ? Promise.resolve(token) : null
  }

  token(): Promise<string | null> {
    this.#token ??= this.#logIn()
    return this.#token
  }

  async #logIn(): Promise<string | null> {
    if (!this.#person) return null
    const { username, password } = this.#person
    const reply = await this.#fetch(signIn, { body: { username, password } }, {})
    if (reply.status === 200) return reply.body.access_token
    this.#token = null
    throw new Error(`${username} could not sign in: ${reply.text}`)
  }

  async send<E extends Endpoint>(endpoint: E, request: Request<E> = {}): Promise<Reply<E>> {
    const headers: Record<string, string> = {}
    const token = endpoint.access === 'public' ? null : await this.token()
    if (token) headers.authorization = `Bearer ${token}`
    if (token && endpoint.method !== 'get') headers['x-csrf-token'] = await this.#csrfToken(token)
    return this.#fetch(endpoint, request, headers)
  }

  /** A test writes the bytes to `body` as slowly as it wants. */
  async startUpload(endpoint: Endpoint, params: Record<string, unknown>, field = 'file') {
    const token = (await this.token()) ?? ''
    const headers = {
      authorization: `Bearer ${token}`,
      'x-csrf-token': await this.#csrfToken(token),
      'content-type': 'multipart/form-data; boundary=b',
    }
    const [body, abort] = [new PassThrough(), new AbortController()]
    const more = { method: endpoint.method.toUpperCase(), body, duplex: 'half', headers, signal: abort.signal }
    // Node's fetch needs `duplex` for a stream.
    const reply = fetch(`${this.#url()}/api/v1${fillPath(endpoint.path, params)}`, more as unknown as RequestInit)
    body.write(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="late.pdf"\r\n\r\n`)
    return { reply, body, abort, finish: () => body.end('\r\n--b--\r\n') }
  }

  #csrfToken(token: string): Promise<string> {
    this.#csrf ??= this.#fetch(getCsrfToken, {}, { authorization: `Bearer ${token}` }).then(
      ({ body }) => body.csrf_token,
    )
    return this.#csrf
  }

  async #fetch<E extends Endpoint>(
    endpoint: E,
    { params, query, body, files, headers: more = {}, signal }: Request<E>,
    headers: Record<string, string>,
  ): Promise<Reply<E>> {
    const path = `/api/v1${fillPath(endpoint.path, params as Record<string, unknown>)}`
    const call = request(this.#url())[endpoint.method](path).buffer(true).parse(readBytes)
    const fields = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
    call.query(new URLSearchParams(fields).toString())
    addBody(call, endpoint, body, files)
    call.set({ ...headers, ...more })
    // A promise would reject once more, unheard, when the call is aborted.
    const reply = await new Promise<request.Response>((resolve, reject) => {
      const abort = () => {
        call.abort()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      call.end((error, reply) => (error ? reject(error) : resolve(reply)))
    })
    const text = (reply.body as Buffer).toString()
    return {
      status: reply.status,
      headers: new Headers(toPairs(reply.headers)),
      text,
      bytes: reply.body as Buffer,
      body: reply.headers['content-type']?.includes('application/json') ? JSON.parse(text) : undefined,
    }
  }
}

const toPairs = (fields: object) =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))

function readBytes(reply: request.Response, done: (error: Error | null, bytes: Buffer) => void): void {
  const chunks: Buffer[] = []
  reply.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)))
  reply.on('end', () => done(null, Buffer.concat(chunks)))
}

function addBody(call: request.Test, endpoint: Endpoint, body: unknown, files: Files | undefined): void {
  if (endpoint.files) {
    const isEmpty = Object.keys({ ...(body as object), ...files }).length === 0
    if (isEmpty) call.type('multipart/form-data; boundary=none').send('--none--\r\n')
    for (const [name, value] of toPairs(body ?? {})) call.field(name, value)
    for (const [name, list] of Object.entries(files ?? {})) {
      for (const file of list) call.attach(name, Buffer.from(file.bytes), file.name)
    }
  } else if (body !== undefined) {
    const isForm = endpoint.bodyType === 'form'
    call.type(isForm ? 'form' : 'json').send(isForm ? (body as object) : JSON.stringify(body))
  }
}

/** `api.as(student).send(getCourse, { params: { courseId } })` */
export function createTestApi(server: { readonly running: { url: string } } | (() => { url: string })) {
  const callers = new Map<number, Caller>()
  const url = () => (typeof server === 'function' ? server() : server.running).url
  return {
    as(person: Person): Caller {
      const caller = callers.get(person.id) ?? new Caller(url, person)
      callers.set(person.id, caller)
      return caller
    },
    nobody: new Caller(url, null),
    again: (person: Person) => new Caller(url, person),
    withToken: (token: string) => new Caller(url, null, token),
  }
}

export type Api = ReturnType<typeof createTestApi>
