import type { Server as HttpServer } from 'node:http'
import { type ClientEvents, PING_INTERVAL_MS, type ServerEvents, SOCKET_PATH } from '@assay/shared/realtime.ts'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireActor } from '../auth/session.service.ts'
import { startRawWebSockets } from './raw-websockets.ts'
import { canWatchAssignment } from './realtime.policy.ts'

/** How long access stays granted without being checked again. */
const RECHECK_ACCESS_MS = 60_000

const Handshake = z.object({ token: z.string() })
const AssignmentId = z.number().int().positive()

type AppSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>

const assignmentRoom = (assignmentId: number) => `assignment:${assignmentId}`
const assignmentIdOfRoom = (room: string) => {
  const id = /^assignment:(\d+)$/.exec(room)?.[1]
  return id === undefined ? null : Number(id)
}
const userRoom = (userId: number) => `user:${userId}`
const sessionRoom = (sessionId: string) => `session:${sessionId}`

/** Sends events to the browsers that may see them, over socket.io. */
export function startRealtime(
  server: HttpServer,
  services: Services,
  recheckAccessMs = RECHECK_ACCESS_MS,
): { close: () => Promise<void> } {
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>(server, {
    path: SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    pingInterval: PING_INTERVAL_MS,
    // The raw websockets share the server, and reject every other upgrade.
    destroyUpgrade: false,
  })
  const raw = startRawWebSockets(server, services, recheckAccessMs)

  io.use(async (socket, next) => {
    const { data } = Handshake.safeParse(socket.handshake.auth)
    try {
      socket.data.actor = await requireActor(data?.token ?? '', services)
      next()
    } catch {
      next(new Error('auth_required'))
    }
  })

  io.on('connection', (socket: AppSocket) => {
    const { actor } = socket.data
    void socket.join([sessionRoom(actor.sessionId), userRoom(actor.id)])
    socket.on('watch_assignment', (id, reply) => {
      watch(socket, id)
        .catch((error: unknown) => {
          services.log.error({ err: error }, 'an assignment could not be watched')
          return false
        })
        .then((allowed) => {
          if (typeof reply === 'function') reply(allowed)
        })
    })
    socket.on('leave_assignment', (id) => {
      const parsed = AssignmentId.safeParse(id)
      if (parsed.success) void socket.leave(assignmentRoom(parsed.data))
    })
  })

  async function watch(socket: AppSocket, id: unknown): Promise<boolean> {
    const parsed = AssignmentId.safeParse(id)
    if (!parsed.success || !(await canWatchAssignment(socket.data.actor, parsed.data))) return false
    await socket.join(assignmentRoom(parsed.data))
    return true
  }

  /** A session may have expired, and a teacher may have been removed from the course. */
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

  const { events } = services
  events.on('submission_changed', ({ assignmentId, payload }) => {
    io.to(assignmentRoom(assignmentId)).emit('submission_changed', payload)
  })
  events.on('run_changed', ({ assignmentId, payload }) =>
    io.to(assignmentRoom(assignmentId)).emit('run_changed', payload),
  )
  events.on('question_changed', ({ assignmentId, payload }) =>
    io.to(assignmentRoom(assignmentId)).emit('question_changed', payload),
  )
  events.on('lms_scores_changed', ({ assignmentId, payload }) =>
    io.to(assignmentRoom(assignmentId)).emit('lms_scores_changed', payload),
  )
  events.on('assignment_completion', ({ assignmentId, payload }) => {
    io.to(assignmentRoom(assignmentId)).emit('assignment_completion', payload)
  })
  events.on('completion_for_user', async ({ userId, payload }) => {
    try {
      for (const socket of await io.in(userRoom(userId)).fetchSockets()) {
        // Watchers were notified already; a run's completion is for those who may still open the assignment.
        if (socket.rooms.has(assignmentRoom(payload.assignment_id))) continue
        if (payload.run_id === null || (await canWatchAssignment(socket.data.actor, payload.assignment_id)))
          socket.emit('assignment_completion', payload)
      }
    } catch (error) {
      services.log.error({ err: error }, 'a completion could not be sent')
    }
  })
  // A session that has ended receives nothing more.
  events.on('session_ended', ({ sessionId }) => io.in(sessionRoom(sessionId)).disconnectSockets(true))

  return {
    async close() {
      clearInterval(recheckTimer)
      raw.close()
      await io.close()
    },
  }
}
