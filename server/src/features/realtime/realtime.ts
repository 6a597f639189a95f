import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { type ClientEvents, PING_INTERVAL_MS, type ServerEvents, SOCKET_PATH } from '@assay/shared/realtime.ts'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { bodyTimeout, IDLE_BODY_MS } from '../../lib/http/listen.ts'
import type { Services } from '../../services.ts'
import { requireActor } from '../auth/session.service.ts'
import {
  addressOf,
  ConnectionCounter,
  MAX_CONNECTIONS_PER_ADDRESS,
  MAX_CONNECTIONS_PER_SESSION,
  MAX_WAITING_PER_ADDRESS,
  TokenBucket,
} from './connection-limits.ts'
import { startRawWebSockets } from './raw-websockets.ts'
import { canWatchAssignment } from './realtime.policy.ts'
import { shareCounters } from './share-counters.ts'

/** Unauthenticated connections are closed by then. */
const CONNECT_TIMEOUT_MS = 10_000
const RECHECK_ACCESS_MS = 60_000

const Handshake = z.object({ token: z.string() })
const AssignmentId = z.number().int().positive()

type AppSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>

type EngineConnection = Socket['conn']

const assignmentRoom = (assignmentId: number) => `assignment:${assignmentId}`
const assignmentIdOfRoom = (room: string) => {
  const id = /^assignment:(\d+)$/.exec(room)?.[1]
  return id === undefined ? null : Number(id)
}
const userRoom = (userId: number) => `user:${userId}`
const sessionRoom = (sessionId: string) => `session:${sessionId}`

interface RealtimeLimits {
  recheckAccessMs?: number | undefined
  idleBodyMs?: number | undefined
  maxSocketsPerAddress?: number | undefined
}

export interface Realtime {
  countSockets(): { 'socket.io': number; raw: number }
  close(): Promise<void>
}

