import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../fake-lms.ts'
import { MEDIA, SCOPE } from '../lti-constants.ts'
import { type MinimalTool, startMinimalTool } from '../minimal-tool.ts'
import { canvasRateLimit } from '../request-log.ts'

function useLms(kind: 'moodle' | 'canvas') {
  let lms: FakeLms
  let tiny: MinimalTool
  beforeAll(async () => {
    lms = await startFakeLms({ kind })
    tiny = await startMinimalTool(lms)
  })
  afterAll(async () => {
    await tiny?.close()
    await lms?.close()
  })

  /** A column of 20 points in a course of one student, and a way to send scores to it. */
  async function column({ coupled = false } = {}) {
    const { course, teacher, students } = lms.classOf(1)
    const student = students[0] ?? lms.addUser()
    const item = lms.addLineItem(course, {
      deployment: lms.deploymentOf(tiny.tool),
      scoreMaximum: 20,
      coupled,
    })
    const token = await tiny.token(SCOPE.scores, SCOPE.results, SCOPE.lineItems)
    const address = new URL(lms.lineItemUrl(item))
    address.pathname += '/scores'
    const send = (fields: object = {}, type: string = MEDIA.score) =>
      tiny.call(address.href, {
        token,
        method: 'POST',
        type,
        body: {
          userId: student.id,
          scoreGiven: 8,
          scoreMaximum: 10,
          comment: 'Well argued',
          timestamp: '2026-03-01T10:00:00.000Z',
          activityProgress: 'Completed',
          gradingProgress: 'FullyGraded',
          ...fields,
        },
      })
    const results = () => tiny.call(lms.resultsUrl(item), { token })
    return { lms, tiny, course, teacher, student, item, token, send, results }
  }
  return { column, lms: () => lms }
}

const later = { timestamp: '2026-03-01T10:00:01.000Z' }

describe('scores in moodle', () => {
  const { column } = useLms('moodle')

  it('are scaled to the column, and come back as results', async () => {
    const { lms, send, results, item, student } = await column()
    expect((await send()).status).toBe(200)
    expect(item.grades.get(student.id)).toMatchObject({ points: 16, comment: 'Well argued' })
    expect((await results()).body).toMatchObject([
      { userId: student.id, resultScore: 16, resultMaximum: 20, comment: 'Well argued' },
    ])
    expect(lms.acceptedScoreCount(item, student)).toBe(1)
  })

  it('are refused within the second of the last one', async () => {
    const { lms, send, item, student } = await column()
    await send()
    const { status, statusText } = await send({ scoreGiven: 9, timestamp: '2026-03-01T10:00:00.900Z' })
    expect(status).toBe(409)
    expect(statusText).toContain('Refusing score with an earlier timestamp')
    expect(item.grades.get(student.id)?.points).toBe(16)
    expect(lms.acceptedScoreCount(item, student)).toBe(1)
    expect((await send({ scoreGiven: 9, ...later })).status).toBe(200)
  })

  it('lose the comment where none comes with a new one', async () => {
    const { send, item, student } = await column()
    await send()
    await send({ comment: undefined, ...later })
    expect(item.grades.get(student.id)).toMatchObject({ points: 16, comment: null })
  })

  it.each([{ gradingProgress: 'Pending' }, { scoreGiven: undefined }])('are wiped by %j', async (fields) => {
    const { send, results, item, student } = await column()
    await send()
    expect((await send({ ...fields, ...later })).status).toBe(200)
    expect(item.grades.get(student.id)?.points).toBeNull()
    expect(await results()).toMatchObject({
      body: [expect.not.objectContaining({ resultScore: expect.anything() })],
    })
  })

  it('are refused for teachers and strangers, with the reason in the status text', async () => {
    const { send, teacher } = await column()
    for (const userId of [teacher.id, '999999']) {
      const { status, statusText } = await send({ userId })
      expect(status).toBe(400)
      expect(statusText).toContain('Incorrect score received')
    }
  })

  it('are refused under another media type', async () => {
    const { send } = await column()
    expect((await send({}, 'application/json')).status).toBe(400)
  })

  it('preserve their percentage when the maximum changes', async () => {
    const { lms, tiny, send, item, student, token } = await column()
    await send()
    const body = { label: 'Quiz', scoreMaximum: 40 }
    await tiny.call(lms.lineItemUrl(item), { token, method: 'PUT', type: MEDIA.lineItem, body })
    expect(item.grades.get(student.id)?.points).toBe(32)
  })
})

