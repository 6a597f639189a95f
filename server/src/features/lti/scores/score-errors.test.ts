import { sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { canvasRateLimit } from '../../../../../tests/fake-lms/request-log.ts'
import { LtiPlatformPauseModel } from '../../../records/lti/score.model.ts'
import { buildLmsClass, gradebookOf, type LmsClass, scoreCountsOf, useLmsClasses } from '../../../testing/lms-class.ts'

let ahead = 0
const { api, server, classOf } = useLmsClasses({}, { clock: { now: () => new Date(Date.now() + ahead) } })

const unhandled: unknown[] = []
const note = (error: unknown) => unhandled.push(error)
beforeEach(() => {
  ahead = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

const pass = (ms: number) => {
  ahead += ms
}
const HOUR = 60 * 60 * 1000

const firstRow = async (one: LmsClass) => (await one.scoreRows())[0]
const waits = (one: LmsClass) => expect.poll(async () => (await firstRow(one))?.reason, { interval: 50 })
const arrives = (one: LmsClass) =>
  expect.poll(() => scoreCountsOf(one), { interval: 50 }).toEqual(one.students.map(() => 1))

async function passWait(one: LmsClass) {
  const next = (await one.scores()).links[0]?.next_try_at
  if (next) ahead = Math.max(ahead, Date.parse(next) - Date.now())
}
const arrivesInTime = (one: LmsClass) =>
  expect.poll(() => passWait(one).then(() => scoreCountsOf(one)), { interval: 50 }).toEqual(one.students.map(() => 1))
const settles = (one: LmsClass) =>
  expect
    .poll(() => passWait(one).then(async () => (await one.scores()).links[0]?.counts))
    .toMatchObject({ sent: one.students.length, waiting: 0, sending: 0 })

describe('what passes', () => {
  it('requests a fresh token once when the LMS no longer accepts the old one', async () => {
    const one = await classOf('moodle')
    await one.publishAndDeliver()
    one.lms.tokens.revokeAll()
    await one.override(one.students[0]?.submissionId ?? 0, 61)
    await expect.poll(() => gradebookOf(one)[0]).toBe(12.2)
    expect(one.lms.requestsTo('token')).toHaveLength(2)
  })

  it.each([
    ['a 500', { status: 500 }],
    ['a 502 page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a broken connection', { reset: 'before' as const }],
    ['a redirect', { redirect: 'https://elsewhere.example/' }],
  ])('tries again after %s', async (_what, fault) => {
    const one = await classOf('moodle', { students: 1 })
    one.lms.fail('scores', { ...fault, times: 3 })
    await one.publish()
    await arrivesInTime(one)
    const times = one.lms.requestsTo('scores').map(({ at }) => at.getTime())
    expect(times).toHaveLength(4)
    // 1 + 2 + 4 s.
    expect(ahead + (times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7_000)
  })

  it('waits as long as the LMS asks for when it is rate-limited, and pauses all of the platform', async () => {
    const one = await classOf('moodle', { students: 12 })
    one.lms.fail('scores', { status: 429, headers: { 'retry-after': '300' }, times: 12 })
    await one.publish()
    await expect
      .poll(async () => (await one.scores()).links[0]?.problem)
      .toBe('Moodle is limiting requests. Assay will try again later.')
    const nextTryAt = async () => Date.parse((await one.scores()).links[0]?.next_try_at ?? '')
    const began = Date.now()
    await expect.poll(nextTryAt).toBeGreaterThan(began + 280_000)
    pass(200_000)
    await one.override(one.students[0]?.submissionId ?? 0, 60)
    // Only what was under way at the first response.
    expect(one.lms.requestsTo('scores').length).toBeLessThanOrEqual(8)
    one.lms.requestLog.clear()
    pass(101_000)
    await arrives(one)
  })

  it('treats Canvas’s 403 as rate limiting when the rate is used up', async () => {
    const one = await classOf('canvas', { students: 3 })
    one.lms.fail('scores', { ...canvasRateLimit, times: 3 })
    await one.publish()
    await arrivesInTime(one)
    expect((await one.scores()).links[0]?.counts).toMatchObject({ sent: 3, refused: 0 })
  })

  it('waits for the token endpoint, and says that it does', async () => {
    const one = await classOf('moodle')
    const end = one.lms.fail('token', { status: 500, times: 1000 })
    await one.publish()
    await expect.poll(async () => (await one.scores()).links[0]?.problem).toMatch(/denied access \(500/)
    expect(one.lms.requestsTo('scores')).toEqual([])
    end()
    await arrivesInTime(one)
  })

  it('counts a score once whose response was lost', async () => {
    for (const kind of ['moodle', 'canvas'] as const) {
      const one = await classOf(kind, { students: 4 })
      one.lms.fail('scores', { reset: 'after', times: 4 })
      await one.publish()
      await settles(one)
      expect(scoreCountsOf(one)).toEqual([1, 1, 1, 1])
    }
  })

  it('does not delay others for one student’s error', async () => {
    const one = await classOf('moodle', { students: 6 })
    const [first, ...others] = one.students
    const end = one.lms.fail('scores', { status: 500, times: 1000, ...(first ? { person: first.person } : {}) })
    await one.publish()
    await expect.poll(() => scoreCountsOf(one)).toEqual([0, ...others.map(() => 1)])
    end()
    pass(HOUR)
    await arrives(one)
  })

  it('pauses a locked column alone, says so with a link, and probes a paused LMS by another column', async () => {
    const one = await classOf('moodle', { students: 12 })
    const { lms, platform, course } = one
    const other = await buildLmsClass(server, api, lms, { students: 2, platform })
    one.item.locked = true
    await one.publish()
    await expect
      .poll(async () => (await one.scores()).links[0], { interval: 50 })
      .toMatchObject({
        counts: { waiting: 12, refused: 0 },
        problem: expect.stringMatching(/^Locked or refused in Moodle \(500\)\. If the column, or a student’s grade/),
        gradebook_url: `${lms.url}/grade/edit/tree/index.php?id=${course.id}`,
      })
    expect(await LtiPlatformPauseModel.countDocuments({ _id: platform._id })).toBe(0)

    const resume_at = new Date(Date.now() + HOUR)
    await LtiPlatformPauseModel.create({ _id: platform._id, failures: 9, resume_at, problem: 'It said 503.' })
    pass(60_000)
    await other.publish()
    await expect.poll(async () => (await other.scores()).links[0]?.next_try_at).toBe(resume_at.toISOString())
    lms.requestLog.clear()
    pass(2 * HOUR)
    await arrives(other)
    expect(lms.requestsTo('scores')[0]?.url).toContain(`/${other.item.id}/`)
    const tried = lms.requestsTo('scores').length
    pass(72 * HOUR)
    await expect.poll(() => lms.requestsTo('scores').length).toBeGreaterThan(tried)
    one.item.locked = false
    pass(2 * HOUR)
    await arrives(one)
  })

  it('does not delay another LMS when one never responds', async () => {
    const [stuck, well] = [await classOf('moodle'), await classOf('canvas')]
    const limits: AbortController[] = []
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    const end = stuck.lms.fail('scores', { hang: true, times: 1000 })
    await stuck.publish()
    await expect.poll(() => stuck.lms.requestsTo('scores').length).toBe(2)
    await well.publish()
    await arrives(well)
    expect(scoreCountsOf(stuck)).toEqual([0, 0])
    expect(timeout).toHaveBeenCalledWith(10_000)
    timeout.mockRestore()
    for (const limit of limits) limit.abort()
    await waits(stuck).toMatch(/did not answer in time/)
    end()
    pass(HOUR)
    await arrives(stuck)
  })
})

describe('errors somebody has to fix', () => {
  it.each([
    ['moodle', 'Moodle says: “Incorrect score received”. Is the student enrolled there as a student?'],
    [
      'canvas',
      'Canvas says: “User not found in course or is not a student”. Is the student enrolled there as a student?',
    ],
  ] as const)(
    'says in %s’s own words why it takes no score for somebody who is no student there',
    async (kind, words) => {
      const one = await classOf(kind)
      const [gone] = one.students
      if (!gone) throw new Error('a student')
      one.lms.unenrol(one.course, gone.person)
      await one.publishAndDeliver()
      expect(await one.scoreRows()).toMatchObject([{ state: 'refused', reason: words }, { state: 'sent' }])
      expect((await one.scores()).links[0]?.counts).toMatchObject({ refused: 1, sent: 1 })
      one.lms.enrol(one.course, gone.person, 'Learner')
      const sent = await api
        .as(one.teacher)
        .send(sendLmsScores, {
          params: { assignmentId: one.assignmentId },
          body: { submission_ids: [gone.submissionId] },
        })
      expect(sent.body.queued).toBe(1)
      await arrives(one)
      await one.waitForDelivery()
      expect(await firstRow(one)).toMatchObject({ state: 'sent', reason: null })
    },
  )

  it.each([
    [401, 'Moodle denied Assay access. Moodle says: “No.”.'],
    [403, 'Moodle does not let Assay write this score. Moodle says: “No.”.'],
    [404, 'Moodle no longer has the column or the student. Moodle says: “No.”.'],
    [422, 'Moodle says: “No.”.'],
    [400, 'Moodle says: “No.”.'],
  ])('shows a refusal with %i and does not send it again by itself', async (status, words) => {
    const one = await classOf('moodle', { students: 1 })
    one.lms.fail('scores', { status, reason: 'No.', times: 1000 })
    await one.publishAndDeliver()
    expect(await firstRow(one)).toMatchObject({ state: 'refused', reason: words })
    const asked = one.lms.requestsTo('scores').length
    pass(2 * HOUR)
    await expect.poll(async () => (await firstRow(one))?.state).toBe('refused')
    expect(one.lms.requestsTo('scores')).toHaveLength(asked)
  })

  it('shows only text of a response', async () => {
    const one = await classOf('canvas', { students: 1 })
    one.lms.fail('scores', {
      status: 400,
      body: `<html>${'x'.repeat(50_000)}</html>`,
      reason: `Bad${' very'.repeat(70)}`,
    })
    await one.publishAndDeliver()
    const reason = (await firstRow(one))?.reason ?? ''
    expect(reason).toMatch(/^Canvas says: “Bad very/)
    expect(reason.length).toBeLessThan(300)
    expect(reason).not.toContain('<')
  })
})
