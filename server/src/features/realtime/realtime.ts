import type { Server as HttpServer } from 'node:http'
import { type ClientEvents, type ServerEvents, SOCKET_PATH } from '@assay/shared/realtime.ts'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { canManageAssignment } from '../assignments/assignment.policy.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { requireActor } from '../auth/session.service.ts'

const Handshake = z.object({ token: z.string() })
const AssignmentId = z.number().int().positive()

type AppSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>

const roomOf = (assignmentId: number) => `assignment:${assignmentId}`
const sessionRoom = (sessionId: string) => `session:${sessionId}`

/** Carries what happens to the browsers that may know of it, over socket.io. */
export function startRealtime(server: HttpServer, services: Services): { close: () => Promise<void> } {
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { actor: Actor }>(server, {
    path: SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
  })

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
    void socket.join(sessionRoom(actor.sessionId))
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
      if (parsed.success) void socket.leave(roomOf(parsed.data))
    })
  })

  async function watch(socket: AppSocket, id: unknown): Promise<boolean> {
    const parsed = AssignmentId.safeParse(id)
    const assignment = parsed.success ? await findAssignment(parsed.data) : null
    if (!assignment || (await canManageAssignment(socket.data.actor, assignment)) !== 'yes') return false
    await socket.join(roomOf(assignment._id))
    return true
  }

  const { events } = services
  events.on('submission_changed', ({ assignmentId, payload }) => {
    io.to(roomOf(assignmentId)).emit('submission_changed', payload)
  })
  events.on('run_changed', ({ assignmentId, payload }) =>
    io.to(roomOf(assignmentId)).emit('run_changed', payload),
  )
  events.on('assignment_completion', ({ assignmentId, payload }) => {
    io.to(roomOf(assignmentId)).emit('assignment_completion', payload)
  })
  // Who signs out hears nothing more.
  events.on('session_ended', ({ sessionId }) => io.in(sessionRoom(sessionId)).disconnectSockets(true))

  return { close: async () => void (await io.close()) }
}