/** A score was sent; then a teacher changes it in the gradebook. */
async function overridden({ lms, send, item, student }: Awaited<ReturnType<ReturnType<typeof useLms>['column']>>) {
  await send({ timestamp: new Date(Date.now() - 60_000).toISOString() })
  lms.overrideGrade(item, student, 18)
  return send({ timestamp: new Date(Date.now() + 60_000).toISOString() })
}

describe('what a teacher does in moodle', () => {
  const { column, lms } = useLms('moodle')

  it('stays as set in the gradebook, while a score is answered with 200', async () => {
    const one = await column()
    expect((await overridden(one)).status).toBe(200)
    expect((await one.results()).body).toMatchObject([{ userId: one.student.id, resultScore: 18 }])
    expect(lms().acceptedScoreCount(one.item, one.student)).toBe(2)
    expect((await one.send()).status).toBe(409)
  })

  it('deletes the grades of who is unenrolled, also for their return', async () => {
    const one = await column()
    await one.send()
    lms().unenrol(one.course, one.student)
    expect((await one.results()).body).toEqual([])
    lms().enrol(one.course, one.student, 'Learner')
    expect((await one.results()).body).toEqual([])
    expect((await one.send()).status).toBe(200)
  })
})

describe('what a teacher does in canvas', () => {
  const { column, lms } = useLms('canvas')

  it('is replaced by the next score', async () => {
    const one = await column()
    expect((await overridden(one)).status).toBe(200)
    expect((await one.results()).body).toMatchObject([{ userId: one.student.id, resultScore: 16 }])
  })

  it('leaves the grades of who is unenrolled', async () => {
    const one = await column()
    await one.send()
    lms().unenrol(one.course, one.student)
    lms().enrol(one.course, one.student, 'Learner')
    expect((await one.results()).body).toMatchObject([{ userId: one.student.id, resultScore: 16 }])
  })
})

describe.each([
  ['moodle', 403],
  ['canvas', 404],
] as const)('an activity deleted in %s', (kind, refused) => {
  const { column, lms } = useLms(kind)

  it('has no column any more, and gets none', async () => {
    const { course, tiny, item, token, send, results } = await column({ coupled: true })
    const link = lms().addLink(course, { deployment: item.deployment })
    item.link = link
    lms().deleteLink(link)
    const { status } = await tiny.call(lms().lineItemUrl(item), { token })
    expect([status, (await send()).status, (await results()).status]).toEqual([404, 404, 404])
    const body = { label: 'Quiz', scoreMaximum: 20, resourceLinkId: link.id }
    const address = lms().lineItemsUrl(course, tiny.tool)
    const made = await tiny.call(address, { token, method: 'POST', type: MEDIA.lineItem, body })
    expect(made.status).toBe(refused)
    expect(lms().lineItems.has(item.id)).toBe(false)
  })
})

