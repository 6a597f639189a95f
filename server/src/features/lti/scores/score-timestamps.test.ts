import { describe, expect, it } from 'vitest'
import { LtiLedgerDueModel } from '../../../records/lti/platform-pause.model.ts'
import {
  buildLmsClass,
  gradebookOf,
  override,
  publish,
  publishAndDeliver,
  scoreCountsOf,
  scoreRowsOf,
  waitForScoreDelivery,
} from '../../../testing/lms-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { useFakeLmss } from '../../../testing/use-fake-lmss.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

async function classOf(kind: 'moodle' | 'canvas', students = 1) {
  return buildLmsClass(server, api, await lmsOf(kind), { students })
}

describe('a score’s timestamp', () => {
  it('satisfies Moodle’s rule when the clocks differ: what is there is later than ours', async () => {
    const one = await classOf('moodle', 2)
    await publishAndDeliver(api, one)
    const [first] = one.students
    const recorded = one.item.grades.get(first?.person.id ?? '')
    if (!first || !recorded) throw new Error('a grade')
    // Somebody has changed it there, and that machine's clock is ten minutes ahead.
    recorded.timestamp = new Date(Date.now() + 600_000)
    recorded.points = 3
    await override(api, one, first.submissionId, 90)
    await expect.poll(() => gradebookOf(one)[0]).toBe(18)
    await waitForScoreDelivery(api, one)
    expect((await scoreRowsOf(api, one))[0]?.state).toBe('sent')
    expect(one.lms.requestsTo('scores', first.person).map(({ status }) => status)).toEqual([200, 409, 200])
    // And again, although our clock is not there yet.
    await override(api, one, first.submissionId, 80)
    await expect.poll(() => gradebookOf(one)[0]).toBe(16)
  })

  it('satisfies Canvas’s rule too', async () => {
    const one = await classOf('canvas')
    await publishAndDeliver(api, one)
    const [first] = one.students
    const recorded = one.item.grades.get(first?.person.id ?? '')
    if (!first || !recorded) throw new Error('a grade')
    recorded.timestamp = new Date(Date.now() + 600_000)
    await override(api, one, first.submissionId, 90)
    await expect.poll(() => gradebookOf(one)[0]).toBe(18)
  })

  it('sends scores given within one second a second apart, in order, and ends with the last', async () => {
    const one = await classOf('moodle')
    const [first] = one.students
    if (!first) throw new Error('a student')
    await publishAndDeliver(api, one)
    for (const percent of [10, 20, 30, 40]) {
      await override(api, one, first.submissionId, percent)
      await expect.poll(() => gradebookOf(one)[0], { interval: 20 }).toBe(percent / 5)
    }
    const stamps = one.item.accepted.map(({ body }) => Math.floor(Date.parse(String(body.timestamp)) / 1000))
    for (const [i, stamp] of stamps.entries()) if (i > 0) expect(stamp).toBeGreaterThan(stamps[i - 1] ?? 0)
    expect(one.lms.requestsTo('scores').every(({ status }) => status === 200)).toBe(true)
  })

  it('ends with the override’s value when one is made while the score is being sent', async () => {
    const one = await classOf('moodle')
    const [first] = one.students
    if (!first) throw new Error('a student')
    const overridden = Promise.withResolvers<void>()
    one.lms.fail('scores', { before: () => overridden.promise })
    await publish(api, one)
    await expect.poll(() => one.lms.requestsTo('scores').length, { interval: 20 }).toBe(1)
    await override(api, one, first.submissionId, 55)
    await expect.poll(() => LtiLedgerDueModel.countDocuments({ _id: one.assignmentId })).toBe(0)
    overridden.resolve()
    await expect.poll(() => gradebookOf(one)[0]).toBe(11)
    await waitForScoreDelivery(api, one)
    expect(scoreCountsOf(one)).toEqual([2])
  })
})
