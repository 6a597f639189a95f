import { Writable } from 'node:stream'
import { unpublishAssignment } from '@assay/shared/assignments.ts'
import { checkLmsScores, sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { SCOPE } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiPlatformPauseModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import {
  buildLmsClass,
  gradebookOf,
  type LmsClass,
  scoreCountsOf,
  studentOf,
  useFakeLmss,
} from '../../../testing/lms-class.ts'
import { useTestApi } from '../../../testing/server.ts'

let ahead = 0
let logged = ''
const logStream = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk
    done()
  },
})
/** Stands still otherwise, so that no check is due by itself. */
const began = Date.now()
const clock = { now: () => new Date(began + ahead) }
const { api, server } = useTestApi({}, { clock, log: pino({ level: 'warn' }, logStream) })
const lmsOf = useFakeLmss()

async function publishedClass(kind: 'moodle' | 'canvas' = 'moodle', students = 3) {
  const one = await buildLmsClass(server, api, await lmsOf(kind), { students })
  for (const [i, { submissionId }] of one.students.entries()) await one.override(submissionId, 50 + 5 * i)
  await one.publishAndDeliver()
  return one
}

const linkOf = async (one: LmsClass) => (await one.scores()).links[0]
const countsOf = async (one: LmsClass) => (await linkOf(one))?.counts
const resultsOf = async (one: LmsClass) =>
  (await one.scoreRows()).map((row) => row?.result && [row.result.state, row.result.points])

async function check(one: LmsClass): Promise<void> {
  const reply = await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  expect(reply.status).toBe(200)
  await checked(one)
}
const checked = async (one: LmsClass) => {
  await expect.poll(async () => (await linkOf(one))?.checking, { interval: 50 }).toBe(false)
}

const sendAgain = (one: LmsClass, body: { submission_ids?: number[]; changed_too?: boolean } = {}) =>
  api.as(one.teacher).send(sendLmsScores, { params: { assignmentId: one.assignmentId }, body })

const setInLms = ({ item, lms }: LmsClass, { person }: LmsClass['students'][number], points: number) =>
  lms.overrideGrade(item, person, points)

