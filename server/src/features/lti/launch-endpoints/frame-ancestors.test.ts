import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  changePlatform,
  createPlatform,
  deactivatePlatform,
  reactivatePlatform,
} from '@assay/shared/lti/lti-platforms.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { frameAncestorsOf, updatePlatformFromLaunch } from './handle-launch.ts'

const clientFolder = mkdtempSync(join(tmpdir(), 'assay-client-'))
writeFileSync(join(clientFolder, 'index.html'), '<!doctype html><title>Assay</title>')
afterAll(() => rmSync(clientFolder, { recursive: true }))

const { api, server } = useTestApi({}, { clientFolder })
let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

async function framingOf(path: string) {
  const { headers } = await fetch(`${server.running.url}${path}`)
  const policy = headers.get('content-security-policy') ?? ''
  return { ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1], options: headers.get('x-frame-options') }
}
const launchPages = ['/l/some-launch/enter', '/l/some-launch/assignments/1']
const ownPages = ['/', '/auth/login', '/assignments/1', '/admin/users', '/l', '/api/v1/courses', '/x?/l/y']
const nobody = { ancestors: "'none'", options: 'DENY' }
const refused = { ancestors: '*', options: null }

async function expectOnLaunchPages(expected: { ancestors: string; options: string | null }): Promise<void> {
  await expect.poll(() => Promise.all(launchPages.map(framingOf))).toEqual(launchPages.map(() => expected))
  expect(await Promise.all(ownPages.map(framingOf))).toEqual(ownPages.map(() => nobody))
}
const values = (name: string) => ({
  name,
  lms: 'other' as const,
  issuer: `https://${name}.example`,
  client_id: 'assay',
  auth_endpoint: `https://sign-in.${name}.example/auth`,
  token_endpoint: `https://${name}.example/token`,
  jwks_url: `https://${name}.example/jwks`,
})

it.each([
  ['a login of an LMS that is not registered', '/lti/login?iss=https://x.example&login_hint=1&target_link_uri=x', 400],
  ['a login that says nothing', '/lti/login', 400],
  ['a launch without a message', '/lti/launch', 400],
  ['a registration link that is not valid', '/lti/register/made-up', 403],
  ['a choice that was sent', '/lti/return/made-up', 410],
])('lets anybody frame the page that says why not: %s', async (_, path, status) => {
  expect((await fetch(`${server.running.url}${path}`)).status).toBe(status)
  expect(await framingOf(path)).toEqual({ ancestors: '*', options: null })
})

it('sends the font of these pages to frames without an origin too', async () => {
  const { status, headers } = await fetch(`${server.running.url}/lti/inter.woff2`)
  expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
    200,
    'font/woff2',
    '*',
  ])
})

it('lets nobody frame the client while no LMS is active: a page that says why not is in its place', async () => {
  await expectOnLaunchPages(refused)
  const page = await fetch(`${server.running.url}${launchPages[0]}`)
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('This LMS has been deactivated in Assay.'),
  ])
})

it('lets the active LMSs’ pages frame those of launches, and nobody else’s; no others of ours', async () => {
  const north = await api.as(admin).send(createPlatform, { body: values('north') })
  const { id: platformId } = north.body
  const theirs = 'https://north.example https://sign-in.north.example'
  await expectOnLaunchPages({ ancestors: `'self' ${theirs}`, options: null })
  await api
    .as(admin)
    .send(changePlatform, { params: { platformId }, body: { origins: ['https://pages.north.example'] } })
  const all = "'self' https://north.example https://pages.north.example https://sign-in.north.example"
  await expectOnLaunchPages({ ancestors: all, options: null })
  const south = await api.as(admin).send(createPlatform, { body: values('south') })
  await expectOnLaunchPages({ ancestors: `${all} https://sign-in.south.example https://south.example`, options: null })
  await api.as(admin).send(deactivatePlatform, { params: { platformId: south.body.id } })
  await expectOnLaunchPages({ ancestors: all, options: null })
  await api.as(admin).send(deactivatePlatform, { params: { platformId } })
  await expectOnLaunchPages(refused)
  await api.as(admin).send(reactivatePlatform, { params: { platformId } })
  await expectOnLaunchPages({ ancestors: all, options: null })
})

it('does not count an LMS that waits to be approved, and reports those allowed to a gateway', async () => {
  const { events } = server.running.services
  const asked = async () => (await fetch(`${server.running.url}/lti/frame-ancestors`)).json()
  await LtiPlatformModel.updateMany({}, { $set: { status: 'pending' } })
  events.emit('lti_platforms_changed', {})
  await expectOnLaunchPages(refused)
  await LtiPlatformModel.updateMany({}, { $set: { status: 'active' } })
  events.emit('lti_platforms_changed', {})
  await expect.poll(asked).toMatchObject({ origins: expect.arrayContaining(['https://north.example']) })
})

it('leaves out of the header what would end it', () => {
  const origins = [
    'https://school.example:8443',
    'https://*.school.example',
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example, *',
    '*',
    'javascript:alert(1)',
    'https://b.example/path',
  ]
  expect(frameAncestorsOf([{ issuer: 'no address', auth_endpoint: 'https://lms.example/auth?x=1', origins }])).toEqual([
    'https://*.school.example',
    'https://lms.example',
    'https://school.example:8443',
  ])
})

it('takes the origin of an LMS’s pages from a launch, but none that stands for others', async () => {
  const { body } = await api.as(admin).send(createPlatform, { body: values('harbour') })
  const launchFrom = async (returnUrl: string) => {
    const platform = await LtiPlatformModel.findById(body.id).lean().orFail()
    const facts = { deploymentId: '1', presentation: { return_url: returnUrl } } as LaunchFacts
    await updatePlatformFromLaunch(facts, platform, { services: server.running.services, framing: { refresh } })
  }
  const refresh = () => Promise.resolve([])
  for (const address of ['https://*.com/back', 'https://*/back', 'https://*.harbour.example/back'])
    await launchFrom(address)
  expect((await LtiPlatformModel.findById(body.id).lean().orFail()).origins).toEqual([])
  await launchFrom('https://pages.harbour.example/back')
  expect((await LtiPlatformModel.findById(body.id).lean().orFail()).origins).toEqual(['https://pages.harbour.example'])
})
