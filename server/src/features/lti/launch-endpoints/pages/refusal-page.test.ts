import { describe, expect, it } from 'vitest'
import { LtiLaunchLogModel } from '../../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import {
  createTestLink,
  startRegisteredLms,
  useLaunchRefusals,
  useRegisteredLms,
} from '../../../../testing/registered-lms.ts'
import { useServer } from '../../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })
const { expectRefusal, resetBaseline } = useLaunchRefusals()
const lesson = () => createTestLink(school())

describe('a login is refused', () => {
  const login = (parameters: Record<string, string>) =>
    school()
      .lms.launcher()
      .fetch(`${server.running.url}/lti/login?${new URLSearchParams(parameters)}`)
  const good = () => ({
    iss: school().lms.issuer,
    client_id: school().platform.client_id,
    login_hint: 'somebody',
    target_link_uri: `${server.running.url}/`,
  })

  it.each(['iss', 'login_hint', 'target_link_uri'])('without %s', async (name) => {
    const { [name]: _, ...rest } = good() as Record<string, string>
    await expectRefusal(await login(rest), 'login_incomplete', 400, new RegExp(`missing or wrong: ${name}`))
  })
  it('that says something twice', async () => {
    const twice = await school()
      .lms.launcher()
      .fetch(`${server.running.url}/lti/login?${new URLSearchParams(good())}&iss=https://other.example`)
    await expectRefusal(twice, 'login_incomplete', 400, /missing or wrong: iss/)
  })
  it('from an issuer nobody registered', async () => {
    const reply = await login({ ...good(), iss: 'https://evil.example' })
    const entry = await expectRefusal(reply, 'platform_unknown', 400, /issuer https:\/\/evil\.example, client ID/)
    expect(entry).toMatchObject({ issuer: 'https://evil.example', platform_id: null, step: 'login' })
  })
  it('from a client nobody registered', async () => {
    await expectRefusal(await login({ ...good(), client_id: 'other' }), 'platform_unknown', 400)
  })
  it('whose words would be code', async () => {
    const reply = await login({ ...good(), iss: '"><script>alert(1)</script>' })
    await expectRefusal(reply, 'platform_unknown', 400)
  })
  it.each([
    ['pending', 'platform_pending'],
    ['off', 'platform_off'],
  ] as const)('while the platform is %s', async (status, code) => {
    const { _id } = school().platform
    await LtiPlatformModel.updateOne({ _id }, { $set: { status } })
    const reply = await login(good())
    await LtiPlatformModel.updateOne({ _id }, { $set: { status: 'active' } })
    await expectRefusal(reply, code, 403)
    expect(reply.headers.get('content-security-policy')).toContain('frame-ancestors *')
  })
})

describe('a launch is refused', () => {
  it('when its platform was deactivated after the login', async () => {
    const { lms, platform } = school()
    const browser = lms.launcher()
    const login = await browser.login(lesson())
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { status: 'off' } })
    const state = new URL(login.location ?? '').searchParams.get('state') ?? ''
    const reply = await browser.post(`${server.running.url}/lti/launch`, { state, id_token: 'a.b.c' })
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { status: 'active' } })
    await expectRefusal(reply, 'platform_off', 403)
  })
  it('of a deployment that is not listed, where only those are let in', async () => {
    const { lms, platform, deployment } = school()
    const { as, link } = lesson()
    const other = lms.addDeployment(deployment.tool)
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { deployments_fixed: true } })
    const good = await lms.launcher().go({ as, link })
    await resetBaseline()
    const { reply } = await lms.launcher().go({ as, course: link.course, link, deployment: other })
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { deployments_fixed: false } })
    expect(good.reply?.status).toBe(303)
    await expectRefusal(reply, 'deployment_unknown', 403, /deployment/)
  })
  it('with the LMS’s reason where the LMS refuses', async () => {
    const { lms } = school()
    const browser = lms.launcher()
    const { location } = await browser.login(lesson())
    const state = new URL(location ?? '').searchParams.get('state') ?? ''
    const fields = { error: 'login_required', error_description: 'Sign in <first>', state }
    const reply = await browser.post(`${server.running.url}/lti/launch`, fields)
    const entry = await expectRefusal(reply, 'lms_declined', 403)
    expect(entry).toMatchObject({ detail: 'login_required: Sign in <first>', platform_id: school().platform._id })
    expect(reply.text).toContain('Sign in &lt;first&gt;')
  })
  it.each([
    ['nothing', {}],
    ['no token', { state: 'a'.repeat(50) }],
    ['no state', { id_token: 'a.b.c' }],
    ['a state that is none', { id_token: 'a.b.c', state: '../../..' }],
  ])('that brings %s', async (_what, fields) => {
    const reply = await school().lms.launcher().post(`${server.running.url}/lti/launch`, fields)
    await expectRefusal(reply, 'launch_incomplete', 400)
  })
  it('that comes by GET, as from a bookmark, and is not logged as one', async () => {
    const before = await LtiLaunchLogModel.countDocuments()
    const reply = await school().lms.launcher().fetch(`${server.running.url}/lti/launch`)
    expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('Open Assay from your course.') })
    expect(await LtiLaunchLogModel.countDocuments()).toBe(before)
  })
  it.each(['a.b.c', 'nonsense', `${'x'.repeat(5000)}`])('whose token is no token', async (id_token) => {
    const browser = school().lms.launcher()
    const { location } = await browser.login(lesson())
    const state = new URL(location ?? '').searchParams.get('state') ?? ''
    const reply = await browser.post(`${server.running.url}/lti/launch`, { state, id_token })
    await expectRefusal(reply, 'token_invalid', 401, /not a JWT/)
  })
  it('whose platform’s keys cannot be had', async () => {
    const fresh = await startRegisteredLms(server)
    await resetBaseline()
    fresh.lms.fail('jwks', { hang: true, times: 100 })
    const { reply } = await fresh.lms.launcher().go(createTestLink(fresh))
    await expectRefusal(reply, 'keys_unreachable', 502, /did not answer in time/)
    await fresh.lms.close()
  })
})

it('answers a body that is too large with a page', async () => {
  const reply = await school()
    .lms.launcher()
    .post(`${server.running.url}/lti/launch`, { state: 'a'.repeat(50), id_token: 'x'.repeat(200_000) })
  expect(reply.status).toBe(413)
  expect(reply.text).toContain('<h1>Assay could not be opened</h1>')
})

it.each(['/lti/register', '/lti/', '/lti/other', '/lti/launch/deep', '/lti/login/x'])(
  'has no %s, whatever ltijs has',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const reply = await fetch(`${server.running.url}${path}?openid_configuration=http://127.0.0.1/`, { method })
      expect(reply.status).toBe(404)
    }
  },
)
