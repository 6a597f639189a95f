import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'

/** A class's papers on a slow line may outlast any fixed limit: `bodyTimeout` ends slow bodies, this slow heads. */
export function createHttpServer(): Server {
  const server = createServer({ requestTimeout: 0, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 })
  // Longer than proxies' usual minute: closing first could lose a request.
  server.keepAliveTimeout = 65_000
  return server
}

/** Returns the address it can be reached at from this machine. */
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
  /** How long it still serves after it was asked to stop. */
  delayMs: number
  /** For requests under way, before they are cut off. */
  timeoutMs: number
  close: () => Promise<void>
}

/** Must be called before it listens. */
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
    // Connections stay open after their last request.
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
    try {
      await close()
    } finally {
      clearTimeout(force)
      clearInterval(idle)
    }
  }
}

/** Waits for open connections. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
