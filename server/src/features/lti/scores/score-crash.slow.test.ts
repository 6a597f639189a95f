import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../../../../../tests/fake-lms/fake-lms.ts'
import type { KindName } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildLmsClass,
  gradebookOf,
  publish,
  scoreCountsOf,
  scoresOf,
  waitForScoreDelivery,
} from '../../../testing/lms-class.ts'
import { toolOf } from '../../../testing/lti-records.ts'
import { createTestApi, startTestServer } from '../../../testing/server.ts'
import { clockAhead, startServerProcess } from '../../../testing/server-process.ts'
import { MAX_CONCURRENT_REQUESTS } from './passback-job.ts'

const SCORES = 500
/** Scores received when the process is killed. */
const KILLS = [60, 200, 380]

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

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
  let ahead = 0
  const clock = { now: () => new Date(Date.now() + ahead), pass: (ms: number) => (ahead += ms), ahead: () => ahead }
  return { dataDir, fake, one, clock, wanted: papers.map(({ grade }) => (grade?.overall_score ?? -1) / 5) }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** The LMS gives no token before it knows the new address. */
async function startAt<T extends { url: string }>({ fake, one }: Prepared, start: () => Promise<T>): Promise<T> {
  const known = Promise.withResolvers<void>()
  const endHold = fake.fail('token', { before: () => known.promise, times: Infinity })
  const started = await start()
  toolOf(fake, one.platform).jwksUrl = `${started.url}/lti/keys`
  endHold()
  known.resolve()
  return started
}

/**
 * Holds answers until all senders wait for one. @returns what goes on: every second held score is taken, others are
 * lost
 */
async function holdScores({ fake, one }: Prepared, after: number): Promise<() => Promise<void>> {
  const heard = () => fake.requestsTo('scores').length
  const gate = Promise.withResolvers<void>()
  const before = () => gate.promise
  const lost = fake.fail('scores', {
    ...{ before, times: Infinity, reset: 'before' },
    when: () => heard() > after && heard() % 2 === 0,
  })
  const late = fake.fail('scores', { before, times: Infinity, when: () => heard() > after })
  await expect.poll(heard).toBe(after + MAX_CONCURRENT_REQUESTS)
  const known = one.item.accepted.length
  return async () => {
    lost()
    late()
    gate.resolve()
    await expect.poll(() => one.item.accepted.length).toBe(known + MAX_CONCURRENT_REQUESTS / 2)
  }
}

/** What an ended sender had sent has arrived, or never will. */
const RESTART_MS = 10_000

/** Not those that read a whole gradebook. */
const resultsOfOne = (fake: FakeLms) => fake.requestsTo('results').filter(({ personId }) => personId !== null)

it('is killed three times while it sends 500 scores, and still each is in the LMS as published, sent once', async () => {
  const prepared = await prepare('moodle', SCORES)
  const { dataDir, fake, one, wanted, clock } = prepared
  fake.settings.clock = clock.now
  const start = () => startAt(prepared, () => startServerProcess(dataDir, clockAhead(clock.ahead())))
  let now = await start()
  closing.push(() => now.stop())
  const api = createTestApi(() => now)
  await publish(api, one)
  for (const after of KILLS) {
    const goOn = await holdScores(prepared, after)
    await now.kill()
    await goOn()
    clock.pass(RESTART_MS)
    now = await start()
  }
  await expect.poll(() => one.item.accepted.length).toBeGreaterThanOrEqual(SCORES)
  await waitForScoreDelivery(api, one)
  expect(gradebookOf(one)).toEqual(wanted)
  expect(scoreCountsOf(one)).toEqual(Array(SCORES).fill(1))
  // Scores accepted unknown to us were read back, not sent again.
  expect(resultsOfOne(fake).length).toBeGreaterThanOrEqual(KILLS.length * MAX_CONCURRENT_REQUESTS)
  expect((await scoresOf(api, one)).links[0]?.counts).toEqual({
    sent: SCORES,
    waiting: 0,
    sending: 0,
    refused: 0,
    off: 0,
    in_gradebook: expect.any(Number),
    different: 0,
    missing: 0,
  })
}, 300_000)
