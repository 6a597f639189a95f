import { deactivateUser, getAdminDashboard } from '@assay/shared/admin.ts'
import { getMe } from '@assay/shared/auth.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { createTestApi } from '../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'

let ahead = 0
const server = useServer({}, { clock: { now: () => new Date(Date.now() + ahead) } })
const api = createTestApi(server)
const patient = { timeout: 15_000 }

it('counts records and recently active users', async () => {
  const admin = api.as(await buildPerson('admin'))
  const look = async () => (await admin.send(getAdminDashboard)).body
  await expect.poll(async () => (await look()).users.active_now, patient).toBe(1)
  const before = await look()
  const { instructor, students, courseId } = await buildCourse(api, { students: 2 })
  const [student] = students
  if (!student) throw new Error('two students')
  await api.as(student).send(getMe)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'one.pdf', bytes: await drawPaper({ full_name: 'One' }, correctAnswers) },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  await admin.send(deactivateUser, { params: { userId: students[1]?.id ?? 0 } })
  const after = await look()
  expect(after.users).toEqual({
    ...before.users,
    total: before.users.total + 3,
    students: before.users.students + 2,
    instructors: before.users.instructors + 1,
    deactivated: 1,
    active_now: 3,
    active_today: 3,
  })
  expect(after).toMatchObject({
    courses: before.courses + 1,
    assignments: { total: before.assignments.total + 1, published: before.assignments.published },
    submissions: { total: before.submissions.total + 1, failed: 0 },
    grades_today: before.grades_today + 1,
    work: { runs: 0, failed: [] },
  })
  ahead = 20 * 60_000
  await expect.poll(async () => (await look()).users).toMatchObject({ active_now: 1, active_today: 3 })
  ahead = 0
})

it('checks the health of each part', async () => {
  const admin = api.as(await buildPerson('admin'))
  const { body } = await admin.send(getAdminDashboard)
  expect(body.health.map(({ part, state }) => [part, state])).toEqual([
    ['database', 'good'],
    ['papers', 'good'],
    ['grader', 'good'],
    ['queue', 'good'],
    ['mail', 'good'],
    ['disk', expect.stringMatching(/good|warn/)],
  ])
  expect(body.version).toMatch(/^\d+\.\d+\.\d+/)
})

it('lists failed jobs without their payloads', async () => {
  const admin = api.as(await buildPerson('admin'))
  const { jobs } = server.running.services
  const job = defineJob({
    name: 'never-works',
    payload: z.object({ secret: z.string() }),
    pool: 'cpu',
    attempts: 1,
    run: async () => {
      throw new Error('it broke')
    },
  }) as Job
  jobs.register(job)
  await jobs.add(job, [{ key: 'one', group: 'test', payload: { secret: 'do-not-tell' } }])
  const look = async () => (await admin.send(getAdminDashboard)).body
  await expect
    .poll(async () => (await look()).work.failed, patient)
    .toMatchObject([{ name: 'never-works', error: 'it broke' }])
  const { health, ...rest } = await look()
  expect(health.find(({ part }) => part === 'queue')?.state).toBe('warn')
  expect(JSON.stringify(rest)).not.toContain('do-not-tell')
})
