import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerInstructor } from '@assay/shared/auth.ts'
import { createCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { addStudentsFromCsv, getRosterJob } from '@assay/shared/roster.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createTestApi } from '../../testing/server.ts'
import { startServerProcess } from '../../testing/server-process.ts'

/** Good rows, then bad ones, which are cheap, to make it long. */
const ROWS = 300
const roster = [
  'email,sis_user_id',
  ...Array.from({ length: ROWS }, (_, i) => `student-${i}@job.example,S${i}`),
  ...Array.from({ length: 1000 }, (_, i) => `no-address-${i},X`),
].join('\n')

it('is finished by the next process after a crash, and enrols nobody twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-roster-'))
  let running = await startServerProcess(dataDir)
  onTestFinished(async () => {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const api = createTestApi(() => running)
  const person = { id: 1, username: 'grace', password: 'Another-Good-1-Phrase' }
  const account = { ...person, email: 'grace@school.example', role: 'instructor' as const }
  await api.nobody.send(registerInstructor, { body: account })
  const teacher = api.as(person)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Large' } })).body.id
  const files = { file: [{ name: 'school.csv', bytes: roster }] }
  const sent = await teacher.send(addStudentsFromCsv, { params: { courseId }, files })
  const params = { courseId, jobId: sent.body.job_id ?? 0 }
  const job = async () => (await teacher.send(getRosterJob, { params })).body
  await expect.poll(async () => (await job()).successful_enrollments, { interval: 20 }).toBeGreaterThanOrEqual(100)
  await running.kill()

  running = await startServerProcess(dataDir)
  await expect.poll(async () => (await job()).state).toBe('done')
  expect(await job()).toMatchObject({ successful_enrollments: ROWS })
  const listed = await teacher.send(listCourseStudents, { params: { courseId } })
  expect(listed.headers.get('x-total-count')).toBe(String(ROWS))
})
