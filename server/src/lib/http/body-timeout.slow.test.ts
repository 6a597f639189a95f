import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bodyTimeout, IDLE_BODY_MS, listen } from './listen.ts'

const requests: IncomingMessage[] = []
const app = express()
app.use((request, _response, next) => {
  requests.push(request)
  next()
})
app.use(
  bodyTimeout(
    IDLE_BODY_MS,
    () => 'a network',
    (_request, response) => void response.writeHead(408).end(),
  ),
)
app.post('/read', (request) => void request.resume())
app.post('/refused', (request, response) => {
  request.resume()
  response.status(401).end()
})
const server = createServer(app)
const url = await listen(server, { host: '127.0.0.1', port: 0 })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  server.closeAllConnections()
})

const UPLOAD = 'multipart/form-data; boundary=b'

async function send(count: number, path: string, type: string): Promise<Socket[]> {
  requests.length = 0
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'))
  for (const socket of sockets) {
    socket.on('error', () => {}).resume()
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 99999999\r\n\r\n`)
  }
  await expect.poll(() => requests.length).toBe(count)
  return sockets
}

/** Each socket sends so many bytes every 5 s. */
async function passTime(seconds: number, sockets: Socket[], bytes: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    const before = requests.map(({ socket }) => socket.bytesRead)
    for (const socket of sockets) socket.write(Buffer.alloc(bytes))
    const isThere = ({ socket }: IncomingMessage, i: number) =>
      socket.destroyed || socket.bytesRead >= (before[i] ?? 0) + bytes
    await expect.poll(() => requests.every(isThere)).toBe(true)
    vi.advanceTimersByTime(5_000)
  }
}

const openOf = (sockets: Socket[]) => () => sockets.filter(({ closed }) => !closed).length

it.each([
  ['that anybody may send', '/read', 'application/json'],
  ['of refused uploads', '/refused', UPLOAD],
])('ends the oldest of 60 slow bodies %s from one address, and all within a minute', async (_what, path, type) => {
  const sockets = await send(60, path, type)
  await passTime(5, sockets, 2)
  await expect.poll(openOf(sockets)).toBe(50)
  await passTime(40, sockets, 2)
  await expect.poll(openOf(sockets)).toBe(0)
})

it('reads uploads as long as they come in on a slow line, however many, and ends those that only trickle in', async () => {
  const trickling = await send(60, '/read', UPLOAD)
  await passTime(110, trickling, 2)
  expect(openOf(trickling)()).toBe(60)
  await passTime(15, trickling, 2)
  await expect.poll(openOf(trickling)).toBe(0)
  const steady = await send(1, '/read', UPLOAD)
  await passTime(300, steady, 20_000)
  expect(openOf(steady)()).toBe(1)
})
