import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listLmsCourses, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import mongoose from 'mongoose'
import { expect, it } from 'vitest'
import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts'
import { toolOf } from '../../../testing/lti-records.ts'
import { buildLinkedCourse, startRegisteredLms } from '../../../testing/registered-lms.ts'
import { createTestApi, startTestServer } from '../../../testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../../testing/server-process.ts'

const STUDENTS = 1200
const KILLS = 3

it('is killed three times while it reads a roster, and resumes where it was with everybody once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-crash-'))
  const running = await startTestServer(dataDir)
  const school = await startRegisteredLms({ running }, { pageSize: 50, delayMs: { members: 300 } })
  const { lms, platform } = school
  const { course } = lms.classOf(STUDENTS)
  const { courseId, instructor } = await buildLinkedCourse(school, course)
  await running.stop()

  let process: ServerProcess = await startServerProcess(dataDir)
  const teacher = createTestApi(() => process).as(instructor)
  toolOf(lms, platform).jwksUrl = `${process.url}/lti/keys`
  const PORT = new URL(process.url).port
  const params = { courseId }
  const report = async () => (await teacher.send(listLmsCourses, { params })).body[0]?.report
  await teacher.send(syncLmsRoster, { params, body: {} })
  for (let kill = 1; kill <= KILLS; kill++) {
    const aim = (STUDENTS * kill) / (KILLS + 2)
    await expect.poll(async () => (await report())?.listed ?? 0, { interval: 5 }).toBeGreaterThan(aim)
    expect((await report())?.state).toBe('running')
    await process.kill()
    process = await startServerProcess(dataDir, { PORT })
  }
  await expect.poll(async () => (await report())?.state, { interval: 50 }).toBe('done')
  expect(await report()).toMatchObject({ listed: STUDENTS + 1, created: STUDENTS + 1, unchanged: 0, suspended: 0 })
  const asked = lms.requestsTo('members').length
  expect(asked).toBeGreaterThanOrEqual(25)
  expect(asked).toBeLessThanOrEqual(25 + KILLS * 11)
  await process.stop()
  await lms.close()
  await countPeople(dataDir)
  await rm(dataDir, { recursive: true, force: true })
}, 300_000)

async function countPeople(dataDir: string): Promise<void> {
  const database = await startEmbeddedDatabase({ folder: join(dataDir, 'database') })
  await mongoose.connect(database.url)
  const count = (name: string, filter: object = {}) => mongoose.connection.collection(name).countDocuments(filter)
  const counts = await Promise.all([
    count('users', { from_lms: true }),
    count('lti_identities'),
    count('lti_members'),
    count('enrollments'),
    count('jobs'),
  ])
  await mongoose.disconnect()
  await database.stop()
  expect(counts).toEqual([STUDENTS + 1, STUDENTS + 1, STUDENTS + 1, STUDENTS, 0])
}
