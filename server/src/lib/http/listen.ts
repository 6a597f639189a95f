import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'

/** A class's papers may outlast any fixed limit: `bodyTimeout` ends slow bodies, this slow heads. */
export function createHttpServer(): Server {
  const server = createServer({ requestTimeout: 0, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 })
  // Longer than proxies' usual minute: closing first could lose a request.
  server.keepAliveTimeout = 65_000
  return server
}

export async function listen(server: NetServer, { host, port }: { host: string; port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name === '127.0.0.1' ? 'localhost' : name}:${address.port}`
}

const CLOSE_IDLE_EVERY_MS = 100

interface ShutdownOptions {
  delayMs: number
  timeoutMs: number
  close: () => Promise<void>
}

/** Must be called before the server listens. */
export function gracefulShutdown(server: Server): (options: ShutdownOptions) => Promise<void> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const underWay = new Set<ServerResponse>()
  let isStopping = false
  // So that a proxy sends nothing more on it.
  const isLast = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.on('request', (_request, response: ServerResponse) => {
    if (isStopping) isLast(response)
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  return async ({ delayMs, timeoutMs, close }) => {
    isStopping = true
    for (const response of underWay) isLast(response)
    if (delayMs > 0) await after(delayMs)
    // Armed first, as closing waits for every request. Node's `closeAllConnections` leaves websockets open.
    const force = setTimeout(() => {
      for (const socket of open) socket.destroy()
    }, timeoutMs)
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
    try {
      await close()
    } finally {
      clearTimeout(force)
      clearInterval(idle)
    }
  }
}

export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const SLOWEST_LINE = 4
export const IDLE_BODY_MS = 60_000
/** From one network, of those that anybody may send; a class signing in sends its own at once. */
const MAX_SLOW_BODIES = 50

/**
 * A body that stalls for `idleMs`, or takes twice that longer than its size allows, ends its request. Bodies that
 * anybody may send get a third of the time, and a network's oldest slow ones are ended.
 */
export function bodyTimeout<Q extends IncomingMessage, S extends ServerResponse>(
  idleMs: number,
  networkOf: (request: Q) => string,
  answer: (request: Q, response: S) => void,
): (request: Q, response: S, next: () => void) => void {
  const checkMs = idleMs / 12
  /** How to end those checked once and still open, the oldest first. */
  const slowBodies = new Map<string, Set<() => void>>()
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const { socket } = request
    const network = networkOf(request)
    const began = performance.now()
    const bytesBefore = socket.bytesRead
    let last = { bytes: bytesBefore, at: began }
    let answeredAt = Number.POSITIVE_INFINITY
    // The rest of a body is read so that its sender gets the answer.
    response.once('finish', () => {
      answeredAt = performance.now()
    })
    const stop = () => {
      clearInterval(watch)
      const slow = slowBodies.get(network)
      slow?.delete(end)
      if (slow?.size === 0) slowBodies.delete(network)
    }
    const end = () => {
      stop()
      if (response.headersSent) return void socket.destroy()
      response.once('finish', () => socket.destroy())
      response.setHeader('Connection', 'close')
      answer(request, response)
    }
    const isTooSlow = (patienceMs: number) => {
      const now = performance.now()
      if (socket.bytesRead !== last.bytes) last = { bytes: socket.bytesRead, at: now }
      const late = now - began - (last.bytes - bytesBefore) / SLOWEST_LINE
      return now - last.at >= patienceMs || late >= 2 * patienceMs || now - answeredAt >= 2 * idleMs
    }
    const watch = setInterval(() => {
      if (request.complete || socket.destroyed) return stop()
      const isUpload = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '') && !response.headersSent
      if (isTooSlow(isUpload ? idleMs : idleMs / 3)) return end()
      if (isUpload) return
      const slow = slowBodies.get(network) ?? new Set()
      slowBodies.set(network, slow.add(end))
      const [oldest] = slow
      if (slow.size > MAX_SLOW_BODIES) oldest?.()
    }, checkMs)
    watch.unref()
    next()
  }
}
