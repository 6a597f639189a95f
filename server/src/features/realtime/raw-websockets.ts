import { type Server as HttpServer, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type AssignmentCompletion,
  PING_INTERVAL_MS,
  PING_SOCKET_PATH,
  SOCKET_PATH,
  SocketMessage,
} from '@assay/shared/realtime.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError, notFound, toErrorReply } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireActor } from '../auth/session.service.ts'
import { canUseTestPages } from '../test-pages/test-page.policy.ts'
import { canWatchAssignment } from './realtime.policy.ts'

const MAX_MESSAGE_BYTES = 16 * 1024
/** For one session, and for everybody together where nobody need sign in. */
const MAX_CONNECTIONS_PER_SESSION = 10
const MAX_ANONYMOUS_CONNECTIONS = 50
/** RFC 6455, 7.4.1: we end it, because the rules no longer allow it; because we are going. */
const CLOSE_POLICY_VIOLATION = 1008
const CLOSE_GOING_AWAY = 1001

const COMPLETION_PATH = /^\/api\/v1\/ws\/assignment-completion\/([1-9]\d{0,14})$/

/** One raw websocket. `actor` is null on the ping socket, where nobody need sign in. */
interface Connection {
  socket: WebSocket
  actor: Actor | null
  token: string
  /** Whose completions are told. */
  userId: number | null
  connectedAt: Date
  isAlive: boolean
}

/** The contract's two raw websockets, beside socket.io on the same server. Neither token nor query is ever logged. */
export function startRawWebSockets(server: HttpServer, services: Services, askAgainMs: number): { close(): void } {
  const { events, clock, log } = services
  const open = new Set<Connection>()
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false })

  server.on('upgrade', (request, stream, head) => {
    const asked = request.url ?? '/'
    // By the same letters as socket.io asks, so that every request is either its or ours.
    if (asked.startsWith(`${SOCKET_PATH}/`)) return
    // The server has let go of the stream: a reset that nobody listens to would end the process.
    stream.on('error', () => stream.destroy())
    const url = URL.parse(asked, 'http://assay.invalid')
    authorize(url)
      .then((found) => wss.handleUpgrade(request, stream, head, (socket) => handleConnection({ ...found, socket })))
      .catch((error: unknown) => rejectUpgrade(stream, url?.pathname, error))
  })

  /** Who is let in, and to what; throws what an HTTP call would be answered with. Null is an address that cannot be read. */
  async function authorize(url: URL | null): Promise<Omit<Connection, 'socket'>> {
    if (!url) throw notFound()
    const token = url.searchParams.get('token') ?? ''
    const connection = { token, userId: null, connectedAt: clock.now(), isAlive: true }
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
    const alike = [...open].filter(({ actor }) => actor?.sessionId === connection.actor?.sessionId)
    if (alike.length >= limit) throw new AppError('rate_limit_exceeded', 'Too many connections are open.')
    return connection
  }

  /** No upgrade, and the failure in the one shape there is. */
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
    socket.on('close', () => open.delete(connection))
    // A message too large, a broken frame: the socket closes by itself.
    socket.on('error', (error) => log.debug({ err: error }, 'a websocket broke'))
    socket.on('pong', () => {
      connection.isAlive = true
    })
    socket.on('message', (bytes) => send(connection, replyTo(connection, String(bytes))))
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

  /** As the pages' own connection: a session may end by time, and whoever does not answer any more is gone. */
  async function recheckAccess(connection: Connection): Promise<void> {
    if (!connection.actor) return
    try {
      connection.actor = await requireActor(connection.token, services)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      connection.socket.close(CLOSE_POLICY_VIOLATION, 'The session has ended')
    }
  }
  const asking = setInterval(() => {
    Promise.all([...open].map(recheckAccess)).catch((error: unknown) =>
      log.error({ err: error }, 'open websockets could not be asked again'),
    )
  }, askAgainMs)
  const beating = setInterval(() => {
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
      // A run's news is for who may still open the assignment; a try-out is about none.
      if (payload.run_id === null || (await canWatchAssignment(connection.actor, payload.assignment_id)))
        send(connection, { type: 'assignment_completion', data: payload })
    }
  }
  events.on('completion_for_user', ({ userId, payload }) => {
    sendCompletion(userId, payload).catch((error: unknown) =>
      log.error({ err: error }, 'a completion could not be told'),
    )
  })
  events.on('session_ended', ({ sessionId }) => {
    for (const { actor, socket } of open)
      if (actor?.sessionId === sessionId) socket.close(CLOSE_POLICY_VIOLATION, 'The session has ended')
  })

  return {
    close() {
      clearInterval(asking)
      clearInterval(beating)
      for (const { socket } of open) {
        socket.close(CLOSE_GOING_AWAY, 'The server is stopping')
        // Whoever does not say goodbye must not keep us.
        setTimeout(() => socket.terminate(), 1000).unref()
      }
    },
  }
}

function readMessage(text: string): SocketMessage | null {
  try {
    return SocketMessage.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
