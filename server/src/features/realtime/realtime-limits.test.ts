import { once } from 'node:events'
import { signOut } from '@assay/shared/auth.ts'
import { SOCKET_PATH } from '@assay/shared/realtime.ts'
import mongoose from 'mongoose'
import { io, type ManagerOptions, type Socket } from 'socket.io-client'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { buildCourse, buildEmptyAssignment } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { MAX_CONNECTIONS_PER_SESSION, MAX_WAITING_PER_ADDRESS } from './connection-limits.ts'

const { api, server } = useTestApi()
const sockets: Socket[] = []
const raw: WebSocket[] = []
afterEach(async () => {
  mongoose.set('debug', false)
  for (const socket of sockets.splice(0)) socket.disconnect()
  const closed = raw.splice(0).map(async (socket) => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.terminate()
    await once(socket, 'close')
  })
  await Promise.all(closed)
})

/** Shares no connection. */
async function connect(person: Person, options: Partial<ManagerOptions> = {}): Promise<Socket | string> {
  const token = await api.as(person).token()
  const socket = io(server.running.url, { auth: { token }, reconnection: false, forceNew: true, ...options })
  sockets.push(socket)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', (error) => resolve(error.message))
  })
}

async function connected(person: Person, options: Partial<ManagerOptions> = {}): Promise<Socket> {
  const socket = await connect(person, options)
  if (typeof socket === 'string') throw new Error(socket)
  return socket
}

async function openEngine(): Promise<{ socket: WebSocket } | number> {
  const socket = new WebSocket(`${server.running.url.replace('http', 'ws')}${SOCKET_PATH}/?EIO=4&transport=websocket`)
  raw.push(socket)
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.once('message', () => resolve({ socket }))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
}

async function engine() {
  const opened = await openEngine()
  if (typeof opened === 'number') throw new Error(`refused with ${opened}`)
  return opened
}

/** From now on, without those that look for jobs. */
function countQueries(): { total: number } {
  const counted = { total: 0 }
  mongoose.set('debug', (collection: string) => {
    if (['sessions', 'users', 'assignments', 'courses'].includes(collection)) counted.total++
  })
  return counted
}

it('closes a connection after the first refused sign-in, and asks the store nothing for the others', async () => {
  const { instructor } = await buildCourse(api)
  const caller = api.again(instructor)
  const token = await caller.token()
  await caller.send(signOut)
  const { socket } = await engine()
  const closed = once(socket, 'close')
  const queries = countQueries()
  for (let i = 0; i < 30; i++) socket.send(`40${JSON.stringify({ token })}`)
  await closed
  // The second may be refused while the first one's token is still being verified.
  await expect.poll(() => queries.total).toBeGreaterThan(0)
  expect(queries.total).toBeLessThan(5)
  await connected(instructor)
})

it('ends a connection that sends more than any client does', async () => {
  const { instructor, assignmentId } = await buildEmptyAssignment(api)
  const socket = await connected(instructor)
  const ended = new Promise((resolve) => socket.once('disconnect', resolve))
  let replies = 0
  for (let i = 0; i < 500; i++) socket.emit('watch_assignment', assignmentId, () => replies++)
  await ended
  expect(replies).toBeLessThan(100)
})

it('refuses students before it asks the store', async () => {
  const { students, assignmentId } = await buildEmptyAssignment(api, { students: 1 })
  const socket = await connected(students[0] as Person)
  const queries = countQueries()
  for (let i = 0; i < 20; i++) expect(await socket.emitWithAck('watch_assignment', assignmentId)).toBe(false)
  expect(queries.total).toBe(0)
})

it('answers one request to watch at a time, and of those that wait the latest', async () => {
  const { instructor, assignmentId } = await buildEmptyAssignment(api)
  // By polling, the first would leave in a request of its own.
  const socket = await connected(instructor, { transports: ['websocket'] })
  const asked = [1, 2, 3, 4].map(() => socket.emitWithAck('watch_assignment', assignmentId))
  expect(await Promise.all(asked)).toEqual([true, false, false, true])
})

it('allows a session so many connections, and another once one has closed', async () => {
  const { instructor } = await buildCourse(api)
  for (let i = 0; i < MAX_CONNECTIONS_PER_SESSION; i++) await connected(instructor)
  expect(await connect(instructor)).toBe('too_many_connections')
  sockets[0]?.disconnect()
  await expect.poll(() => connect(instructor)).toBeTypeOf('object')
})

it('allows an address so many connections that do not say whose they are', async () => {
  for (let i = 0; i < MAX_WAITING_PER_ADDRESS; i++) await engine()
  expect(await openEngine()).toBe(400)
  raw[0]?.close()
  await expect.poll(() => openEngine()).toBeTypeOf('object')
})

it('refuses an address that tries to open raw websockets over and over, before it looks at tokens', async () => {
  const dial = () =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(`${server.running.url.replace('http', 'ws')}/api/v1/ws/assignment-completion/1`)
      socket.on('error', () => {})
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    })
  const replies = await Promise.all(Array.from({ length: 260 }, dial))
  const count = (status: number) => replies.filter((reply) => reply === status).length
  expect(count(429)).toBeGreaterThan(0)
  expect(count(401)).toBeGreaterThan(100)
  expect(count(401) + count(429)).toBe(260)
})
