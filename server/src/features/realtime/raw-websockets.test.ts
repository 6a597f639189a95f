import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { Writable } from 'node:stream'
import { signOut } from '@assay/shared/auth.ts'
import { ErrorReply } from '@assay/shared/http/errors.ts'
import { completionSocketPath, PING_SOCKET_PATH } from '@assay/shared/realtime.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { fireTestCompletion } from '@assay/shared/test-pages.ts'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { buildGraded, buildPerson, correctAnswers } from '../../testing/build-course.ts'
import { openRawSocket, type RawSocket } from '../../testing/raw-socket.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

let logged = ''
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  }),
)
const { api, server } = useTestApi({ LOG_LEVEL: 'trace' }, { log })

const open: WebSocket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})

const dial = async (path: string) => {
  const line = await openRawSocket(server, path)
  if (typeof line !== 'number') open.push(line.socket)
  return line
}

async function connect(path: string): Promise<RawSocket> {
  const line = await dial(path)
  if (typeof line === 'number') throw new Error(`refused with ${line}`)
  expect((await line.next()).type).toBe('connected')
  return line
}

const tokenOf = async (person: Person) => (await api.as(person).token()) ?? ''
const path = (userId: number, token: string) => `${completionSocketPath(userId)}?token=${token}`

describe('a user’s completions', () => {
  it('answers ping and status', async () => {
    const person = await buildPerson('instructor')
    const line = await connect(path(person.id, await tokenOf(person)))
    line.send({ type: 'ping' })
    expect(await line.next()).toEqual({ type: 'pong', data: { timestamp: expect.any(String) } })
    line.send({ type: 'status' })
    expect(await line.next()).toMatchObject({ type: 'status', data: { user_id: person.id } })
    line.send('no JSON')
    expect(await line.next()).toMatchObject({ type: 'error' })
  })

  it('notify who started a run of its end, with its counts, on any page', async () => {
    const { instructor, assignmentId } = await buildGraded(api, [correctAnswers], { graded: false })
    const line = await connect(path(instructor.id, await tokenOf(instructor)))
    const run = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    expect(await line.next()).toEqual({
      type: 'assignment_completion',
      data: {
        assignment_id: assignmentId,
        run_id: run.body.run_id,
        message: '1 graded.',
        total: 1,
        graded: 1,
        failed: 0,
      },
    })
  })

  it('open for the user and an administrator only, and for nobody else', async () => {
    const [person, other, admin] = [
      await buildPerson('student'),
      await buildPerson('instructor'),
      await buildPerson('admin'),
    ]
    expect(await dial(completionSocketPath(person.id))).toBe(401)
    expect(await dial(path(person.id, 'rubbish'))).toBe(401)
    expect(await dial(path(person.id, await tokenOf(other)))).toBe(404)
    expect(await dial('/api/v1/ws/elsewhere')).toBe(404)
    const line = await connect(path(person.id, await tokenOf(admin)))
    const params = { userId: person.id }
    const query = { assignment_id: 7, assignment_title: 'Quiz 3' }
    expect((await api.as(other).send(fireTestCompletion, { params, query })).status).toBe(404)
    expect((await api.as(admin).send(fireTestCompletion, { params, query })).status).toBe(200)
    expect(await line.next()).toMatchObject({
      type: 'assignment_completion',
      data: { assignment_id: 7, run_id: null, message: 'Quiz 3: 1 graded.' },
    })
  })

  it('close with the session, and when a message is too large', async () => {
    const caller = api.again(await buildPerson('instructor'))
    const me = JSON.parse(atob((await caller.token())?.split('.')[1] ?? ''))
    const at = path(Number(me.sub), (await caller.token()) ?? '')
    const talkative = await connect(at)
    talkative.send('x'.repeat(20_000))
    expect((await once(talkative.socket, 'close'))[0]).toBe(1009)
    const line = await connect(at)
    const ended = once(line.socket, 'close')
    await caller.send(signOut)
    expect((await ended)[0]).toBe(1008)
  })

  it('allow ten connections of one session', async () => {
    const person = await buildPerson('student')
    const at = path(person.id, await tokenOf(person))
    for (let i = 0; i < 10; i++) await connect(at)
    expect(await dial(at)).toBe(429)
  })

  it('end where more messages come than any client sends', async () => {
    const person = await buildPerson('instructor')
    const { socket } = await connect(path(person.id, await tokenOf(person)))
    let answers = 0
    socket.on('message', () => answers++)
    const ended = once(socket, 'close')
    for (let i = 0; i < 500; i++) socket.send('{"type":"ping"}')
    await ended
    expect(answers).toBeLessThan(100)
  })
})

describe('the ping socket', () => {
  it('echoes messages to anyone outside production', async () => {
    const line = await connect(PING_SOCKET_PATH)
    line.send({ type: 'hello', data: 1 })
    expect(await line.next()).toEqual({ type: 'echo', data: { type: 'hello', data: 1 } })
  })
})

function requestUpgrade(path: string) {
  const { hostname, port } = new URL(server.running.url)
  const socket = connectTo(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  return socket
}

it.each(['//', '/socket.iox', '/x/../socket.io/'])('answers 404 to an upgrade to %s', async (path) => {
  const [reply] = await once(requestUpgrade(path), 'data')
  expect(String(reply)).toMatch(/^HTTP\/1\.1 404 /)
})

it('survives clients that disconnect during authorization', async () => {
  const person = await buildPerson('instructor')
  const at = path(person.id, await tokenOf(person))
  for (let i = 0; i < 20; i++) {
    const socket = requestUpgrade(at)
    await once(socket, 'connect')
    socket.resetAndDestroy()
  }
  await connect(at)
})

it('never logs a token: not of a websocket, accepted or rejected, and not of a call that fails', async () => {
  const person = await buildPerson('instructor')
  const token = await tokenOf(person)
  const line = await connect(path(person.id, token))
  line.socket.close()
  await once(line.socket, 'close')
  expect(await dial(path(person.id + 1, token))).toBe(404)
  const failed = await fetch(`${server.running.url}/api/v1/test/failures/crash?token=${token}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, cookie: `token=${token}` },
  })
  expect(failed.status).toBe(500)
  const { request_id } = ErrorReply.parse(await failed.json())
  await expect.poll(() => logged).toContain(request_id)
  expect(logged).not.toContain(token)
})
