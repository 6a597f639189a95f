import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from './fake-lms.ts'
import type { Signing } from './keys.ts'
import { AGS_CLAIM, allScopes, CLAIM, MEDIA, NRPS_CLAIM, ROLE, SCOPE } from './lti-constants.ts'
import { type MinimalTool, startMinimalTool } from './minimal-tool.ts'

// What our product does with it is tested everywhere else; this is about what it must not let pass.
describe.each(['moodle', 'canvas'] as const)('the fake %s', (kind) => {
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
  const deployment = () => lms.deploymentOf(tiny.tool)

  it('sends a tool the person, the context and their role', async () => {
    const { course, teacher } = lms.classOf(2, { title: 'Cells' })
    const link = lms.addLink(course, { deployment: deployment(), title: 'Quiz 1', scoreMaximum: 20 })
    const { reply, claims } = await lms.launcher().go({ as: teacher, link })
    expect(reply).toMatchObject({ status: 200, text: `hello ${teacher.id}` })
    const [lineItem] = lms.lineItemsOf(link)
    expect(claims).toMatchObject({
      iss: lms.issuer,
      aud: tiny.tool.clientId,
      sub: teacher.id,
      [`${CLAIM}/resource_link`]: { id: link.id, title: 'Quiz 1' },
      [`${CLAIM}/context`]: { id: course.id, title: 'Cells' },
      [`${CLAIM}/roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor', ROLE.institutionFaculty],
      [AGS_CLAIM]: { lineitem: lineItem && lms.lineItemUrl(lineItem) },
      [NRPS_CLAIM]: { context_memberships_url: lms.membersUrl(course, tiny.tool) },
    })
  })

  it.each<Signing>(['none', 'hs256', 'unknown-kid', 'other-key', 'broken'])(
    'forges a signature: %s',
    async (signing) => {
      const { course, teacher } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment() })
      expect((await lms.launcher().go({ as: teacher, link, signing })).reply?.status).toBe(401)
    },
  )

  it('gives a token for a good assertion, once, and for the scopes that were granted', async () => {
    const claims = tiny.assertion()
    expect((await tiny.askForToken(allScopes, claims)).status).toBe(200)
    expect(await tiny.askForToken(allScopes, claims)).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
    const late = { ...tiny.assertion(), exp: Math.floor(Date.now() / 1000) - 600 }
    expect((await tiny.askForToken(allScopes, late)).status).toBe(400)
    const { course } = lms.classOf(1)
    const token = await tiny.token(SCOPE.scores)
    expect((await tiny.call(lms.membersUrl(course, tiny.tool), { token })).status).toBe(401)
  })

  it('takes no score from before the last one, nor for somebody who is not in the course', async () => {
    const { course, students } = lms.classOf(1)
    const item = lms.addLineItem(course, { deployment: deployment(), scoreMaximum: 20, coupled: false })
    const token = await tiny.token(SCOPE.scores)
    const address = new URL(lms.lineItemUrl(item))
    address.pathname += '/scores'
    const send = async (minute: number, userId = students[0]?.id) => {
      const timestamp = `2026-03-01T10:0${minute}:00.000Z`
      const progress = { activityProgress: 'Completed', gradingProgress: 'FullyGraded' }
      const body = { userId, scoreGiven: minute, scoreMaximum: 10, timestamp, ...progress }
      return (await tiny.call(address.href, { token, method: 'POST', type: MEDIA.score, body })).status
    }
    expect(await send(4)).toBe(200)
    expect(await send(3)).toBeGreaterThanOrEqual(400)
    expect(await send(5, '999999')).toBeGreaterThanOrEqual(400)
    expect(item.grades.get(students[0]?.id ?? '')?.points).toBe(8)
  })
})