describe('scores in canvas', () => {
  const { column } = useLms('canvas')

  it('are refused for teachers and strangers, with the reason in the body', async () => {
    const { send, teacher } = await column()
    for (const userId of [teacher.id, '999999']) {
      expect(await send({ userId })).toMatchObject({
        status: 422,
        body: { errors: { message: 'User not found in course or is not a student' } },
      })
    }
  })

  it('may come twice in a second, but not from before the last one', async () => {
    const { send, item, student } = await column()
    await send()
    expect((await send({ scoreGiven: 9, timestamp: '2026-03-01T10:00:00.001Z' })).status).toBe(200)
    expect((await send()).status).toBe(400)
    expect(item.grades.get(student.id)?.points).toBe(18)
  })

  it('preserve the comment where none comes with a new one', async () => {
    const { send, item, student } = await column()
    await send()
    await send({ comment: undefined, ...later })
    expect(item.grades.get(student.id)?.comment).toBe('Well argued')
  })

  it('take Canvas’s own submission fields, and answer where the result is', async () => {
    const { lms, send, item, student } = await column()
    const submission = { new_submission: true, submitted_at: '2026-02-27T10:00:00Z' }
    const { body } = await send({ 'https://canvas.instructure.com/lti/submission': submission })
    expect(body).toMatchObject({ resultUrl: `${lms.resultsUrl(item)}/${student.id}` })
    expect(item.accepted[0]?.body).toMatchObject({
      'https://canvas.instructure.com/lti/submission': submission,
    })
  })

  it('preserve their points when the maximum changes', async () => {
    const { lms, tiny, send, item, student, token } = await column()
    await send()
    const body = { label: 'Quiz', scoreMaximum: 40 }
    await tiny.call(lms.lineItemUrl(item), { token, method: 'PUT', type: MEDIA.lineItem, body })
    expect(item.grades.get(student.id)?.points).toBe(16)
  })
})

describe('what can go wrong on the way', () => {
  const { column } = useLms('canvas')

  it('fails for so many requests and no more', async () => {
    const { lms, send, item, student } = await column()
    lms.fail('scores', { status: 429, headers: { 'retry-after': '2' }, times: 2, person: student })
    const first = await send()
    expect(first.status).toBe(429)
    expect(first.headers.get('retry-after')).toBe('2')
    expect((await send()).status).toBe(429)
    expect(lms.acceptedScoreCount(item, student)).toBe(0)
    expect((await send()).status).toBe(200)
    expect(lms.requestsTo('scores', student).map(({ status }) => status)).toEqual([429, 429, 200])
  })

  it('fails for one person only', async () => {
    const { lms, send, course } = await column()
    const other = lms.addUser()
    lms.enrol(course, other, 'Learner')
    const end = lms.fail('scores', { status: 500, person: other, times: Number.POSITIVE_INFINITY })
    expect((await send({ userId: other.id })).status).toBe(500)
    expect((await send()).status).toBe(200)
    end()
    expect((await send({ userId: other.id })).status).toBe(200)
  })

  it('breaks the connection before anything was done, or after', async () => {
    const { lms, send, item, student } = await column()
    lms.fail('scores', { reset: 'before' })
    await expect(send()).rejects.toThrow()
    expect(lms.acceptedScoreCount(item, student)).toBe(0)
    lms.fail('scores', { reset: 'after' })
    await expect(send()).rejects.toThrow()
    expect(lms.acceptedScoreCount(item, student)).toBe(1)
  })

  it('says that the limit is used up as Canvas does', async () => {
    const { lms, send } = await column()
    lms.fail('scores', canvasRateLimit)
    const { status, headers } = await send()
    expect(status).toBe(403)
    expect(headers.get('x-rate-limit-remaining')).toBe('0.0')
  })

  it('never answers, redirects, or never ends its answer', async () => {
    const { lms } = await column()
    lms.fail('jwks', { hang: true })
    const stop = new AbortController()
    const hanging = expect(fetch(lms.jwksUrl, { signal: stop.signal })).rejects.toThrow()
    await expect.poll(() => lms.requestsTo('jwks').length).toBe(1)
    stop.abort()
    await hanging
    lms.fail('jwks', { redirect: 'http://127.0.0.1:1/' })
    expect((await fetch(lms.jwksUrl, { redirect: 'manual' })).status).toBe(302)
    lms.fail('jwks', { endless: true })
    const response = await fetch(lms.jwksUrl)
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 5_000_000) break
    }
    expect(bytes).toBeGreaterThan(5_000_000)
  })
})
