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

/** For how long what was allowed is taken to be allowed still. */
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

/** Carries what happens to the browsers that may know of it, over socket.io. */
export function startRealtime(
  server: HttpServer,
  services: Services,
  askAgainMs = RECHECK_ACCESS_MS,
): { close: () => Promise<void> } {
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>(server, {
    path: SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    pingInterval: PING_INTERVAL_MS,
    // The raw websockets stand beside it on the same server, and turn away what is neither's.
    destroyUpgrade: false,
  })
  const raw = startRawWebSockets(server, services, askAgainMs)

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

  /** A session ends by time too, and who watches an assignment may be taken off its course. */
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

  let asking = false
  const again = setInterval(async () => {
    if (asking) return
    asking = true
    try {
      for (const socket of io.sockets.sockets.values()) await recheckAccess(socket)
    } catch (error) {
      services.log.error({ err: error }, 'watchers could not be asked again')
    } finally {
      asking = false
    }
  }, askAgainMs)

  const { events } = services
  events.on('submission_changed', ({ assignmentId, payload }) => {
    io.to(assignmentRoom(assignmentId)).emit('submission_changed', payload)
  })
  events.on('run_changed', ({ assignmentId, payload }) =>
    io.to(assignmentRoom(assignmentId)).emit('run_changed', payload),
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
        // Those who watch the assignment have heard; a run's news is for who may still open it.
        if (socket.rooms.has(assignmentRoom(payload.assignment_id))) continue
        if (payload.run_id === null || (await canWatchAssignment(socket.data.actor, payload.assignment_id)))
          socket.emit('assignment_completion', payload)
      }
    } catch (error) {
      services.log.error({ err: error }, 'a completion could not be told')
    }
  })
  // Who signs out hears nothing more.
  events.on('session_ended', ({ sessionId }) => io.in(sessionRoom(sessionId)).disconnectSockets(true))

  return {
    async close() {
      clearInterval(again)
      raw.close()
      await io.close()
    },
  }
}
