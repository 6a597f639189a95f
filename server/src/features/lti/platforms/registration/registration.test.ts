import { approvePlatform, getPlatform, listPlatforms } from '@assay/shared/lti/lti-platforms.ts'
import {
  createRegistrationLink,
  listRegistrationLinks,
  revokeRegistrationLink,
  updateRegistration,
} from '@assay/shared/lti/lti-registration.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type FakeLms, startFakeLms } from '../../../../../../tests/fake-lms/fake-lms.ts'
import { openIdConfiguration } from '../../../../../../tests/fake-lms/registration.ts'
import { AuditModel } from '../../../../audit/audit.service.ts'
import { LtiLaunchLogModel } from '../../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../../records/lti/platform-key.model.ts'
import { RegistrationLinkModel } from '../../../../records/lti/registration-link.model.ts'
import { buildPerson } from '../../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../../testing/server.ts'
import { getAccessToken, scopes } from '../../platform-client/access-token.ts'
import { requirePlatform } from '../platform.service.ts'

const { api, server } = useTestApi()
let admin: Person
let lms: FakeLms
beforeAll(async () => {
  admin = await buildPerson('admin')
  lms = await startFakeLms({ kind: 'moodle' })
})
afterAll(() => lms?.close())

const TOOL = 'https://purl.imsglobal.org/spec/lti-tool-configuration'

async function makeLink(): Promise<{ id: number; url: string }> {
  const made = await api.as(admin).send(createRegistrationLink)
  expect(made.status).toBe(201)
  const { pathname } = new URL(made.body.url)
  return { id: made.body.link.id, url: server.running.url + pathname }
}

