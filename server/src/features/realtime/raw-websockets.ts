import { type Server as HttpServer, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type AssignmentCompletion,
  PING_INTERVAL_MS,
  PING_SOCKET_PATH,
  SOCKET_PATH,
  SocketMessage,
} from '@assay/shared/realtime.ts'
import { LRUCache } from 'lru-cache'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError, notFound, toErrorReply, tooManyRequests } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canUseTestPages } from '../admin/test-pages/test-page.policy.ts'
import { requireActor } from '../auth/session.service.ts'
import { addressOf, ConnectionCounter, TokenBucket } from './connection-limits.ts'
import { canWatchAssignment } from './realtime.policy.ts'

const MAX_MESSAGE_BYTES = 16 * 1024
const MAX_CONNECTIONS_PER_SESSION = 10
const MAX_ANONYMOUS_CONNECTIONS = 50
const [ATTEMPT_BURST, ATTEMPTS_PER_SECOND] = [200, 5]
const MOST_ADDRESSES = 10_000
/** RFC 6455, 7.4.1: access was lost; the server stops. */
const CLOSE_POLICY_VIOLATION = 1008
const CLOSE_GOING_AWAY = 1001

const COMPLETION_PATH = /^\/api\/v1\/ws\/assignment-completion\/([1-9]\d{0,14})$/

const tooManyOpen = () => new AppError('rate_limit_exceeded', 'Too many connections are open.')

/** `actor` is null on the ping socket, which needs no session. */
interface Connection {
  socket: WebSocket
  actor: Actor | null
  token: string
  userId: number | null
  connectedAt: Date
  isAlive: boolean
  messages: TokenBucket
}

