import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { registerStudent } from '@assay/shared/auth.ts'
import { io } from 'socket.io-client'
import { afterEach, expect, it } from 'vitest'
import type { RunningServer } from './start.ts'
import { buildPerson } from './testing/build-course.ts'
import { createTestApi, startTestServer, type TestOverrides } from './testing/server.ts'

const tidy: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of tidy.splice(0).reverse()) await undo()
})

async function startWith(options: TestOverrides, environment: Record<string, string> = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-start-'))
  tidy.push(() => rm(dataDir, { recursive: true, force: true }))
  return startTestServer(dataDir, environment, options)
}

async function stall(running: RunningServer, path = `/api/v1${registerStudent.path}`): Promise<Socket> {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"username"`,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  return socket
}

it('stops within its grace period, even with a stalled upload or an open socket', async () => {
  const running = await startWith({ graceMs: 300 })
  const stalled = await stall(running)
  const token = await createTestApi({ running })
    .as(await buildPerson('instructor'))
    .token()
  const socket = io(running.url, { auth: { token }, reconnection: false, transports: ['websocket'] })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const closed = once(stalled, 'close')
  const began = performance.now()
  await running.stop()
  expect(performance.now() - began).toBeLessThan(5000)
  await closed
  socket.disconnect()
})

it('asked to stop, says so and serves on until proxies have noticed, then ends what is under way', async () => {
  const running = await startWith({}, { SHUTDOWN_DELAY_SECONDS: '5' })
  const agent = new Agent({ keepAlive: true })
  const ask = async (path: string) => {
    const asked = request(running.url + path, { agent }).end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    await text(reply)
    return { status: reply.statusCode, connection: reply.headers.connection }
  }
  expect(await ask('/readyz')).toEqual({ status: 200, connection: 'keep-alive' })
  const stalled = await stall(running)
  let reply = ''
  stalled.on('data', (chunk: Buffer) => {
    reply += chunk.toString()
  })
  const stopped = running.stop()
  // A kept connection would be closed under a request.
  expect(await ask('/readyz')).toEqual({ status: 503, connection: 'close' })
  expect(await ask('/api/v1/openapi.json')).toEqual({ status: 200, connection: 'close' })
  await expect.poll(() => ask('/readyz').catch((error: Error) => error.message)).toMatch(/ECONNREFUSED/)
  stalled.write(`:"${'x'.repeat(985)}"}`)
  await stopped
  expect(reply).toMatch(/^HTTP\/1.1 422 /)
  expect(reply).toMatch(/^Connection: close$/im)
})

it('gives up on a body that has stopped coming in, in our words', async () => {
  const running = await startWith({ idleBodyMs: 600 })
  tidy.push(() => running.stop())
  expect(running.server.requestTimeout).toBe(0)
  expect(running.server.headersTimeout).toBe(20_000)
  const stalled = await stall(running)
  let reply = ''
  stalled.on('data', (chunk: Buffer) => {
    reply += chunk.toString()
  })
  await once(stalled, 'close')
  expect(reply).toMatch(/^HTTP\/1.1 408 [\s\S]*"error_code":"request_timeout"/)
  const refused = await stall(running, '/socket.io/?EIO=4&transport=polling&sid=none')
  refused.resume()
  await once(refused, 'close')
})
