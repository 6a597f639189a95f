import {
  approvePlatform,
  changePlatform,
  createPlatform,
  deactivatePlatform,
  deletePlatform,
  getPlatform,
  listPlatforms,
  reactivatePlatform,
  rotatePlatformKey,
} from '@assay/shared/lti/lti-platforms.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { rotateSigningKey } from './platform.routes.ts'
import { findPlatform, requirePlatform, createPlatform as store } from './platform.service.ts'

const { api, server } = useTestApi({ LTI_PRIVATE_ADDRESSES: 'off' })
let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

const fresh = () => Math.random().toString(36).slice(2, 10)
const of = (platformId: number) => ({ params: { platformId } })

function moodle(more: object = {}) {
  const site = `https://${fresh()}.invalid`
  return {
    name: 'Our Moodle',
    lms: 'moodle' as const,
    issuer: site,
    client_id: fresh(),
    auth_endpoint: `${site}/mod/lti/auth.php`,
    token_endpoint: `${site}/mod/lti/token.php`,
    jwks_url: `${site}/mod/lti/certs.php`,
    ...more,
  }
}

async function register(more: object = {}) {
  const reply = await api.as(admin).send(createPlatform, { body: moodle(more) })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

const auditOf = (id: number) => AuditModel.find({ 'subject.platform_id': id }).sort({ _id: 1 }).lean()

describe('registering an LMS manually', () => {
  it('stores it as given, active, with a key of its own that is never shown', async () => {
    const body = moodle({ deployments: ['1', '2', '1'], origins: ['https://other.example/path?x=1'] })
    const made = await api.as(admin).send(createPlatform, { body })
    expect(made).toMatchObject({
      status: 201,
      body: {
        issuer: body.issuer,
        client_id: body.client_id,
        status: 'active',
        registered_by: 'values',
        token_audience: null,
        origins: ['https://other.example'],
        deployments: [
          { id: '1', first_seen_at: null },
          { id: '2', first_seen_at: null },
        ],
        deployments_fixed: false,
        earlier_keys: [],
        last_launch: null,
      },
    })
    expect(await findPlatform(body.issuer, body.client_id)).toMatchObject({ _id: made.body.id })
    expect(await LtiPlatformKeyModel.countDocuments({ platform_id: made.body.id })).toBe(1)
    const listed = await api.as(admin).send(listPlatforms)
    expect(listed.body.map(({ id }) => id)).toContain(made.body.id)
    expect(listed.text).not.toMatch(/PRIVATE|private_key|PUBLIC KEY/)
    expect(await auditOf(made.body.id)).toMatchObject([{ action: 'lms.registered', actor_id: admin.id }])
  })

  it('takes the same issuer with another client, and the same client only once', async () => {
    const first = await register()
    const again = moodle({ issuer: first.issuer, client_id: first.client_id })
    const twice = await api.as(admin).send(createPlatform, { body: again })
    expect(twice).toMatchObject({ status: 409, body: { validation_errors: [{ field: 'client_id' }] } })
    const other = await api.as(admin).send(createPlatform, { body: moodle({ issuer: first.issuer }) })
    expect(other.status).toBe(201)
    expect(await findPlatform(first.issuer, null)).toBeNull()
    await api.as(admin).send(deactivatePlatform, of(other.body.id))
    expect(await findPlatform(first.issuer, null)).toMatchObject({ _id: first.id })
  })

  it.each([
    ['auth_endpoint', 'http://lms.example/auth', /https/],
    ['token_endpoint', 'https://10.0.0.7/token', /private address/],
    ['jwks_url', 'https://127.0.0.1/certs', /private address/],
    ['jwks_url', 'https://localhost/certs', /private address/],
    ['jwks_url', 'https://[::1]/certs', /private address/],
    ['jwks_url', 'https://[::ffff:10.0.0.1]/certs', /private address/],
    ['jwks_url', 'https://169.254.169.254/latest', /private address/],
    ['issuer', 'moodle', /web address/],
    ['token_endpoint', 'https://user:secret@lms.example/token', /web address/],
    ['token_endpoint', 'javascript:alert(1)', /web address/],
    ['client_id', 'two words', /no spaces/],
    ['name', '  ', /required/],
  ])('says at the field what is wrong with %s %s', async (field, value, words) => {
    const before = (await api.as(admin).send(listPlatforms)).body.length
    const reply = await api.as(admin).send(createPlatform, { body: moodle({ [field]: value }) })
    expect(reply.status).toBe(422)
    expect(reply.body.validation_errors).toEqual([
      expect.objectContaining({ field, message: expect.stringMatching(words) }),
    ])
    expect((await api.as(admin).send(listPlatforms)).body).toHaveLength(before)
  })
})

describe('changing an LMS', () => {
  it('changes the named fields only, and records the old values in the audit log', async () => {
    const { id, issuer } = await register({ deployments: ['1'] })
    const seen = new Date('2026-01-02T03:04:05Z')
    await LtiPlatformModel.updateOne({ _id: id }, { $set: { deployments: [{ id: '1', first_seen_at: seen }] } })
    const body = { name: 'Moodle of the north', deployments: ['1', '9'], deployments_fixed: true }
    const changed = await api.as(admin).send(changePlatform, { ...of(id), body })
    expect(changed.body).toMatchObject({
      name: 'Moodle of the north',
      issuer,
      deployments: [
        { id: '1', first_seen_at: seen.toISOString() },
        { id: '9', first_seen_at: null },
      ],
      deployments_fixed: true,
    })
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'lms.changed',
      before: { name: 'Our Moodle', deployments_fixed: false },
      after: { name: 'Moodle of the north', deployments_fixed: true },
    })
  })

  it('does not change the issuer once people are known by it', async () => {
    const { id, issuer } = await register()
    const { identity_issuer } = await requirePlatform(id)
    await LtiIdentityModel.create({
      _id: id,
      issuer: identity_issuer,
      sub: '7',
      user_id: admin.id,
      created_at: new Date(),
    })
    const body = { issuer: 'https://moved.invalid' }
    const refused = await api.as(admin).send(changePlatform, { ...of(id), body })
    expect(refused).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'issuer' }] } })
    expect((await requirePlatform(id)).issuer).toBe(issuer)
  })

  it('refuses an address of its own network as it does at first', async () => {
    const { id } = await register()
    const reply = await api
      .as(admin)
      .send(changePlatform, { ...of(id), body: { jwks_url: 'https://192.168.1.1/certs' } })
    expect(reply).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'jwks_url' }] } })
  })
})