/** Neither token nor query is ever logged. */
export function startRawWebSockets(
  server: HttpServer,
  services: Services,
  { recheckAccessMs, maxPerAddress }: { recheckAccessMs: number; maxPerAddress: number },
): { close(): void; count(): number; counters: Record<string, ConnectionCounter> } {
  const { config, events, clock, log } = services
  const attempts = new LRUCache<string, TokenBucket>({ max: MOST_ADDRESSES })
  const ofAddress = new ConnectionCounter()
  const ofSession = new ConnectionCounter()
  const open = new Set<Connection>()
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false })

  server.on('upgrade', (request, stream, head) => {
    const requested = request.url ?? '/'
    // The same check as socket.io's, so that exactly one of us handles a request.
    if (requested.startsWith(`${SOCKET_PATH}/`)) return
    // The HTTP server no longer handles the stream's errors: a reset would crash the process.
    stream.on('error', () => stream.destroy())
    const url = URL.parse(requested, 'http://assay.invalid')
    const address = addressOf(request, config.trustProxy)
    if (!takeAttempt(address))
      return rejectUpgrade(stream, url?.pathname, tooManyRequests(Math.ceil(1 / ATTEMPTS_PER_SECOND)))
    if (ofAddress.count(address) >= maxPerAddress) return rejectUpgrade(stream, url?.pathname, tooManyOpen())
    // Counted at once, as many may be authorized at the same time.
    stream.once('close', ofAddress.add(address))
    authorize(url)
      .then((found) => wss.handleUpgrade(request, stream, head, (socket) => handleConnection({ ...found, socket })))
      .catch((error: unknown) => rejectUpgrade(stream, url?.pathname, error))
  })

  function takeAttempt(address: string): boolean {
    const bucket = attempts.get(address) ?? new TokenBucket(ATTEMPT_BURST, ATTEMPTS_PER_SECOND)
    attempts.set(address, bucket)
    return bucket.take()
  }

  /** Throws what an HTTP call would be answered with. Null is a malformed URL. */
  async function authorize(url: URL | null): Promise<Omit<Connection, 'socket'>> {
    if (!url) throw notFound()
    const token = url.searchParams.get('token') ?? ''
    const connection = { token, userId: null, connectedAt: clock.now(), isAlive: true, messages: new TokenBucket() }
    if (url.pathname === PING_SOCKET_PATH) {
      if ((await canUseTestPages(token, services)) !== 'yes') throw notFound()
      return checkConnectionLimit({ ...connection, actor: null }, MAX_ANONYMOUS_CONNECTIONS)
    }
    const userId = Number(COMPLETION_PATH.exec(url.pathname)?.[1])
    if (!userId) throw notFound()
    const actor = await requireActor(token, services)
    if (actor.id !== userId && actor.role !== 'admin') throw notFound()
    return checkConnectionLimit({ ...connection, actor, userId }, MAX_CONNECTIONS_PER_SESSION)
  }

  function checkConnectionLimit(connection: Omit<Connection, 'socket'>, limit: number): Omit<Connection, 'socket'> {
    if (ofSession.count(sessionOf(connection)) >= limit) throw tooManyOpen()
    return connection
  }

  function rejectUpgrade(stream: Duplex, path: string | undefined, error: unknown): void {
    const known = error instanceof AppError ? error : null
    if (!known) log.error({ err: error, path }, 'a websocket could not be opened')
    const failure = known ?? new AppError('service_unavailable')
    const body = JSON.stringify(toErrorReply(failure, '', clock.now()))
    const head = [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    stream.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }

  function handleConnection(connection: Connection): void {
    const { socket } = connection
    open.add(connection)
    const endSession = ofSession.add(sessionOf(connection))
    socket.on('close', () => {
      open.delete(connection)
      endSession()
    })
    // After a message that is too large or a broken frame, ws closes the socket.
    socket.on('error', (error) => log.debug({ err: error }, 'a websocket failed'))
    socket.on('pong', () => {
      connection.isAlive = true
    })
    socket.on('message', (bytes) => {
      if (connection.messages.take()) send(connection, replyTo(connection, String(bytes)))
      else socket.terminate()
    })
    send(connection, { type: 'connected', data: { user_id: connection.userId } })
  }

  function replyTo(connection: Connection, text: string): SocketMessage {
    const message = readMessage(text)
    if (!message) return { type: 'error', data: { message: 'Send a JSON object with a type.' } }
    if (message.type === 'ping') return { type: 'pong', data: { timestamp: clock.now().toISOString() } }
    if (message.type === 'status') {
      const { userId, connectedAt } = connection
      return { type: 'status', data: { user_id: userId, connected_since: connectedAt.toISOString() } }
    }
    if (connection.userId === null) return { type: 'echo', data: message }
    return { type: 'error', data: { message: 'Send ping or status.' } }
  }

  function send({ socket }: Connection, message: SocketMessage): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }

  async function recheckAccess(connection: Connection): Promise<void> {
    if (!connection.actor) return
    try {
      connection.actor = await requireActor(connection.token, services)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      connection.socket.close(CLOSE_POLICY_VIOLATION, 'The session has ended')
    }
  }
  const recheckTimer = setInterval(() => {
    Promise.all([...open].map(recheckAccess)).catch((error: unknown) =>
      log.error({ err: error }, 'the access of open websockets could not be checked again'),
    )
  }, recheckAccessMs)
  const heartbeatTimer = setInterval(() => {
    for (const connection of open) {
      if (!connection.isAlive) {
        connection.socket.terminate()
        continue
      }
      connection.isAlive = false
      connection.socket.ping()
    }
  }, PING_INTERVAL_MS)

  async function sendCompletion(userId: number, payload: AssignmentCompletion): Promise<void> {
    for (const connection of open) {
      if (connection.userId !== userId || !connection.actor) continue
      // A run's completion is for those who may still open the assignment; a test notification has no run.
      if (payload.run_id === null || (await canWatchAssignment(connection.actor, payload.assignment_id)))
        send(connection, { type: 'assignment_completion', data: payload })
    }
  }
  events.onAny('completion_for_user', ({ userId, payload }) => {
    sendCompletion(userId, payload).catch((error: unknown) =>
      log.error({ err: error }, 'a completion could not be sent'),
    )
  })
  events.onAny('session_ended', ({ sessionId }) => {
    for (const { actor, socket } of open)
      if (actor?.sessionId === sessionId) socket.close(CLOSE_POLICY_VIOLATION, 'The session has ended')
  })

  return {
    count: () => open.size,
    counters: { 'raw address': ofAddress, 'raw session': ofSession },
    close() {
      clearInterval(recheckTimer)
      clearInterval(heartbeatTimer)
      for (const { socket } of open) {
        socket.close(CLOSE_GOING_AWAY, 'The server is stopping')
        // A client that does not close its side must not delay the stop.
        setTimeout(() => socket.terminate(), 1000).unref()
      }
    },
  }
}

const sessionOf = ({ actor }: Pick<Connection, 'actor'>) => actor?.sessionId ?? ''

function readMessage(text: string): SocketMessage | null {
  try {
    return SocketMessage.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
