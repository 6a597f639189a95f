import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../fake-lms.ts'
import type { Signing } from '../keys.ts'
import { AGS_CLAIM, CLAIM, NRPS_CLAIM, ROLE, roleUri } from '../lti-constants.ts'
import { type MinimalTool, startMinimalTool } from '../minimal-tool.ts'

for (const kind of ['moodle', 'canvas'] as const) {
  describe(`a launch from ${kind}`, () => {
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

    it('sends the tool the person, the context and their role', async () => {
      const { course, teacher } = lms.classOf(2, { title: 'Cells' })
      const link = lms.addLink(course, { deployment: deployment(), title: 'Quiz 1', scoreMaximum: 20 })
      const launch = await lms.launcher().go({ as: teacher, link })
      expect(launch.reply).toMatchObject({ status: 200, text: `hello ${teacher.id}` })
      const [lineItem] = lms.lineItemsOf(link)
      expect(launch.claims).toMatchObject({
        iss: lms.issuer,
        aud: tiny.tool.clientId,
        sub: teacher.id,
        name: 'Grace Teacher',
        email: teacher.email,
        [`${CLAIM}/message_type`]: 'LtiResourceLinkRequest',
        [`${CLAIM}/deployment_id`]: tiny.tool.deploymentId,
        [`${CLAIM}/resource_link`]: { id: link.id, title: 'Quiz 1' },
        [`${CLAIM}/context`]: { id: course.id, title: 'Cells' },
        [`${CLAIM}/roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor', ROLE.institutionFaculty],
        [AGS_CLAIM]: { lineitem: lineItem && lms.lineItemUrl(lineItem) },
        [NRPS_CLAIM]: { context_memberships_url: lms.membersUrl(course, tiny.tool) },
      })
    })

    it(`sends ${kind === 'moodle' ? 'both roles' : 'no role in the course'} when a site administrator looks in`, async () => {
      const { course } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment() })
      const { claims } = await lms.launcher().go({ as: lms.addAdmin(), link })
      expect(claims[`${CLAIM}/roles`]).toEqual([
        ...(kind === 'moodle' ? [roleUri('Instructor')] : []),
        ROLE.institutionAdministrator,
        ROLE.systemAdministrator,
      ])
    })

    it('names no line item once a second one hangs on the link', async () => {
      const { course, teacher } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment(), scoreMaximum: 20 })
      lms.addLineItem(course, { deployment: deployment(), link })
      const { claims } = await lms.launcher().go({ as: teacher, link })
      expect(claims[AGS_CLAIM]).not.toHaveProperty('lineitem')
      expect(claims[AGS_CLAIM]).toHaveProperty('lineitems')
    })

    it('says of a copied course what it was copied from', async () => {
      const { course, teacher } = lms.classOf(1)
      const link = lms.addLink(course, {
        deployment: deployment(),
        custom: { before: '$ResourceLink.id.history', course: '$Context.id.history', odd: '$No.such' },
      })
      const copy = lms.copyCourse(lms.copyCourse(course))
      lms.enrol(copy, teacher, 'Instructor')
      const twin = [...lms.links.values()].find((one) => one.course === copy)
      const { claims } = await lms.launcher().go({ as: teacher, link: twin ?? null })
      expect(claims[`${CLAIM}/custom`]).toEqual({
        before: twin?.history.join(','),
        course: copy.history.join(','),
        odd: '$No.such',
      })
      expect(twin?.history).toHaveLength(2)
      expect(twin?.history[1]).toBe(link.id)
    })

    it('sends no names and addresses where the tool may not have them', async () => {
      const { course, students } = lms.classOf(1)
      const link = lms.addLink(course, { deployment: deployment() })
      tiny.tool.privacy = 'anonymous'
      const { claims } = await lms.launcher().go({ as: students[0] ?? lms.addUser(), link })
      tiny.tool.privacy = 'public'
      expect(claims).not.toHaveProperty('name')
      expect(claims).not.toHaveProperty('email')
      expect(claims).toHaveProperty('sub')
    })

    it('opens a student’s paper from the gradebook', async () => {
      const { course, teacher, students } = lms.classOf(1)
      const link = lms.addLink(course, { deployment: deployment(), scoreMaximum: 20 })
      const forUser = students[0] ?? null
      const lineItem = lms.lineItemsOf(link)[0] ?? null
      const message = 'LtiSubmissionReviewRequest'
      const { claims } = await lms.launcher().go({ as: teacher, link, message, forUser, lineItem })
      expect(claims).toMatchObject({
        [`${CLAIM}/message_type`]: message,
        [`${CLAIM}/for_user`]: { user_id: forUser?.id },
        [AGS_CLAIM]: { lineitem: lineItem && lms.lineItemUrl(lineItem) },
      })
    })

    it('offers its storage where it has one', async () => {
      const { course, teacher } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment() })
      const { posted } = await lms.launcher().go({ as: teacher, link })
      const offered = kind === 'canvas' ? 'post_message_forwarding' : undefined
      expect(posted?.fields.lti_storage_target).toBe(offered)
    })

    const forgeries: Signing[] = ['none', 'hs256', 'unknown-kid', 'no-kid', 'other-key', 'broken']
    it.each(forgeries)('can forge a signature: %s', async (signing) => {
      const { course, teacher } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment() })
      const before = tiny.launched.length
      const { reply } = await lms.launcher().go({ as: teacher, link, signing })
      // The set has one key: a token that names none is checked with that one, and is good.
      expect(reply?.status).toBe(signing === 'no-kid' ? 200 : 401)
      expect(tiny.launched.length - before).toBe(signing === 'no-kid' ? 1 : 0)
    })

    it('goes on signing so that tools can verify after its keys were changed', async () => {
      const { course, teacher } = lms.classOf(0)
      const link = lms.addLink(course, { deployment: deployment() })
      await lms.keys.rotate()
      expect((await lms.launcher().go({ as: teacher, link })).reply?.status).toBe(200)
    })
  })
}

describe('the authorization endpoint', () => {
  let lms: FakeLms
  let tiny: MinimalTool
  beforeAll(async () => {
    lms = await startFakeLms({ kind: 'moodle' })
    tiny = await startMinimalTool(lms)
  })
  afterAll(async () => {
    await tiny?.close()
    await lms?.close()
  })

  /** A good request, as the tool's redirect has it. */
  async function aRequest() {
    const { course, teacher } = lms.classOf(0)
    const link = lms.addLink(course, { deployment: lms.deploymentOf(tiny.tool) })
    const launcher = lms.launcher()
    const { location } = await launcher.login({ as: teacher, link })
    return { launcher, url: new URL(location ?? '') }
  }

  it.each([
    ['scope', 'profile', 'invalid_scope'],
    ['response_type', 'code', 'unsupported_response_type'],
    ['response_mode', 'query', 'invalid_request'],
    ['prompt', 'login', 'invalid_request'],
    ['nonce', '', 'invalid_request'],
    ['login_hint', 'somebody', 'access_denied'],
    ['lti_message_hint', 'unheard-of', 'invalid_request'],
  ])('sends the tool an error when %s is %j', async (name, value, error) => {
    const { launcher, url } = await aRequest()
    url.searchParams.set(name, value)
    const { text } = await launcher.fetch(url.href)
    expect(text).toContain(`name="error" value="${error}"`)
    expect(text).toContain(`name="state" value="${url.searchParams.get('state')}"`)
    expect(text).not.toContain('name="id_token"')
  })

  it.each([
    ['client_id', 'nobody'],
    ['redirect_uri', 'http://localhost:1/elsewhere'],
  ])('sends nothing to anybody when %s is unknown', async (name, value) => {
    const { launcher, url } = await aRequest()
    url.searchParams.set(name, value)
    const { status, text } = await launcher.fetch(url.href)
    expect(status).toBe(400)
    expect(text).not.toContain('<form')
  })

  it('gives one token for one launch', async () => {
    const { launcher, url } = await aRequest()
    expect((await launcher.fetch(url.href)).text).toContain('id_token')
    expect((await launcher.fetch(url.href)).text).toContain('value="invalid_request"')
  })
})
