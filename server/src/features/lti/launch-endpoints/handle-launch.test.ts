import { describe, expect, it } from 'vitest'
import { AGS_CLAIM, type Claims, NRPS_CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { createTestLink, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const moodle = useRegisteredLms(server)
const canvas = useRegisteredLms(server, { kind: 'canvas' })

const unusualButValid: [string, (claims: Claims) => Claims][] = [
  ['a list of one audience', ({ aud }) => ({ aud: [aud] })],
  ['two audiences, authorized for the tool', ({ aud }) => ({ azp: aud, aud: [aud, 'somebody-else'] })],
  ['no services', () => ({ [AGS_CLAIM]: undefined, [NRPS_CLAIM]: undefined })],
  ['no names', () => ({ name: undefined, given_name: undefined, family_name: undefined, email: undefined })],
  ['claims from elsewhere', () => ({ 'https://example.org/odd': { deep: [1, null, '…'] } })],
]

const lastEntry = () => LtiLaunchLogModel.findOne().sort({ _id: -1 }).lean()

describe.each([
  ['Moodle', moodle],
  ['Canvas', canvas],
])('from %s', (_name, school) => {
  it.each(['get', 'post'] as const)('lets a launch in whose login comes by %s', async (via) => {
    const { lms, deployment, platform } = school()
    const { login, reply } = await lms.launcher().go({ ...createTestLink(school()), via })
    expect(login.status).toBe(302)
    expect(reply?.status).toBe(303)
    expect(reply?.location).toMatch(/\/l\/[\w-]+\/enter\?page=%2Flti%2Fset-up#[\w-]+$/)
    expect(reply?.headers.get('cache-control')).toBe('no-store')
    expect(reply?.headers.get('referrer-policy')).toBe('no-referrer')

    const id = /\/l\/([\w-]+)\//.exec(reply?.location ?? '')?.[1]
    expect(await LtiLaunchModel.findById(id).lean()).toMatchObject({
      platform_id: platform._id,
      deployment_id: deployment.id,
      role: 'instructor',
      via: 'cookie',
    })
    const entry = await lastEntry()
    expect(entry).toMatchObject({
      platform_id: platform._id,
      issuer: lms.issuer,
      client_id: platform.client_id,
      deployment_id: deployment.id,
      step: 'launch',
      outcome: 'accepted',
      code: null,
      via: 'cookie',
      role: 'instructor',
    })
    expect(Math.abs(entry?.clock_offset ?? 99)).toBeLessThan(30)
    expect(entry?.scopes).toContain('https://purl.imsglobal.org/spec/lti-ags/scope/score')
    expect(entry?.scopes).toContain('https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly')
  })
})

it('finds the platform by the issuer alone where it has one client', async () => {
  const { lms, deployment } = moodle()
  const browser = lms.launcher()
  const { url } = await browser.login(createTestLink(moodle()))
  const bare = new URL(url)
  bare.searchParams.delete('client_id')
  bare.searchParams.delete('lti_deployment_id')
  const reply = await browser.fetch(bare.href)
  expect(reply.status).toBe(302)
  expect(reply.location).toContain(`client_id=${deployment.tool.clientId}`)
})

it('asks to be sent back to the one address it is registered with, whatever the login says', async () => {
  const { lms, deployment } = moodle()
  const { course, teacher } = lms.classOf(0)
  const link = lms.addLink(course, { deployment, url: 'https://elsewhere.example/?next=/evil' })
  const { location } = await lms.launcher().login({ as: teacher, link })
  const sent = new URL(location ?? '').searchParams
  expect(sent.get('redirect_uri')).toBe(`${server.running.services.config.publicUrl}/lti/launch`)
  expect(sent.get('prompt')).toBe('none')
  expect(sent.get('response_mode')).toBe('form_post')
  expect(sent.get('nonce')).toMatch(/^[\w-]{43}$/)
})

it('preserves a query that the sign-in address of the platform has', async () => {
  const { lms, platform } = canvas()
  const lesson = createTestLink(canvas())
  const address = `${platform.auth_endpoint}?tenant=north%26south`
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { auth_endpoint: address } })
  const { location } = await lms.launcher().login(lesson)
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { auth_endpoint: platform.auth_endpoint } })
  const url = new URL(location ?? '')
  expect(url.origin + url.pathname).toBe(platform.auth_endpoint)
  expect(url.searchParams.get('tenant')).toBe('north&south')
  expect(url.searchParams.get('login_hint')).toBe(lesson.as.id)
})

it('sets cookies for frames on other sites, and takes the state’s away once it was used', async () => {
  const { login, reply, state } = await moodle().lms.launcher().go(createTestLink(moodle()))
  const cookies = login.headers.getSetCookie()
  const stateCookie = `state${hashOf(state ?? '')}`
  expect(cookies.map((line) => line.split('=')[0]).sort()).toEqual(['assay_cookie_check', stateCookie])
  for (const line of cookies)
    expect(line.split('; ')).toEqual(expect.arrayContaining(['Path=/lti', 'Secure', 'SameSite=None', 'Partitioned']))
  expect(cookies.find((line) => line.startsWith('state'))).toContain('HttpOnly')
  const [gone] = reply?.headers.getSetCookie() ?? []
  expect(gone).toMatch(new RegExp(`^${stateCookie}=;`))
  expect(gone).toContain('Partitioned')
})

it.each([false, true])('registers a deployment once, and says when it was first seen (listed: %s)', async (listed) => {
  const { lms, platform, deployment } = moodle()
  const { course, teacher } = lms.classOf(0)
  const other = lms.addDeployment(deployment.tool)
  const deployments = { id: other.id, first_seen_at: null }
  if (listed) await LtiPlatformModel.updateOne({ _id: platform._id }, { $push: { deployments } })
  const link = lms.addLink(course, { deployment: other })
  const replies = await Promise.all([1, 2].map(() => lms.launcher().go({ as: teacher, link })))
  expect(replies.map(({ reply }) => reply?.status)).toEqual([303, 303])
  const stored = await LtiPlatformModel.findById(platform._id).lean().orFail()
  const found = stored.deployments.filter(({ id }) => id === other.id)
  expect(found).toEqual([{ id: other.id, first_seen_at: expect.any(Date) }])
})

it.each(unusualButValid)('takes a token with %s', async (_what, change) => {
  const mutate = (claims: Claims) => void Object.assign(claims, change(claims))
  const { reply } = await moodle()
    .lms.launcher()
    .go({ ...createTestLink(moodle()), mutate })
  expect(reply?.status).toBe(303)
})

it('does not mix up 40 concurrent launches', async () => {
  const { lms, deployment } = moodle()
  const { course, students } = lms.classOf(40)
  const link = lms.addLink(course, { deployment })
  const launches = await Promise.all(
    students.map(async (student) => {
      const { reply } = await lms.launcher().go({ as: student, link })
      const id = /\/l\/([\w-]+)\//.exec(reply?.location ?? '')?.[1]
      return { student, launch: await LtiLaunchModel.findById(id).lean() }
    }),
  )
  const users = new Set(launches.map(({ launch }) => launch?.user_id))
  expect(users.size).toBe(40)
  expect(users.has(undefined)).toBe(false)
  expect(new Set(launches.map(({ launch }) => launch?.role))).toEqual(new Set(['student']))
  expect(lms.requestsTo('jwks').length).toBeLessThan(5)
})