describe('switching an LMS off', () => {
  it('is recorded, as is switching it on', async () => {
    const { id } = await register()
    const off = await api.as(admin).send(deactivatePlatform, of(id))
    expect(off.body.status).toBe('off')
    expect((await api.as(admin).send(reactivatePlatform, of(id))).body.status).toBe('active')
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'lms.registered',
      'lms.switched_off',
      'lms.switched_on',
    ])
  })

  it('makes one that nobody has approved wait again when it is reactivated', async () => {
    const { _id } = await store({ ...moodle(), token_audience: null, status: 'pending' }, server.running.services)
    await api.as(admin).send(deactivatePlatform, of(_id))
    expect((await api.as(admin).send(reactivatePlatform, of(_id))).body.status).toBe('pending')
    expect((await api.as(admin).send(approvePlatform, of(_id))).body.status).toBe('active')
  })
})

describe('a key', () => {
  it('is replaced at once, while the old one’s public part stays a week and signs no more', async () => {
    const { id, key } = await register()
    const rotated = await api.as(admin).send(rotatePlatformKey, of(id))
    expect(rotated.body.key.kid).not.toBe(key.kid)
    expect(rotated.body.earlier_keys).toMatchObject([{ kid: key.kid }])
    const week = Date.parse(rotated.body.earlier_keys[0]?.gone_at ?? '') - Date.now()
    expect(week / 86_400_000).toBeCloseTo(7, 1)
    expect(await LtiPlatformKeyModel.findById(key.kid).lean()).toMatchObject({ private_key: null })
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'lms.key_rotated' })
  })

  it('is replaced once when two ask at the same moment', async () => {
    const { id } = await register()
    const platform = await requirePlatform(id)
    const actor = { id: admin.id, role: 'admin' as const, sessionId: 'none' }
    const both = await Promise.allSettled([1, 2].map(() => rotateSigningKey(platform, actor, server.running.services)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    expect((await api.as(admin).send(getPlatform, of(id))).body.earlier_keys).toHaveLength(1)
    expect(await LtiPlatformKeyModel.countDocuments({ platform_id: id })).toBe(2)
  })
})

describe('deleting an LMS', () => {
  it('takes its keys along, where nothing hangs on it', async () => {
    const { id } = await register()
    expect((await api.as(admin).send(deletePlatform, of(id))).status).toBe(200)
    expect((await api.as(admin).send(getPlatform, of(id))).status).toBe(404)
    expect(await LtiPlatformKeyModel.countDocuments({ platform_id: id })).toBe(0)
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'lms.deleted', before: { name: 'Our Moodle' } })
  })

  it('says what hangs on it otherwise, and deletes nothing', async () => {
    const { id } = await register()
    const { identity_issuer: issuer } = await requirePlatform(id)
    await LtiContextModel.create({
      _id: id,
      platform_id: id,
      deployment_id: '1',
      context_id: 'c',
      created_at: new Date(),
      launched_at: new Date(),
    })
    for (const sub of ['1', '2'])
      await LtiIdentityModel.create({
        _id: 1000 * id + Number(sub),
        issuer,
        sub,
        user_id: admin.id,
        created_at: new Date(),
      })
    const refused = await api.as(admin).send(deletePlatform, of(id))
    expect(refused).toMatchObject({
      status: 409,
      body: { message: '1 course and 2 people came from Our Moodle. Deactivate it instead.' },
    })
    expect((await api.as(admin).send(getPlatform, of(id))).body.status).toBe('active')
  })
})