async function open(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const register = async (from: FakeLms = lms, headers: Record<string, string> = {}) => {
  const link = await makeLink()
  const opened = await open(from.registrations.link(from, link.url), headers)
  const [platform] = await LtiPlatformModel.find().sort({ _id: -1 }).limit(1).lean()
  if (!platform) throw new Error(opened.text)
  return { ...opened, link, platform }
}

const linkOf = async (id: number) =>
  (await api.as(admin).send(listRegistrationLinks)).body.find((link) => link.id === id)

describe('a registration by link', () => {
  it('gives a second tool of one LMS a name of its own', async () => {
    const [first, second] = [(await register()).platform, (await register()).platform]
    expect(second.name).not.toBe(first.name)
    expect(second.name).toMatch(/ \(\d+\)$/)
  })

  it('leaves a platform that waits for approval, with everything the LMS sent, and says so', async () => {
    const { status, text, link, platform } = await register()
    expect(status).toBe(200)
    expect(text).toContain('Registered. An Assay administrator must now approve it.')
    expect(text).toContain("postMessage({ subject: 'org.imsglobal.lti.close' }, '*')</script>")
    const [clientId = ''] = [...lms.tools.keys()].slice(-1)
    expect(platform).toMatchObject({
      lms: 'moodle',
      issuer: lms.issuer,
      client_id: clientId,
      auth_endpoint: lms.authorizationUrl,
      token_endpoint: lms.tokenUrl,
      token_audience: null,
      jwks_url: lms.jwksUrl,
      status: 'pending',
      registered_by: 'link',
      deployments: [{ id: lms.tools.get(clientId)?.deployments[0], first_seen_at: null }],
    })
    expect(platform.scopes?.toSorted()).toEqual(Object.values(scopes).toSorted())
    expect(platform.registration).toBeNull()
    const shown = await api.as(admin).send(getPlatform, { params: { platformId: platform._id } })
    expect(shown.body).toMatchObject({ status: 'pending', can_update_registration: false })
    expect(await linkOf(link.id)).toMatchObject({ state: 'used', platform: { id: platform._id }, failed: null })
    expect(await LtiLaunchLogModel.findOne({ step: 'registration' }).sort({ _id: -1 }).lean()).toMatchObject({
      platform_id: platform._id,
      outcome: 'accepted',
    })
  })

  it('sends the LMS our addresses, scopes, messages and custom parameters', async () => {
    const { platform } = await register()
    const { publicUrl } = server.running.services.config
    expect(lms.registrations.metadataOf(platform.client_id)).toMatchObject({
      application_type: 'web',
      client_name: 'Assay',
      initiate_login_uri: `${publicUrl}/lti/login`,
      redirect_uris: [`${publicUrl}/lti/launch`],
      jwks_uri: `${publicUrl}/lti/keys`,
      token_endpoint_auth_method: 'private_key_jwt',
      scope: Object.values(scopes).join(' '),
      [TOOL]: {
        domain: new URL(publicUrl).host,
        target_link_uri: `${publicUrl}/lti/launch`,
        custom_parameters: {
          context_id_history: '$Context.id.history',
          resource_link_id_history: '$ResourceLink.id.history',
        },
        claims: expect.arrayContaining(['sub', 'name', 'email']),
        messages: [{ type: 'LtiResourceLinkRequest' }, { type: 'LtiDeepLinkingRequest', placements: ['ContentArea'] }],
      },
    })
  })

  it('speaks to Canvas as Canvas wants it', async () => {
    const canvas = await startFakeLms({ kind: 'canvas' })
    onTestFinished(() => canvas.close())
    const { platform } = await register(canvas)
    expect(platform.lms).toBe('canvas')
    expect(platform.registration?.token).toMatch(/^[A-Za-z0-9+/]{60,}=*$/)
    const shown = await api.as(admin).send(getPlatform, { params: { platformId: platform._id } })
    expect(shown.body).toMatchObject({ can_update_registration: true })
    expect(shown.text).not.toContain(platform.registration?.token)
    const config = canvas.registrations.metadataOf(platform.client_id)?.[TOOL]
    expect(config).toMatchObject({
      'https://canvas.instructure.com/lti/privacy_level': 'public',
      messages: [
        {
          type: 'LtiResourceLinkRequest',
          placements: ['course_navigation'],
          'https://canvas.instructure.com/lti/course_navigation/default_enabled': false,
        },
        { type: 'LtiDeepLinkingRequest', placements: ['assignment_selection', 'link_selection'] },
      ],
    })
  })

  it('may be framed by the LMS that opens it, and by anybody where it says why not', async () => {
    const { headers } = await register(lms, { referer: 'http://school.example/admin/tools?x=1' })
    expect(headers.get('content-security-policy')).toContain(
      `frame-ancestors 'self' ${lms.issuer} http://school.example`,
    )
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const stranger = await open(lms.registrations.link(lms, `${server.running.url}/lti/register/made-up`))
    expect(stranger.status).toBe(403)
    expect(stranger.headers.get('content-security-policy')).toContain('frame-ancestors *')
    const [platform] = await LtiPlatformModel.find().sort({ _id: -1 }).limit(1).lean()
    expect(platform?.origins).toEqual(['http://school.example'])
  })

  it('is used by approval alone, and its key then opens the LMS’s services', async () => {
    const { platform } = await register()
    const params = { platformId: platform._id }
    const approved = await api.as(admin).send(approvePlatform, { params })
    expect(approved.body).toMatchObject({ status: 'active' })
    expect(await AuditModel.find({ 'subject.platform_id': platform._id }).lean()).toMatchObject([
      { action: 'lms.approved', actor_id: admin.id },
    ])
    const tool = lms.tools.get(platform.client_id)
    if (tool) tool.jwksUrl = `${server.running.url}/lti/keys`
    const active = await requirePlatform(platform._id)
    expect(await getAccessToken(active, [scopes.members], server.running.services)).not.toBe('')
  })
})

describe('a link', () => {
  it('works once', async () => {
    const { link } = await register()
    const before = await LtiPlatformModel.countDocuments()
    const again = await open(lms.registrations.link(lms, link.url))
    expect(again.status).toBe(403)
    expect(again.text).toContain('This registration link is no longer valid.')
    expect(await LtiPlatformModel.countDocuments()).toBe(before)
    expect(await linkOf(link.id)).toMatchObject({ state: 'used', failed: null })
  })

  it('registers one LMS when two open it at the same moment', async () => {
    const link = await makeLink()
    const before = await LtiPlatformModel.countDocuments()
    const both = await Promise.all([1, 2].map(() => open(lms.registrations.link(lms, link.url))))
    const statuses = both.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    expect([403, 409]).toContain(statuses[1])
    expect(await LtiPlatformModel.countDocuments()).toBe(before + 1)
  })

  it('runs out after seven days, and is good for nothing once it was taken back', async () => {
    const old = await makeLink()
    await RegistrationLinkModel.updateOne({ _id: old.id }, { $set: { expires_at: new Date(Date.now() - 1) } })
    expect((await open(lms.registrations.link(lms, old.url))).status).toBe(403)
    expect(await linkOf(old.id)).toMatchObject({ state: 'expired' })
    const { id, url } = await makeLink()
    const seven = Date.parse((await linkOf(id))?.expires_at ?? '') - Date.now()
    expect(seven / 86_400_000).toBeCloseTo(7, 1)
    await api.as(admin).send(revokeRegistrationLink, { params: { linkId: id } })
    expect((await open(lms.registrations.link(lms, url))).status).toBe(403)
    expect(await linkOf(id)).toBeUndefined()
    expect(await AuditModel.find({ 'subject.registration_link_id': id }).sort({ _id: 1 }).lean()).toMatchObject([
      { action: 'lms.link_made' },
      { action: 'lms.link_taken_back' },
    ])
  })

  it('is stored as a hash only', async () => {
    const { id, url } = await makeLink()
    const stored = JSON.stringify(await RegistrationLinkModel.findById(id).lean())
    expect(stored).not.toContain(url.split('/').at(-1))
  })
})

describe('a registration that goes wrong', () => {
  /** The link must hold for another try. */
  async function refused(query: Record<string, string> | null = null) {
    const link = await makeLink()
    const before = [await LtiPlatformModel.countDocuments(), await LtiPlatformKeyModel.countDocuments()]
    const url = query ? `${link.url}?${new URLSearchParams(query)}` : lms.registrations.link(lms, link.url)
    const { status, text, headers } = await open(url)
    expect([await LtiPlatformModel.countDocuments(), await LtiPlatformKeyModel.countDocuments()]).toEqual(before)
    expect(text).toContain('Nothing was registered in Assay.')
    expect(text).not.toContain('<script')
    expect(await linkOf(link.id)).toMatchObject({ state: 'open' })
    const [line] = await LtiLaunchLogModel.find({ step: 'registration' }).sort({ _id: -1 }).limit(1).lean()
    expect(line).toMatchObject({ outcome: 'refused', platform_id: null })
    lms.requestLog.clear()
    return { status, text, headers, code: line?.code, detail: line?.detail, link }
  }

  it('says what the link is for when it is opened without an LMS', async () => {
    expect(await refused({})).toMatchObject({ status: 400, code: 'registration_opened' })
  })

  it.each([
    ['redirecting', { redirect: 'http://127.0.0.1:9/' }, /redirect/],
    ['endless', { endless: true }, /a reply that is too large/],
    ['broken', { reset: 'before' as const }, /could not be reached/],
    ['refusing', { status: 401 }, /status 401/],
    ['talkative', { status: 200, body: '<html>hello</html>' }, /Invalid input/],
    ['empty', { status: 200, body: {} }, /issuer/],
  ])('is refused with words where the configuration is %s', async (_, fault, words) => {
    lms.fail('configuration', fault)
    const refusal = await refused()
    expect(refusal).toMatchObject({ status: 502, code: 'registration_configuration' })
    expect(refusal.detail).toMatch(words)
    expect(await linkOf(refusal.link.id)).toMatchObject({
      failed: { message: expect.any(String), detail: refusal.detail },
    })
  })

  it('is refused where the configuration hangs', async () => {
    lms.fail('configuration', { hang: true })
    const refusal = await refused()
    expect(refusal).toMatchObject({ status: 502, code: 'registration_configuration' })
    expect(refusal.detail).toMatch(/did not answer in time/)
  })

  it.each([
    ['of another host', 'http://evil.example'],
    ['of Canvas, served by another host', 'https://canvas.instructure.com'],
    ['of Blackboard, served by another host', 'https://blackboard.com'],
  ])('is refused for an issuer %s', async (_, issuer) => {
    lms.fail('configuration', { status: 200, body: { ...openIdConfiguration(lms), issuer } })
    expect(await refused()).toMatchObject({ status: 400, code: 'registration_issuer' })
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/x', 'nothing'])(
    'is refused for the configuration address %s',
    async (openid_configuration) => {
      const refusal = await refused({ openid_configuration })
      expect(refusal).toMatchObject({ status: 400, code: 'registration_address' })
      expect(refusal.headers.get('content-security-policy')).not.toMatch(/frame-ancestors .*(javascript|file)/)
    },
  )

  it('is refused where an endpoint is no web address', async () => {
    const body = { ...openIdConfiguration(lms), token_endpoint: 'ftp://lms/token' }
    lms.fail('configuration', { status: 200, body })
    expect(await refused()).toMatchObject({
      code: 'registration_configuration',
      detail: expect.stringMatching(/token_endpoint/),
    })
  })

  it.each([
    [
      'refuses',
      { status: 400, body: { error: 'invalid_client_metadata', error_description: 'No <b>icon</b>' } },
      'No <b>icon</b>',
    ],
    ['refuses as Canvas does', { status: 422, body: { errors: ['scope is wrong'] } }, 'scope is wrong'],
    ['gives no client', { status: 200, body: { client_name: 'Assay' } }, 'client_id'],
    ['redirects', { redirect: '/elsewhere' }, 'redirect'],
  ])('is refused where the LMS %s, with its reason', async (_, fault, words) => {
    lms.fail('registration', fault)
    const refusal = await refused()
    expect(refusal).toMatchObject({ status: 502, code: 'registration_rejected' })
    expect(refusal.detail).toContain(words)
    expect(refusal.text).not.toContain('<b>')
  })

  it('goes well at the next try', async () => {
    lms.fail('registration', { status: 500 })
    const { link } = await refused()
    const { status } = await open(lms.registrations.link(lms, link.url))
    expect(status).toBe(200)
    expect(await linkOf(link.id)).toMatchObject({ state: 'used', failed: null })
  })
})

describe('a client that is known already', () => {
  it('retains its values until an administrator approves the new ones', async () => {
    const { platform } = await register()
    const params = { platformId: platform._id }
    await api.as(admin).send(approvePlatform, { params })
    const moved = `${lms.url}/moved/certs`
    lms.fail('configuration', { status: 200, body: { ...openIdConfiguration(lms), jwks_uri: moved } })
    lms.fail('registration', { status: 200, body: { client_id: platform.client_id, [TOOL]: { deployment_id: 'new' } } })
    const link = await makeLink()
    const before = (await api.as(admin).send(listPlatforms)).body.length
    const again = await open(lms.registrations.link(lms, link.url))
    expect(again.text).toContain('was already registered')
    const waiting = await api.as(admin).send(getPlatform, { params })
    expect(waiting.body).toMatchObject({ status: 'active', jwks_url: lms.jwksUrl, proposed: { jwks_url: moved } })
    const approved = await api.as(admin).send(approvePlatform, { params })
    expect(approved.body).toMatchObject({ status: 'active', jwks_url: moved, proposed: null })
    expect(approved.body.deployments.map(({ id }) => id)).toEqual([...platform.deployments.map(({ id }) => id), 'new'])
    expect((await api.as(admin).send(listPlatforms)).body).toHaveLength(before)
  })
})

describe('updating the registration at the LMS', () => {
  let canvas: FakeLms
  beforeAll(async () => {
    canvas = await startFakeLms({ kind: 'canvas' })
  })
  afterAll(() => canvas?.close())

  it('sends our current configuration, and stores what it grants', async () => {
    const { platform } = await register(canvas)
    const params = { platformId: platform._id }
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { scopes: [] } })
    const tool = canvas.tools.get(platform.client_id)
    if (tool) tool.name = 'Something old'
    const updated = await api.as(admin).send(updateRegistration, { params })
    expect(updated.status).toBe(200)
    expect(updated.body.scopes).toHaveLength(5)
    expect(canvas.tools.get(platform.client_id)?.name).toBe('Assay')
    expect(await AuditModel.find({ 'subject.platform_id': platform._id }).lean()).toMatchObject([
      { action: 'lms.registration_updated' },
    ])
  })

  it('says why the LMS did not take it, and changes nothing', async () => {
    const { platform } = await register(canvas)
    canvas.fail('registration', { status: 403, body: { error_description: 'Updates are switched off' } })
    const failed = await api.as(admin).send(updateRegistration, { params: { platformId: platform._id } })
    expect(failed).toMatchObject({ status: 502, body: { error_code: 'lms_failed' } })
    expect(failed.body.message).toContain('Updates are switched off')
    expect(await requirePlatform(platform._id)).toEqual(platform)
  })

  it('is refused for a Moodle, which allows no tool to', async () => {
    const { platform } = await register()
    const refused = await api.as(admin).send(updateRegistration, { params: { platformId: platform._id } })
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect(refused.body.message).toMatch(/does not let Assay change its registration/)
  })
})