describe('what the gradebook shows', () => {
  it.each(['moodle', 'canvas'] as const)(
    'is read from %s a while after a send, with one list for a class',
    async (kind) => {
      const one = await publishedClass(kind)
      expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 0, different: 0, missing: 0 })
      expect(await resultsOf(one)).toEqual([null, null, null])
      expect(await linkOf(one)).toMatchObject({ checking: true, checked_at: null })
      ahead += 11_000
      await checked(one)
      expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 3, different: 0, missing: 0 })
      expect(await resultsOf(one)).toEqual([
        ['same', 10],
        ['same', 11],
        ['same', 12],
      ])
      expect((await linkOf(one))?.checked_at).toMatch(/^20/)
      expect(one.lms.requestsTo('results')).toHaveLength(1)
    },
  )

  it('is read page by page', async () => {
    const one = await publishedClass('canvas', 7)
    one.lms.settings.pageSize = 3
    await check(one)
    expect(await countsOf(one)).toMatchObject({ sent: 7, in_gradebook: 7 })
    expect(one.lms.requestsTo('results')).toHaveLength(3)
  })

  it('is sent again where the LMS has dropped it, once, and not where something else was set there', async () => {
    const one = await publishedClass()
    await check(one)
    const [lost, overridden] = [studentOf(one, 0), studentOf(one, 1)]
    one.item.grades.delete(lost.person.id)
    setInLms(one, overridden, 18)
    await check(one)
    await expect.poll(() => scoreCountsOf(one)).toEqual([2, 1, 1])
    await one.waitForDelivery()
    one.item.grades.delete(lost.person.id)
    await check(one)
    expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 1, different: 1, missing: 1 })
    expect(await one.scoreRows()).toMatchObject([
      { state: 'sent', recorded: { points: 10 }, result: { state: 'missing', points: null } },
      { state: 'sent', recorded: { points: 11 }, result: { state: 'different', points: 18, maximum: 20 } },
      { result: { state: 'same' } },
    ])
    await check(one)
    expect(scoreCountsOf(one)).toEqual([2, 1, 1])
    // A later loss is another one.
    await sendAgain(one, { submission_ids: [lost.submissionId] })
    await expect.poll(() => scoreCountsOf(one)).toEqual([3, 1, 1])
    await one.waitForDelivery()
    await check(one)
    expect(await countsOf(one)).toMatchObject({ in_gradebook: 2, missing: 0 })
    one.item.grades.delete(lost.person.id)
    await check(one)
    await expect.poll(() => scoreCountsOf(one)).toEqual([4, 1, 1])
  })

  it('is left as it is while the grades are hidden', async () => {
    const one = await publishedClass()
    await check(one)
    await api.as(one.teacher).send(unpublishAssignment, { params: { assignmentId: one.assignmentId } })
    one.item.grades.delete(studentOf(one, 0).person.id)
    await check(one)
    expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 2, missing: 1 })
    expect(scoreCountsOf(one)).toEqual([1, 1, 1])
  })

  it('is compared as a share of the column’s own maximum, rescaled and rounded by the LMS, and sent no more', async () => {
    const one = await publishedClass()
    await one.override(studentOf(one, 0).submissionId, 33.3)
    await expect.poll(() => gradebookOf(one)[0]).toBeCloseTo(6.66)
    await one.waitForDelivery()
    one.lms.changeMaximum(one.item, 37)
    setInLms(one, studentOf(one, 1), 18)
    await check(one)
    expect(await one.scoreRows()).toMatchObject([
      { recorded: { points: 12.321, maximum: 37 }, result: { state: 'same', points: 12.321, maximum: 37 } },
      { recorded: { points: 11, maximum: 20 }, result: { state: 'different', points: 18, maximum: 37 } },
      { recorded: { points: 22.2, maximum: 37 }, result: { state: 'same', points: 22.2, maximum: 37 } },
    ])
    expect(scoreCountsOf(one)).toEqual([2, 1, 1])
  })

  it.each(['moodle', 'canvas'] as const)(
    'is sent again where %s has kept the points of another maximum, but not what was set there',
    async (kind) => {
      const one = await publishedClass(kind)
      setInLms(one, studentOf(one, 1), 18)
      one.lms.changeMaximum(one.item, 100, false)
      await check(one)
      await expect.poll(() => gradebookOf(one)).toEqual([50, 18, 60])
      await one.waitForDelivery()
      await check(one)
      expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 2, different: 1 })
      await api.as(one.teacher).send(unpublishAssignment, { params: { assignmentId: one.assignmentId } })
      one.lms.changeMaximum(one.item, 20, false)
      await check(one)
      expect(await resultsOf(one)).toEqual([
        ['same', 50],
        ['different', 18],
        ['same', 60],
      ])
      expect(scoreCountsOf(one)).toEqual([2, 1, 2])
    },
  )

  it('is not known of 0 points, of which Moodle shows none, nor of an LMS that has never shown a result', async () => {
    const one = await publishedClass()
    await one.override(studentOf(one, 0).submissionId, 0)
    await expect.poll(() => gradebookOf(one)[0]).toBe(0)
    await one.waitForDelivery()
    const end = one.lms.fail('results', { status: 200, body: [], times: 100 })
    await check(one)
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'unknown', 'unknown'])
    end()
    one.item.grades.delete(studentOf(one, 0).person.id)
    await check(one)
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'same', 'same'])
    expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 2, different: 0, missing: 0 })
  })

  it('is not known where the LMS lets nobody read results', async () => {
    const one = await publishedClass()
    const ags_scopes = [SCOPE.lineItems, SCOPE.scores]
    await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { ags_scopes } })
    await check(one)
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'unknown', 'unknown'])
    expect(await linkOf(one)).toMatchObject({ checked_at: null, counts: { sent: 3, in_gradebook: 0, missing: 0 } })
    expect(one.lms.requestsTo('results')).toEqual([])
  })

  it('is not known where the service is missing, and the column is not made again', async () => {
    const one = await publishedClass()
    one.lms.fail('results', { status: 404, times: 100 })
    await check(one)
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'unknown', 'unknown'])
    expect(scoreCountsOf(one)).toEqual([1, 1, 1])
  })

  it('is read later when the LMS limits requests, as late as it asks for', async () => {
    const one = await publishedClass()
    one.lms.fail('results', { status: 429, headers: { 'retry-after': '300' } })
    await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
    await expect.poll(() => LtiPlatformPauseModel.countDocuments({ _id: one.platform._id })).toBe(1)
    expect(one.lms.requestsTo('results')).toHaveLength(1)
    ahead += 200_000
    await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
    expect((await linkOf(one))?.checking).toBe(true)
    expect(one.lms.requestsTo('results')).toHaveLength(1)
    ahead += 101_000
    await checked(one)
    expect(await countsOf(one)).toMatchObject({ in_gradebook: 3 })
  })

  it('is read again after a failure', async () => {
    const one = await publishedClass()
    one.lms.fail('results', { status: 500, times: 2 })
    await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
    // Set before the failure is stored with its next time, the clock would never reach it.
    const isDeferred = async () =>
      (await LtiScoreModel.exists({ assignment_id: one.assignmentId, check_at: { $gt: clock.now() } })) !== null
    await expect.poll(isDeferred).toBe(true)
    ahead += 1_500
    await expect.poll(isDeferred).toBe(true)
    expect(one.lms.requestsTo('results')).toHaveLength(2)
    ahead += 5_000
    await checked(one)
    expect(await countsOf(one)).toMatchObject({ in_gradebook: 3 })
  })
})

