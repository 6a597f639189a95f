import { deactivatePlatform, rotatePlatformKey } from '@assay/shared/lti/lti-platforms.ts'
import {
  getSelfTest,
  type SelfTestCheck,
  type SelfTestName,
  selfTestNames,
  startSelfTest,
} from '@assay/shared/lti/lti-self-test.ts'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LaunchOptions } from '../../../../../../tests/fake-lms/launches/launcher.ts'
import type { Claims } from '../../../../../../tests/fake-lms/lms-kinds.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../../records/lti/platform-key.model.ts'
import { SelfTestModel } from '../../../../records/lti/self-test.model.ts'
import { buildPerson } from '../../../../testing/build-course.ts'
import { createTestLink, type RegisteredLms, startRegisteredLms } from '../../../../testing/registered-lms.ts'
import { type Person, useTestApi } from '../../../../testing/server.ts'
import { scopes } from '../../platform-client/access-token.ts'
import { createSelfTests } from './self-test.ts'

const { api, server } = useTestApi()
let admin: Person
let school: RegisteredLms
beforeAll(async () => {
  admin = await buildPerson('admin')
  server.running.services.config.publicUrl = server.running.url
})
beforeEach(async () => {
  school = await startRegisteredLms(server)
  return () => school.lms.close()
})

const params = () => ({ params: { platformId: school.platform._id } })
const change = (to: object) => LtiPlatformModel.updateOne({ _id: school.platform._id }, { $set: to })

const launch = (more: Partial<LaunchOptions> = {}) => school.lms.launcher().go({ ...createTestLink(school), ...more })

async function run(): Promise<Record<SelfTestName, SelfTestCheck>> {
  const started = await api.as(admin).send(startSelfTest, params())
  expect(started.status).toBe(202)
  const done = await vi.waitUntil(
    async () => {
      const { body } = await api.as(admin).send(getSelfTest, params())
      return body.self_test?.state === 'done' ? body.self_test : null
    },
    { timeout: 180_000, interval: 50 },
  )
  expect(done.id).toBe(started.body.id)
  expect(done.finished_at).not.toBeNull()
  expect(done.checks.map(({ name }) => name)).toEqual(selfTestNames)
  return Object.fromEntries(done.checks.map((check) => [check.name, check])) as Record<SelfTestName, SelfTestCheck>
}

const failures = (checks: Record<string, SelfTestCheck>) =>
  Object.values(checks)
    .filter(({ state }) => state !== 'ok')
    .map(({ name, state }) => [name, state])

describe('a self-test', () => {
  it('finds nothing but plain http here, once a launch has come', async () => {
    await launch()
    const checks = await run()
    expect(failures(checks)).toEqual([['address', 'warn']])
    expect(checks.services.parts.map(({ message }) => message)).toEqual([
      'Assay may read course rosters.',
      'Assay may manage gradebook columns.',
      'Assay may send grades.',
      'Assay may read grades.',
    ])
    expect(checks.cookies.message).toBe('How browsers were recognized in recent launches: 1 by cookie.')
    expect(checks.launches.parts).toMatchObject([
      { state: 'ok', message: 'Accepted as instructor.', at: expect.any(String) },
    ])
  })

  it('says what only a launch can tell while none has come', async () => {
    expect(failures(await run())).toEqual([
      ['address', 'warn'],
      ['client', 'warn'],
      ['redirect', 'warn'],
      ['cookies', 'warn'],
      ['launches', 'warn'],
    ])
  })

  it('runs once, however often the button is pressed, and stores the last only', async () => {
    const gate = Promise.withResolvers<void>()
    const end = school.lms.fail('jwks', { before: () => gate.promise, times: Infinity })
    const both = await Promise.all([1, 2].map(() => api.as(admin).send(startSelfTest, params())))
    end()
    gate.resolve()
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
    await run()
    await run()
    expect(await SelfTestModel.countDocuments({ platform_id: school.platform._id })).toBe(1)
  })

  it('goes on after a restart with what is left', async () => {
    const found = 'As it was found before'
    const checks: SelfTestCheck[] = [{ name: 'status', state: 'wrong', message: found, fix: null, parts: [] }]
    const _id = 1_000_000 + school.platform._id
    await SelfTestModel.create({
      _id,
      platform_id: school.platform._id,
      state: 'running',
      started_at: new Date(),
      checks,
    })
    await createSelfTests(server.running.services).resume()
    await expect.poll(async () => (await SelfTestModel.findById(_id).lean())?.state).toBe('done')
    const done = await SelfTestModel.findById(_id).lean()
    expect(done?.checks.map(({ name }) => name)).toEqual(selfTestNames)
    expect(done?.checks[0]?.message).toBe(found)
  })
})

