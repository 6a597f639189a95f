import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAdminDashboard } from '@assay/shared/admin.ts'
import { signOut } from '@assay/shared/auth.ts'
import { announceGrading, listQuestions } from '@assay/shared/questions.ts'
import { createRubricItem } from '@assay/shared/rubric-items.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { MAX_CONNECTIONS_PER_SESSION } from './features/realtime/connection-limits.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from './testing/build-course.ts'
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.ts'
import { useRedis } from './testing/redis-server.ts'
import { type Api, type Caller, createTestApi, type Person, startTestServer } from './testing/server.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'

// Two processes on one database and Redis: this one, and a child. Nobody can tell which has answered.
const redis = useRedis()
const SECRET_KEY = 'the same for all processes on one database'
let database: TestDatabase
let folder = ''
let here: Awaited<ReturnType<typeof startTestServer>>
let there: ServerProcess
let [apiHere, apiThere]: [Api, Api] = [undefined as never, undefined as never]
let teacher: Person
let assignmentId = 0

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'assay-shared-'))
  const environment = { MONGODB_URL: database.url, REDIS_URL: redis.url, SECRET_KEY }
  here = await startTestServer(folder, environment)
  apiHere = createTestApi({ running: here })
  const course = await buildCourse(apiHere)
  teacher = course.instructor
  const papers = [{ name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) }]
  assignmentId = (await buildAssignment(apiHere, course, papers)).assignmentId
  await gradeAssignment(apiHere, teacher, assignmentId)
  // Until now the grading is this process's.
  there = await startServerProcess(folder, environment)
  apiThere = createTestApi({ running: there })
})
afterAll(async () => {
  await there?.stop()
  await here?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})

async function connect(url: string, token: string | null, reconnection = false): Promise<Socket | string> {
  const socket = io(url, {
    auth: { token },
    forceNew: true,
    reconnection,
    reconnectionDelay: 50,
    transports: ['websocket'],
  })
  sockets.push(socket)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', (error) => resolve(error.message))
  })
}

async function watch(url: string, caller: Caller): Promise<{ socket: Socket; heard: unknown[] }> {
  const socket = await connect(url, await caller.token(), true)
  if (typeof socket === 'string') throw new Error(socket)
  const heard: unknown[] = []
  socket.on('question_changed', (event) => heard.push(event))
  const watchNow = () => socket.timeout(5000).emitWithAck('watch_assignment', assignmentId)
  expect(await watchNow()).toBe(true)
  socket.on('connect', watchNow)
  return { socket, heard }
}

async function addItem(api: Api, text: string): Promise<void> {
  const body = { kind: 'comment' as const, points: 0, text, criterion_id: 'q3' }
  const added = await api.as(teacher).send(createRubricItem, { params: { assignmentId, questionId: 'q3' }, body })
  expect(added.status).toBe(201)
}
const q3Changed = { assignment_id: expect.any(Number), question_id: 'q3', change_id: null }

const joinAt = (api: Api, student: Person) => api.as(student).send(joinCourse, { body: { code: 'ZZZZ-ZZZZ' } })

it('brings what happens in one process to who watches at another, once', async () => {
  const [atHere, atThere] = [await watch(here.url, apiHere.as(teacher)), await watch(there.url, apiThere.as(teacher))]
  await addItem(apiThere, 'Told by the other process.')
  await addItem(apiHere, 'Told by this one.')
  await expect.poll(() => [atHere.heard.length, atThere.heard.length]).toEqual([2, 2])
  await addItem(apiThere, 'Another.')
  await expect.poll(() => [atHere.heard, atThere.heard]).toEqual([Array(3).fill(q3Changed), Array(3).fill(q3Changed)])
})

it('ends the connections of a session wherever they are', async () => {
  const caller = apiHere.again(teacher)
  const socket = await connect(there.url, await caller.token())
  if (typeof socket === 'string') throw new Error(socket)
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  await caller.send(signOut)
  expect(await ended).toBe('io server disconnect')
})

it('shows a co-grader who has the question open at another process', async () => {
  const colleague = await buildPerson('admin')
  const params = { assignmentId, questionId: 'q3' }
  await apiThere.as(colleague).send(announceGrading, { params, body: { open: true } })
  const graders = async () => {
    const { body } = await apiHere.as(teacher).send(listQuestions, { params: { assignmentId } })
    return body.find(({ question_id }) => question_id === 'q3')?.graders.map(({ id }) => id)
  }
  await expect.poll(graders).toEqual([colleague.id])
  await apiThere.as(colleague).send(announceGrading, { params, body: { open: false } })
  await expect.poll(graders).toEqual([])
})

it('counts the connections of a session at all processes', async () => {
  const token = await apiHere.again(teacher).token()
  for (let i = 0; i < MAX_CONNECTIONS_PER_SESSION; i++) await connect(i % 2 ? here.url : there.url, token)
  await expect.poll(() => connect(here.url, token)).toBe('too_many_connections')
  await expect.poll(() => connect(there.url, token)).toBe('too_many_connections')
  for (const socket of sockets.splice(0)) socket.disconnect()
  await expect.poll(() => connect(here.url, token)).toBeTypeOf('object')
})

it('counts failures at all processes together, and goes on within the limits and live while Redis is away and after', async () => {
  const [student, admin] = [await buildPerson('student'), await buildPerson('admin')]
  const statuses: number[] = []
  const tryAt = async (api: Api, times: number) => {
    for (let i = 0; i < times; i++) statuses.push((await joinAt(api, student)).status)
  }
  await tryAt(apiThere, 8)
  await tryAt(apiHere, 8)
  expect(new Set(statuses.splice(0))).toEqual(new Set([404]))
  const atHere = await watch(here.url, apiHere.as(teacher))

  await redis.kill()
  const began = performance.now()
  await tryAt(apiHere, 6)
  // The other told it of failures before.
  expect(statuses.splice(0)).toEqual([404, 404, 404, 404, 429, 429])
  await addItem(apiHere, 'While Redis is away.')
  await expect.poll(() => atHere.heard.length).toBe(1)
  expect(performance.now() - began).toBeLessThan(10_000)
  const ready = async () =>
    (await Promise.all([here, there].map(({ url }) => fetch(`${url}/readyz`)))).map((r) => r.status)
  expect(await ready()).toEqual([200, 200])

  const health = async (api = apiHere) => (await api.as(admin).send(getAdminDashboard)).body.health
  expect(await health()).toContainEqual(expect.objectContaining({ part: 'redis', state: 'warn' }))

  const back = new Promise<void>((resolve) => atHere.socket.once('connect', resolve))
  await redis.start()
  await back
  // The other one connects again in its own time.
  await expect.poll(() => health(apiThere)).toContainEqual(expect.objectContaining({ part: 'redis', state: 'good' }))
  await tryAt(apiHere, 1)
  await tryAt(apiThere, 1)
  expect(statuses).toEqual([429, 429])
  expect(await health()).toContainEqual(expect.objectContaining({ part: 'redis', state: 'good' }))
  await expect
    .poll(
      async () => {
        await addItem(apiThere, 'After Redis is back.')
        return atHere.heard.length
      },
      { interval: 500 },
    )
    .toBeGreaterThan(1)
})