export function startRealtime(
  server: HttpServer,
  services: Services,
  {
    recheckAccessMs = RECHECK_ACCESS_MS,
    idleBodyMs = IDLE_BODY_MS,
    maxSocketsPerAddress: maxPerAddress = MAX_CONNECTIONS_PER_ADDRESS,
  }: RealtimeLimits = {},
): Realtime {
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>(server, {
    path: SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    connectTimeout: CONNECT_TIMEOUT_MS,
    allowRequest: (request, callback) => callback(null, isWithinLimits(request)),
    pingInterval: PING_INTERVAL_MS,
    // The raw websockets reject every other upgrade.
    destroyUpgrade: false,
  })
  const { events } = services
  const lastChanges = new LastChanges()
  const raw = startRawWebSockets(server, services, { recheckAccessMs, maxPerAddress })

  const [ofAddress, waiting, ofSession] = [new ConnectionCounter(), new ConnectionCounter(), new ConnectionCounter()]
  const shared = shareCounters({ address: ofAddress, waiting, session: ofSession, ...raw.counters }, services)
  const addressOfRequest = (request: IncomingMessage) => addressOf(request, services.config.trustProxy)
  const giveUp = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(408).end()
  io.engine.use(bodyTimeout(idleBodyMs, addressOfRequest, giveUp))

  function isWithinLimits(request: IncomingMessage): boolean {
    const address = addressOfRequest(request)
    return ofAddress.count(address) < maxPerAddress && waiting.count(address) < MAX_WAITING_PER_ADDRESS
  }

  const endWaiting = new WeakMap<object, () => void>()
  io.engine.on('connection', (connection: EngineConnection) => {
    const address = addressOfRequest(connection.request)
    const ends = [ofAddress.add(address), waiting.add(address)] as const
    endWaiting.set(connection, ends[1])
    connection.on('close', () => {
      for (const end of ends) end()
    })
    const messages = new TokenBucket()
    connection.on('packet', () => {
      if (messages.take()) return
      // A flooding client is not waited for.
      connection.request.socket.destroy()
      connection.close(true)
    })
  })

  io.use(async (socket, next) => {
    const connection = socket.conn as EngineConnection
    const refuse = (reason: string) => {
      next(new Error(reason))
      setImmediate(() => connection.close())
    }
    const signsIn = endWaiting.get(connection)
    // One attempt a connection, so that refused ones cost no further query.
    if (!signsIn || !endWaiting.delete(connection)) return refuse('auth_required')
    const { data } = Handshake.safeParse(socket.handshake.auth)
    try {
      socket.data.actor = await requireActor(data?.token ?? '', services)
    } catch {
      return refuse('auth_required')
    }
    // A connection that closes later removes itself from the counts.
    if (connection.readyState !== 'open') return refuse('auth_required')
    if (ofSession.count(socket.data.actor.sessionId) >= MAX_CONNECTIONS_PER_SESSION)
      return refuse('too_many_connections')
    const endSession = ofSession.add(socket.data.actor.sessionId)
    connection.on('close', endSession)
    signsIn()
    next()
  })

  io.on('connection', (socket: AppSocket) => {
    const { actor } = socket.data
    void socket.join([sessionRoom(actor.sessionId), userRoom(actor.id)])
    const watchNext = watcherOf(socket)
    socket.on('watch_assignment', (id, reply) => {
      watchNext(id, (allowed) => {
        if (typeof reply !== 'function') return
        if (allowed) reply(true, events.hearsAll() ? lastChanges.unchangedMs(id) : 0)
        else reply(false)
      })
    })
    socket.on('leave_assignment', (id) => {
      const parsed = AssignmentId.safeParse(id)
      if (parsed.success) void socket.leave(assignmentRoom(parsed.data))
    })
  })

  /** While one is answered only the latest further one waits, and those between are refused. */
  function watcherOf(socket: AppSocket): (id: unknown, reply: (allowed: boolean) => void) => void {
    let latest: { id: unknown; reply: (allowed: boolean) => void } | null = null
    let isBusy = false
    const answerAll = async () => {
      isBusy = true
      while (latest) {
        const { id, reply } = latest
        latest = null
        reply(
          await watch(socket, id).catch((error: unknown) => {
            services.log.error({ err: error }, 'an assignment could not be watched')
            return false
          }),
        )
      }
      isBusy = false
    }
    return (id, reply) => {
      latest?.reply(false)
      latest = { id, reply }
      if (!isBusy) void answerAll()
    }
  }

  async function watch(socket: AppSocket, id: unknown): Promise<boolean> {
    const parsed = AssignmentId.safeParse(id)
    // Students may not watch, so their requests cost no query.
    if (
      !parsed.success ||
      socket.data.actor.role === 'student' ||
      !(await canWatchAssignment(socket.data.actor, parsed.data))
    )
      return false
    await socket.join(assignmentRoom(parsed.data))
    return true
  }

  async function recheckAccess(socket: AppSocket): Promise<void> {
    try {
      socket.data.actor = await requireActor(Handshake.parse(socket.handshake.auth).token, services)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      socket.disconnect(true)
      return
    }
    for (const room of [...socket.rooms]) {
      const watched = assignmentIdOfRoom(room)
      if (watched !== null && !(await canWatchAssignment(socket.data.actor, watched))) await socket.leave(room)
    }
  }

  let isRechecking = false
  const recheckTimer = setInterval(async () => {
    if (isRechecking) return
    isRechecking = true
    try {
      for (const socket of io.sockets.sockets.values()) await recheckAccess(socket)
    } catch (error) {
      services.log.error({ err: error }, 'the access of watchers could not be checked again')
    } finally {
      isRechecking = false
    }
  }, recheckAccessMs)

  function watchersOf(assignmentId: number) {
    lastChanges.note(assignmentId)
    return io.to(assignmentRoom(assignmentId))
  }
  const relay = <Event extends keyof ServerEvents>(event: Event) =>
    events.onAny(event, ({ assignmentId, payload }) =>
      watchersOf(assignmentId).emit(event, ...([payload] as Parameters<ServerEvents[Event]>)),
    )
  relay('submission_changed')
  relay('submissions_changed')
  relay('run_changed')
  relay('question_changed')
  relay('lms_scores_changed')
  relay('assignment_completion')
  events.onAny('completion_for_user', async ({ userId, payload }) => {
    try {
      for (const socket of await io.in(userRoom(userId)).fetchSockets()) {
        // Watchers were notified already; others must still be allowed to open the assignment.
        if (socket.rooms.has(assignmentRoom(payload.assignment_id))) continue
        if (payload.run_id === null || (await canWatchAssignment(socket.data.actor, payload.assignment_id)))
          socket.emit('assignment_completion', payload)
      }
    } catch (error) {
      services.log.error({ err: error }, 'a completion could not be sent')
    }
  })
  events.onAny('session_ended', ({ sessionId }) => io.in(sessionRoom(sessionId)).disconnectSockets(true))
  // Clients reconnect by themselves, spread over time, and ask for the current state.
  events.onGap(() => {
    lastChanges.forget()
    for (const socket of io.sockets.sockets.values()) socket.conn.close()
  })

  return {
    countSockets: () => ({ 'socket.io': io.engine.clientsCount, raw: raw.count() }),
    async close() {
      clearInterval(recheckTimer)
      raw.close()
      await io.close()
      shared.close()
    },
  }
}

/** Screens ask for their data a moment before they watch. */
const REMEMBERED_MS = 60_000

class LastChanges {
  #startedAt = performance.now()
  readonly #changedAt = new Map<number, number>()

  note(assignmentId: number): void {
    const now = performance.now()
    this.#changedAt.delete(assignmentId)
    this.#changedAt.set(assignmentId, now)
    for (const [id, at] of this.#changedAt) {
      if (now - at < REMEMBERED_MS) break
      this.#changedAt.delete(id)
    }
  }

  forget(): void {
    this.#startedAt = performance.now()
    this.#changedAt.clear()
  }

  /** At least so many ms; a minute at most. */
  unchangedMs(assignmentId: number): number {
    const since = this.#changedAt.get(assignmentId) ?? this.#startedAt
    return Math.min(performance.now() - since, REMEMBERED_MS)
  }
}
