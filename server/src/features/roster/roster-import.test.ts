import { deactivateUser } from '@assay/shared/admin.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudentsFromCsv,
  getInvitationLimit,
  getRosterJob,
  listRosterJobs,
  type RosterJob,
  stopRosterJob,
} from '@assay/shared/roster.ts'
import { describe, expect, it } from 'vitest'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

let rosters = 0
/** This many good rows, then enough bad ones to make it long: bad rows are cheap. */
function rosterOf(rows: number, bad = 1000): string {
  const name = `r${++rosters}`
  const good = Array.from({ length: rows }, (_, i) => `${name}-${i}@job.example,S${i}`)
  return `email,sis_user_id\n${[...good, ...Array.from({ length: bad }, (_, i) => `no-address-${i},X`)].join('\n')}\n`
}

async function upload(teacher: Caller, courseId: number, bytes: string): Promise<number> {
  const sent = await teacher.send(addStudentsFromCsv, {
    params: { courseId },
    files: { file: [{ name: 'school.csv', bytes }] },
  })
  if (!sent.body.job_id) throw new Error(`no job: ${sent.text}`)
  return sent.body.job_id
}

async function until(teacher: Caller, params: { courseId: number; jobId: number }, when: (job: RosterJob) => boolean) {
  let last: RosterJob | undefined
  await expect
    .poll(
      async () => {
        last = (await teacher.send(getRosterJob, { params })).body
        return when(last)
      },
      { timeout: 180_000, interval: 20 },
    )
    .toBe(true)
  if (!last) throw new Error('asked at least once')
  return last
}

const totalOf = async (teacher: Caller, courseId: number) =>
  Number((await teacher.send(listCourseStudents, { params: { courseId } })).headers.get('x-total-count'))

describe('a roster of more than 1,000', () => {
  it('is imported by a job that reports its progress and which rows failed', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const jobId = await upload(teacher, courseId, rosterOf(120))
    const done = await until(teacher, { courseId, jobId }, ({ state }) => state !== 'running')
    expect(done).toMatchObject({
      state: 'done',
      file_name: 'school.csv',
      total_rows: 1120,
      total_processed: 1120,
      successful_enrollments: 120,
      failed_enrollments: 1000,
    })
    expect(done.results[0]).toMatchObject({ row: 122, email: 'no-address-0', success: false })
    expect(await totalOf(teacher, courseId)).toBe(120)
    const listed = await teacher.send(listRosterJobs, { params: { courseId } })
    expect(listed.body).toMatchObject([{ id: jobId, state: 'done' }])
    expect(listed.text).not.toContain('results')
  })

  it('mails nobody where its teacher said so', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const bytes = `email\nquiet@job.example\n${'no-address\n'.repeat(1000)}`
    const sent = await teacher.send(addStudentsFromCsv, {
      params: { courseId },
      body: { invite: 'no' },
      files: { file: [{ name: 'school.csv', bytes }] },
    })
    const params = { courseId, jobId: sent.body.job_id ?? 0 }
    const done = await until(teacher, params, ({ state }) => state !== 'running')
    expect(done).toMatchObject({ state: 'done', successful_enrollments: 1 })
    expect((await teacher.send(getInvitationLimit, { params: { courseId } })).body).toMatchObject({ left: 1000 })
  })

  it('can be stopped; those enrolled by then stay', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const params = { courseId, jobId: await upload(teacher, courseId, rosterOf(500)) }
    await until(teacher, params, ({ successful_enrollments: enrolled }) => enrolled > 0)
    const stopped = await teacher.send(stopRosterJob, { params })
    expect(stopped.body.state).toBe('stopped')
    expect(stopped.body.successful_enrollments).toBeLessThan(500)
    const before = await totalOf(teacher, courseId)
    expect(before).toBeGreaterThan(0)
    // It stays stopped while a job of another course starts and ends.
    const other = await buildCourse(api, { students: 0 })
    const next = {
      courseId: other.courseId,
      jobId: await upload(api.as(other.instructor), other.courseId, rosterOf(60)),
    }
    await until(api.as(other.instructor), next, ({ state }) => state === 'done')
    expect(await totalOf(teacher, courseId)).toBe(before)
    expect((await teacher.send(getRosterJob, { params })).body.state).toBe('stopped')
  })

  it('stops when its uploader is deactivated', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const admin = api.as(await buildPerson('admin'))
    await admin.token()
    const jobId = await upload(teacher, courseId, rosterOf(500))
    await until(teacher, { courseId, jobId }, ({ successful_enrollments: enrolled }) => enrolled > 0)
    await admin.send(deactivateUser, { params: { userId: instructor.id } })
    const ended = await until(admin, { courseId, jobId }, ({ state }) => state !== 'running')
    expect(ended.state).toBe('stopped')
    expect(ended.successful_enrollments).toBeLessThan(500)
  })
})
