import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Fault } from '../../../../../tests/fake-lms/request-log.ts'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { buildLmsClass, gradebookOf, type LmsClass, scoreCountsOf, useFakeLmss } from '../../../testing/lms-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { passBackScores } from './passback-job.ts'
import { updateLedger } from './score-ledger.ts'

let ahead = 0
let stopped: number | null = null
const { api, server } = useTestApi({}, { clock: { now: () => new Date((stopped ?? Date.now()) + ahead) } })
const lmsOf = useFakeLmss()
beforeEach(() => {
  ahead = 0
  stopped = null
})
afterEach(() => vi.restoreAllMocks())

const sendUnderLostClaim = ({ platform }: LmsClass) =>
  passBackScores(platform._id, {
    services: server.running.services,
    signal: new AbortController().signal,
    claim: 'elsewhere/1/lost',
    notify: () => {},
    requestLedgerUpdate: async () => {},
  })

const storedRow = ({ ourLink, students }: LmsClass, submission_id = students[0]?.submissionId ?? 0) =>
  LtiScoreModel.findOne({ link: ourLink._id, submission_id }).lean()

it.each<[string, Fault, number | null]>([
  ['an older score that arrives late', {}, 409],
  ['a late refusal', { status: 422, reason: 'No.' }, 422],
  ['a late failure', { status: 503 }, 503],
  ['a connection that breaks late', { reset: 'before' }, null],
])('is not undone by %s, of a sender that has lost its lease', async (_what, fault, status) => {
  const { jobs, clock } = server.running.services
  stopped = Date.now()
  // However long the LMS takes to answer the sender without a lease.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  const one = await buildLmsClass(server, api, await lmsOf('moodle'), { students: 1 })
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const before = () => {
    reached.resolve()
    return gate.promise
  }
  one.lms.fail('scores', { ...fault, before })
  await jobs.stop()
  await one.publish()
  await updateLedger(one.assignmentId, clock.now())
  const lost = sendUnderLostClaim(one)
  await reached.promise
  expect(await storedRow(one)).toMatchObject({ state: 'sending', claim: 'elsewhere/1/lost' })
  await one.override(one.students[0]?.submissionId ?? 0, 50)
  await jobs.start()
  // What the other one sent must have arrived first.
  const deferred = { status: 'queued', error: 'scores wait for their time' }
  await expect.poll(() => JobModel.findById(`send-scores:${one.platform._id}`).lean()).toMatchObject(deferred)
  expect(one.lms.requestsTo('scores')).toHaveLength(1)
  ahead = 5_000
  await one.waitForDelivery()
  expect(gradebookOf(one)).toEqual([10])

  const sent = await storedRow(one)
  gate.resolve()
  await lost
  expect(one.lms.requestsTo('scores').map((request) => request.status)).toEqual([status, 200])
  expect(await storedRow(one)).toEqual(sent)
  expect(gradebookOf(one)).toEqual([10])
  expect(scoreCountsOf(one)).toEqual([1])
})
