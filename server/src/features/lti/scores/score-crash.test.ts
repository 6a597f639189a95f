import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startFakeLms } from '../../../../../tests/fake-lms/fake-lms.ts'
import type { KindName } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { createTestApi } from '../../../testing/api.ts'
import {
  buildLmsClass,
  gradebookOf,
  publish,
  scoreCountsOf,
  scoresOf,
  waitForScoreDelivery,
} from '../../../testing/lms-class.ts'
import { toolOf } from '../../../testing/lti-records.ts'
import { startTestServer } from '../../../testing/server.ts'
import { startServerProcess } from '../../../testing/server-process.ts'
import { scorePoints } from './score-values.ts'

const SCORES = 500
/** How many scores the LMS has received when the process is killed. */
const KILLS = [60, 200, 380]

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** The class and its grades, in a database that the product is then started on. */
async function prepare(kind: KindName, students: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-scores-'))
  const fake = await startFakeLms({ kind })
  const running = await startTestServer(dataDir)
  closing.push(async () => {
    await fake.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const one = await buildLmsClass({ running }, createTestApi({ running }), fake, { students })
  const papers = await SubmissionModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()
  await running.stop()
  return { dataDir, fake, one, wanted: papers.map(({ grade }) => scorePoints(grade?.overall_score ?? -1, 20)) }
}

it('is killed three times while it sends 500 scores, and still each is in the LMS as published, sent once', async () => {
  const { dataDir, fake, one, wanted } = await prepare('moodle', SCORES)
  fake.settings.delayMs = { scores: 100 }
  const start = async () => {
    const started = await startServerProcess(dataDir)
    toolOf(fake, one.platform).jwksUrl = `${started.url}/lti/keys`
    return started
  }
  let now = await start()
  closing.push(() => now.stop())
  const api = createTestApi({
    get running() {
      return now
    },
  })
  await publish(api, one)
  for (const heard of KILLS) {
    await expect.poll(() => fake.requestsTo('scores').length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(heard)
    await now.kill()
    now = await start()
  }
  await waitForScoreDelivery(api, one, 120_000)
  expect(gradebookOf(one)).toEqual(wanted)
  expect(scoreCountsOf(one)).toEqual(Array(SCORES).fill(1))
  // Scores the LMS had accepted without our knowing were read back, not sent again.
  expect(fake.requestsTo('results').length).toBeGreaterThan(0)
  expect((await scoresOf(api, one)).links[0]?.counts).toEqual({
    sent: SCORES,
    waiting: 0,
    sending: 0,
    refused: 0,
    off: 0,
  })
}, 300_000)

it('is stopped and started while sending, and sends interrupted scores once', async () => {
  const { dataDir, fake, one, wanted } = await prepare('canvas', 60)
  fake.settings.delayMs = { scores: 300 }
  const start = async () => {
    const started = await startTestServer(dataDir)
    toolOf(fake, one.platform).jwksUrl = `${started.url}/lti/keys`
    return started
  }
  let now = await start()
  closing.push(() => now.stop())
  const api = createTestApi({
    get running() {
      return now
    },
  })
  await publish(api, one)
  await expect.poll(() => fake.requestsTo('scores').length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(12)
  await now.stop()
  const heard = fake.requestsTo('scores').length
  now = await start()
  await waitForScoreDelivery(api, one, 60_000)
  expect(heard).toBeLessThan(60)
  expect(gradebookOf(one)).toEqual(wanted)
  expect(scoreCountsOf(one)).toEqual(Array(60).fill(1))
}, 120_000)
