import { signOut } from '@assay/shared/auth.ts'
import { SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import { processAssignment, type Run } from '@assay/shared/runs.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { io, type Socket } from 'socket.io-client'
import { afterEach, expect, it } from 'vitest'
import { CourseModel } from '../../records/courses/course.model.ts'
import { buildEmptyAssignment, buildGraded, buildPerson, correctAnswers } from '../../testing/build-course.ts'
import { type Caller, type Person, useTestApi } from '../../testing/server.ts'
import { findRun, notifyRunChanged } from '../runs/run.service.ts'

/** How far the server's clock is ahead, in ms. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
const { api, server } = useTestApi({}, { clock, recheckAccessMs: 200 })
const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
  ahead = 0
})

async function connect(caller: Caller): Promise<Socket> {
  const socket = io(server.running.url, { auth: { token: await caller.token() }, reconnection: false })
  open.push(socket)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

/** Its session began so many seconds ago. */
async function connectEarlier(seconds: number): Promise<{ expired: Promise<string> }> {
  ahead = -seconds * 1000
  const caller = api.again(await buildPerson('instructor'))
  await caller.token()
  ahead = 0
  const socket = await connect(caller)
  return { expired: new Promise((resolve) => socket.once('disconnect', resolve)) }
}

/** That began at least so many seconds ago. */
function expireSessionsOlderThan(seconds: number): void {
  ahead = (SESSION_SECONDS + 1 - seconds) * 1000
}

const watch = (socket: Socket, assignmentId: unknown) =>
  socket.timeout(180_000).emitWithAck('watch_assignment', assignmentId)

it('notifies watchers of an assignment of each changed row, and of the end of the run', async () => {
  const { teacher, assignmentId, submissionIds, params } = await buildGraded(api, [correctAnswers], { graded: false })
  const socket = await connect(teacher)
  expect(await watch(socket, assignmentId)).toBe(true)
  const rows: SubmissionRow[] = []
  const runs: Run[] = []
  socket.on('submission_changed', (row: SubmissionRow) => rows.push(row))
  socket.on('run_changed', (run: Run) => runs.push(run))
  const over = new Promise<object>((resolve) => socket.once('assignment_completion', resolve))
  const started = await teacher.send(processAssignment, { params })
  expect(await over).toEqual({
    assignment_id: assignmentId,
    run_id: started.body.run_id,
    message: '1 graded.',
    total: 1,
    graded: 1,
    failed: 0,
  })
  expect(rows.map((row) => row.status)).toEqual(['reading', 'grading', 'graded'])
  expect(rows.at(-1)).toMatchObject({ id: submissionIds[0], overall_score: expect.any(Number) })
  expect(runs.at(-1)).toMatchObject({ status: 'completed', graded: 1 })
})

it('does not set watchers back to what a run was before', async () => {
  const { run } = await buildGraded(api, [correctAnswers])
  const { services } = server.running
  const heard: string[] = []
  services.events.onAny('run_changed', ({ payload }) => heard.push(payload.status))
  const ended = await findRun(run?.id ?? 0)
  if (!ended) throw new Error('a run')
  await notifyRunChanged({ ...ended, status: 'grading' }, services)
  expect(heard).not.toContain('grading')
  await notifyRunChanged(ended, services)
  expect(heard).toContain('completed')
})

it('says for how long nothing has changed, as far as it knows', async () => {
  const { teacher, assignmentId } = await buildEmptyAssignment(api)
  const socket = await connect(teacher)
  const unchangedMs = () =>
    new Promise<number>((resolve) => {
      socket.emit('watch_assignment', assignmentId, (_allowed: boolean, ms: number) => resolve(ms))
    })
  const asked = performance.now()
  await unchangedMs()
  const passed = performance.now() - asked
  expect(await unchangedMs()).toBeGreaterThan(passed - 1000)
  const { events } = server.running.services
  events.emit('run_changed', { assignmentId: assignmentId + 1, payload: { id: 1 } as Run })
  const changed = performance.now()
  events.emit('run_changed', { assignmentId, payload: { id: 1 } as Run })
  const [unchanged, since] = [await unchangedMs(), performance.now() - changed]
  expect(unchanged).toBeGreaterThan(0)
  expect(unchanged).toBeLessThanOrEqual(since)
})

it('notifies nobody else: no other teacher, no student, and no one without a session', async () => {
  const { students, assignmentId } = await buildEmptyAssignment(api, { students: 1 })
  for (const person of [await buildPerson('instructor'), students[0]]) {
    if (!person) throw new Error('a student')
    const socket = await connect(api.as(person))
    for (const id of [assignmentId, 'x', { $ne: 0 }, -1, null]) expect(await watch(socket, id)).toBe(false)
  }
  for (const auth of [{ token: 'rubbish' }, {}, { token: { $ne: '' } }]) {
    const socket = io(server.running.url, { auth, reconnection: false })
    open.push(socket)
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve))
    expect(error.message).toBe('auth_required')
  }
})

it('ends with the session', async () => {
  const caller = api.again(await buildPerson('instructor'))
  const socket = await connect(caller)
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  await caller.send(signOut)
  expect(await ended).toBe('io server disconnect')
})

it('ends when the session expires', async () => {
  const socket = await connect(api.again(await buildPerson('instructor')))
  const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve))
  const earlier = await connectEarlier(60)
  expireSessionsOlderThan(60)
  // Sockets are checked in the order they connected in.
  await earlier.expired
  expect(socket.connected).toBe(true)
  expireSessionsOlderThan(0)
  expect(await ended).toBe('io server disconnect')
})

it('stops notifying a teacher who was removed from the course, and nobody else', async () => {
  const { instructor, courseId, assignmentId } = await buildEmptyAssignment(api)
  const colleague = await buildPerson('instructor')
  await CourseModel.updateOne({ _id: courseId }, { $push: { instructor_ids: colleague.id } })
  const watchRuns = async (person: Person) => {
    const socket = await connect(api.again(person))
    expect(await watch(socket, assignmentId)).toBe(true)
    const runs: Run[] = []
    socket.on('run_changed', (run: Run) => runs.push(run))
    return { socket, runs }
  }
  const stays = await watchRuns(instructor)
  const goes = await watchRuns(colleague)
  const emitRun = (id: number) =>
    server.running.services.events.emit('run_changed', { assignmentId, payload: { id } as Run })
  emitRun(1)
  await expect.poll(() => [stays, goes].map(({ runs }) => runs.length)).toEqual([1, 1])
  const [second, first] = [await connectEarlier(60), await connectEarlier(120)]
  await CourseModel.updateOne({ _id: courseId }, { $pull: { instructor_ids: colleague.id } })
  // In the order they connected in, so both are gone only after a whole round.
  expireSessionsOlderThan(120)
  await first.expired
  expireSessionsOlderThan(60)
  await second.expired
  emitRun(2)
  await expect.poll(() => stays.runs.length).toBe(2)
  // Comes after what was sent before.
  expect(await watch(goes.socket, assignmentId)).toBe(false)
  expect(goes.runs.length).toBe(1)
})