describe('a list longer than an honest one', () => {
  const next = { link: '<?after=more>; rel="next"' }
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ userId: `nobody-${i}`, resultScore: 1 }))

  it.each([
    ['60,000 on a page', { body: rows(60_000) }, 'listed more than 50,000 results on one page.'],
    [
      'a row of a million values',
      { body: [{ userId: 'a', resultScore: Array(1_000_001).fill(0) }] },
      'listed more than 50,000 results on one page.',
    ],
    ['120,000 on three pages', { body: rows(40_000), headers: next, times: 3 }, 'listed more than 100,000 results.'],
    [
      'comments of 70 MB',
      { body: [{ userId: 'a', comment: 'x'.repeat(14_000_000) }], headers: next, times: 5 },
      'listed more than 64 MB of results.',
    ],
  ])('is not read: %s', async (_what, fault, words) => {
    const one = await publishedClass()
    logged = ''
    const end = one.lms.fail('results', { status: 200, ...fault })
    await check(one)
    end()
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'unknown', 'unknown'])
    expect(scoreCountsOf(one)).toEqual([1, 1, 1])
    expect(logged).toContain(`results cannot be read: the LMS ${words}`)
  })

  it('is not read to its end for longer than ten minutes', async () => {
    const one = await publishedClass()
    const measure = performance.now.bind(performance)
    let later = 0
    const timer = vi.spyOn(performance, 'now').mockImplementation(() => measure() + later)
    const before = async () => {
      later = 601_000
    }
    logged = ''
    one.lms.fail('results', { status: 200, body: rows(1), headers: next, before })
    await check(one)
    timer.mockRestore()
    expect((await resultsOf(one)).map((result) => result?.[0])).toEqual(['unknown', 'unknown', 'unknown'])
    expect(logged).toContain('the LMS took more than 10 minutes to list its results.')
    expect(one.lms.requestsTo('results')).toHaveLength(1)
  })
})

describe('sending again', () => {
  it('sends one score the LMS has dropped, and is recorded', async () => {
    const one = await publishedClass()
    await check(one)
    const lost = studentOf(one, 0)
    one.item.grades.delete(lost.person.id)
    const reply = await sendAgain(one, { submission_ids: [lost.submissionId] })
    expect(reply.body.queued).toBe(1)
    await expect.poll(() => gradebookOf(one)).toEqual([10, 11, 12])
    await one.waitForDelivery()
    await check(one)
    expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 3 })
    expect(scoreCountsOf(one)).toEqual([2, 1, 1])
    const log = { action: 'lms_scores.sent_again', 'subject.assignment_id': one.assignmentId }
    expect(await AuditModel.countDocuments(log)).toBe(1)
  })

  it('leaves out what was set in the LMS unless asked, and then shows what it has kept', async () => {
    const one = await publishedClass()
    setInLms(one, studentOf(one, 1), 18)
    await check(one)
    expect((await sendAgain(one)).body.queued).toBe(2)
    await expect.poll(() => scoreCountsOf(one)).toEqual([2, 1, 2])
    await one.waitForDelivery()
    expect(gradebookOf(one)).toEqual([10, 18, 12])
    expect((await sendAgain(one, { changed_too: true })).body.queued).toBe(3)
    await expect.poll(() => scoreCountsOf(one)).toEqual([3, 2, 3])
    await one.waitForDelivery()
    // Moodle answers 200, and keeps its own.
    await check(one)
    expect(await countsOf(one)).toMatchObject({ sent: 3, in_gradebook: 2, different: 1 })
  })
})

it('does not take what was read for what was sent meanwhile', async () => {
  const one = await publishedClass()
  await check(one)
  const gate = Promise.withResolvers<void>()
  one.lms.fail('results', { before: () => gate.promise, status: 200, body: [] })
  await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  await expect.poll(() => one.lms.requestsTo('results').length).toBe(2)
  await one.override(studentOf(one, 0).submissionId, 90)
  await expect.poll(() => gradebookOf(one)[0]).toBe(18)
  await one.waitForDelivery()
  gate.resolve()
  await expect.poll(() => scoreCountsOf(one)).toEqual([2, 2, 2])
  await one.waitForDelivery()
  await check(one)
  expect(await countsOf(one)).toMatchObject({ in_gradebook: 3, missing: 0 })
})
