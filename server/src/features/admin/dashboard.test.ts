import { deactivateUser, getAdminDashboard } from '@assay/shared/admin.ts'
import { getMe } from '@assay/shared/auth.ts'
import { Types } from 'mongoose'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FailedJobModel, JobModel } from '../../lib/jobs/job.model.ts'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { LtiLaunchLogModel } from '../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../records/lti/platform.model.ts'
import { LtiPlatformPauseModel, LtiScoreModel } from '../../records/lti/score.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

let ahead = 0
const { api, server } = useTestApi({}, { clock: { now: () => new Date(Date.now() + ahead) } })

it('counts records and recently active users', async () => {
  const admin = api.as(await buildPerson('admin'))
  const look = async () => (await admin.send(getAdminDashboard)).body
  await expect.poll(async () => (await look()).users.active_now).toBe(1)
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
  await expect
    .poll(async () => (await look()).users)
    .toEqual({
      ...before.users,
      total: before.users.total + 3,
      students: before.users.students + 2,
      instructors: before.users.instructors + 1,
      deactivated: 1,
      active_now: 3,
      active_today: 3,
    })
  expect(await look()).toMatchObject({
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
  await expect.poll(async () => (await look()).work.failed).toMatchObject([{ name: 'never-works', error: 'it broke' }])
  const { health, ...rest } = await look()
  expect(health.find(({ part }) => part === 'queue')?.state).toBe('warn')
  expect(JSON.stringify(rest)).not.toContain('do-not-tell')
})

describe('what needs attention', () => {
  const HOUR_MS = 3600_000
  const ago = (ms: number) => new Date(Date.now() - ms)
  const queued = { group: 'test', payload: {}, status: 'queued' as const, attempts: 0, claims: 0, owner: null }

  async function look() {
    const { body } = await api.as(await buildPerson('admin')).send(getAdminDashboard)
    // The machine that runs the tests may be short of it.
    return body.attention.filter(({ kind }) => kind !== 'disk')
  }

  it('is said in words with what to do, the worst first, once it is more than happens every day', async () => {
    await FailedJobModel.deleteMany({})
    expect(await look()).toEqual([])

    const base = { ...queued, locked_until: null, error: null }
    // Nobody runs them: no job has these names.
    await JobModel.create({ ...base, _id: 'a', name: 'send-mail-elsewhere', run_at: ago(4 * 60_000) })
    await JobModel.create({ ...base, _id: 'b', name: 'grade-elsewhere', run_at: ago(50 * 60_000) })
    await LtiPlatformModel.collection.insertOne({ _id: 71, name: 'Moodle', status: 'active' } as never)
    const launch = { platform_id: 71, issuer: 'i', client_id: 'c', step: 'launch', at: ago(60_000) } as const
    const launches = (count: number, code: string | null, more = {}) =>
      LtiLaunchLogModel.insertMany(
        Array.from({ length: count }, () => ({
          ...{ ...launch, _id: new Types.ObjectId(), code, outcome: code ? 'refused' : 'accepted' },
          ...more,
        })),
      )
    await launches(30, null)
    await launches(5, 'token_time')
    await launches(20, 'platform_unknown', { platform_id: null, step: 'login' })
    await launches(20, 'token_time', { at: ago(25 * HOUR_MS) })
    await LtiPlatformPauseModel.create({ _id: 71, failures: 2, resume_at: new Date(), problem: 'It said 503.' })
    expect(await look()).toEqual([])

    await JobModel.updateMany({ _id: 'a' }, { $set: { run_at: ago(6 * 60_000) } })
    await JobModel.updateMany({ _id: 'b' }, { $set: { run_at: ago(2 * HOUR_MS) } })
    await launches(1, 'token_time')
    await LtiPlatformPauseModel.updateOne({ _id: 71 }, { $set: { failures: 3 } })
    await LtiScoreModel.collection.insertOne({ _id: 's', platform_id: 71, state: 'refused', reason: null } as never)
    await FailedJobModel.create({ name: 'release-grades', error: 'it broke', at: ago(HOUR_MS) })
    const { id } = await buildPerson('instructor')
    await UserModel.updateOne({ _id: id }, { $set: { account: 'pending' } })
    const attention = await look()
    expect(attention.map(({ severity, title }) => `${severity}: ${title}`)).toEqual([
      'bad: 2 jobs should have run long ago',
      'bad: 6 of 36 launches from LMSs were refused in the last hour',
      'warn: 1 job failed in the last 24 hours',
      'warn: Moodle accepts no scores at the moment',
      'warn: 1 score was refused by an LMS',
      'warn: 1 instructor is waiting for approval',
    ])
    const [waiting, refused, failed, silent] = attention
    expect(waiting?.advice).toContain('grade elsewhere (1)')
    expect(waiting?.advice).toContain('send mail elsewhere (1)')
    expect(Date.parse(waiting?.since ?? '')).toBeLessThan(Date.now() - 1.9 * HOUR_MS)
    expect(refused?.advice).toMatch(/^Most often: \S.+\. The log of each LMS says more\.$/)
    expect(failed?.advice).toContain('release grades (1)')
    expect(silent?.advice).toBe('It said 503. Scores wait, and are sent again by themselves.')
  })
})