describe('a fault is named, with how to fix it:', () => {
  it('deactivated', async () => {
    await api.as(admin).send(deactivatePlatform, params())
    expect((await run()).status).toMatchObject({ state: 'wrong', fix: expect.stringContaining('Reactivate') })
  })

  it('waiting for approval', async () => {
    await change({ status: 'pending' })
    expect((await run()).status).toMatchObject({ state: 'wrong', fix: expect.stringContaining('approve') })
  })

  it('an address that leads elsewhere', async () => {
    server.running.services.config.publicUrl = school.lms.url
    const { address } = await run().finally(() => {
      server.running.services.config.publicUrl = server.running.url
    })
    expect(address).toMatchObject({ state: 'wrong', fix: expect.stringContaining('PUBLIC_URL') })
  })

  it('an address nobody answers at', async () => {
    server.running.services.config.publicUrl = 'http://127.0.0.1:9'
    const { address } = await run().finally(() => {
      server.running.services.config.publicUrl = server.running.url
    })
    expect(address).toMatchObject({ state: 'warn', message: expect.stringContaining('could not be reached') })
  })

  it('a key that another SECRET_KEY locked away, until a new one is made', async () => {
    await LtiPlatformKeyModel.updateOne({ _id: school.platform.kid }, { $set: { private_key: 'AAAA' } })
    const checks = await run()
    expect(checks.signing_key).toMatchObject({ state: 'wrong', fix: expect.stringContaining('new key') })
    expect(checks.services.state).toBe('wrong')
    await api.as(admin).send(rotatePlatformKey, params())
    const after = await run()
    expect([after.signing_key.state, after.services.state, after.address.state]).toEqual(['ok', 'ok', 'warn'])
  })

  it.each([
    ['a key set that is not there', { status: 404 }, /status 404/],
    ['a key set that is a page', { status: 200, body: '<html></html>' }, /did not return a key set/],
    ['a key set without keys', { status: 200, body: { keys: [] } }, /no RSA key/],
    ['a key set that redirects', { redirect: '/login' }, /redirect/],
  ])('%s', async (_, fault, words) => {
    school.lms.fail('jwks', { ...fault, times: 2 })
    const { lms_keys } = await run()
    expect(lms_keys).toMatchObject({ state: 'wrong', message: expect.stringMatching(words) })
  })

  it('keys that are not those launches are signed with', async () => {
    await launch({ signing: 'unknown-kid' })
    const { lms_keys, launches } = await run()
    expect(lms_keys).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('was signed with a key that is not in the key set'),
    })
    expect(launches).toMatchObject({ state: 'wrong' })
  })

  it('a clock by which a launch was refused, whatever another server of the LMS says', async () => {
    const ahead = (claims: Claims) => Object.assign(claims, { iat: Number(claims.iat) + 594 })
    await launch({ mutate: ahead })
    expect((await run()).clock).toMatchObject({ state: 'wrong', message: expect.stringMatching(/59\d seconds ahead/) })
    await launch()
    expect((await run()).clock.state).toBe('ok')
  })

  it('clocks that differ', async () => {
    const date = new Date(Date.now() - 300_000).toUTCString()
    school.lms.fail('jwks', { headers: { date }, times: 2 })
    const { clock } = await run()
    expect(clock).toMatchObject({ state: 'wrong', fix: expect.stringContaining('NTP') })
    const seconds = Number(/(\d+) seconds behind/.exec(clock.message)?.[1])
    expect(seconds).toBeGreaterThanOrEqual(299)
    expect(seconds).toBeLessThan(600)
  })

  it('a service that is not granted, with what it is for', async () => {
    school.deployment.tool.scopes = [scopes.lineItems, scopes.scores, scopes.results]
    const { services } = await run()
    expect(services).toMatchObject({ state: 'warn', message: expect.stringContaining('1 permission') })
    expect(services.parts[0]).toMatchObject({
      state: 'warn',
      message: expect.stringMatching(/may not read course rosters/),
    })
    school.deployment.tool.scopes = [scopes.members]
    const less = (await run()).services
    expect(less).toMatchObject({ state: 'wrong', message: expect.stringContaining('3 permissions') })
  })

  it('a token with fewer scopes than requested', async () => {
    const body = { access_token: 'x', token_type: 'Bearer', expires_in: 60, scope: scopes.lineItemsReadonly }
    school.lms.fail('token', { status: 200, body, times: 1 })
    const { services } = await run()
    expect(services.parts.map(({ state }) => state)).toEqual(['warn', 'ok', 'ok', 'ok'])
    expect(services.parts[0]?.message).toContain('the LMS did not grant it')
  })

  it('no access at all, with the LMS’s reason', async () => {
    school.lms.fail('token', { status: 400, body: { error: 'invalid_client' }, times: 4 })
    const { services } = await run()
    expect(services).toMatchObject({ state: 'wrong', fix: expect.stringContaining('access token URL') })
    expect(services.parts).toHaveLength(4)
    expect(services.parts[0]?.message).toContain('400 invalid_client')
  })

  it.each([
    ['client_id', 'Client ID', 'the client ID'],
    ['issuer', 'Issuer', 'the issuer'],
  ] as const)('a %s that was copied wrong: a launch came with another one', async (field, label, words) => {
    const right = school.platform[field]
    await change({ [field]: `${right}/` })
    await launch()
    const { client } = await run()
    expect(client).toMatchObject({ state: 'wrong', fix: expect.stringContaining(label) })
    expect(client.message).toContain(`${words} ${right}, which is not registered`)
    await change({ [field]: right })
    await launch()
    expect((await run()).client.state).toBe('ok')
  })

  it('people the LMS does not send back', async () => {
    school.deployment.tool.redirectUris = ['https://elsewhere.example/launch']
    await launch()
    const { redirect } = await run()
    expect(redirect).toMatchObject({ state: 'wrong', fix: expect.stringContaining(`${server.running.url}/lti/launch`) })
    expect(redirect.message).toMatch(/started|without saying/)
  })

  it('a deployment that is not listed', async () => {
    await change({ deployments: [{ id: 'another', first_seen_at: null }], deployments_fixed: true })
    await launch()
    const { deployments } = await run()
    expect(deployments).toMatchObject({ state: 'wrong', fix: expect.stringContaining('Add it') })
    expect(deployments.message).toContain(school.deployment.id)
    await change({ deployments: [] })
    expect((await run()).deployments).toMatchObject({
      state: 'wrong',
      message: 'Only listed deployments may launch, but the list is empty.',
    })
  })

  it('a browser that stores no cookies', async () => {
    await school.lms.launcher({ cookies: false }).go(createTestLink(school))
    expect((await run()).cookies).toMatchObject({ state: 'warn', fix: expect.stringContaining('new window') })
  })

  it('a launch that was refused, with its reason', async () => {
    await launch({ mutate: (claims) => delete claims['https://purl.imsglobal.org/spec/lti/claim/version'] })
    const { launches } = await run()
    expect(launches).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('is incomplete'),
      fix: expect.any(String),
    })
    await launch()
    expect((await run()).launches.state).toBe('ok')
  })
})
