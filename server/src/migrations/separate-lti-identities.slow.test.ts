import type { mongo } from 'mongoose'
import { expect, it } from 'vitest'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiPlatformModel } from '../records/lti/platform.model.ts'
import { startTestServer } from '../testing/server.ts'
import { useStoredData } from '../testing/stored-data.ts'
import { separateLtiIdentities } from './0005-separate-lti-identities.ts'

const data = useStoredData()

const issuer = 'https://canvas.invalid'
const day = (n: number) => new Date(Date.UTC(2026, 2, n))

function platform(_id: number, jwks: string, more: object = {}) {
  const auth_endpoint = `${issuer}/auth`
  const values = { name: 'Canvas', lms: 'canvas', client_id: `client-${_id}`, token_endpoint: `${issuer}/token` }
  const created = { created_at: day(_id), updated_at: day(_id), status: 'active', kid: `kid-${_id}` }
  return { _id, issuer, auth_endpoint, jwks_url: `${issuer}/${jwks}`, ...values, ...created, ...more }
}

async function writeOldData(db: mongo.Db): Promise<void> {
  const insert = (name: string, ...docs: Record<string, unknown>[]) =>
    db.collection(name).insertMany(docs as mongo.OptionalId<mongo.Document>[])
  const alone = { issuer: 'https://moodle.invalid', client_id: 'moodle' }
  await insert(
    'lti_platforms',
    platform(1, 'keys'),
    platform(2, 'keys'),
    platform(3, 'other-keys'),
    platform(4, 'keys', alone),
  )
  const identity = (_id: number, sub: string, created: number) => ({
    ...{ _id, issuer, sub, user_id: 100 + _id, test_user: false, created_at: day(created) },
  })
  await insert(
    'lti_identities',
    identity(1, 'of the first', 2),
    identity(2, 'of the second tool', 5),
    identity(3, 'of the other LMS', 5),
    identity(4, 'of both', 5),
    identity(5, 'older than the other LMS', 2),
    identity(6, 'merged', 5),
    identity(7, 'without a course', 5),
  )
  const user = (_id: number, from_lms: boolean) => ({
    ...{ _id, username: `user-${_id}`, username_key: `user-${_id}`, email: '', email_key: `lti:${_id}` },
    ...{ role: 'student', account: 'active', from_lms, created_at: day(1), updated_at: day(1) },
  })
  await insert('users', ...[1, 2, 3, 4, 5, 7].map((n) => user(100 + n, true)), user(106, false))
  const context = (_id: number, platform_id: number) => ({
    ...{ _id, platform_id, deployment_id: '1', context_id: 'c', created_at: day(5), launched_at: day(5) },
  })
  await insert('lti_contexts', context(11, 1), context(12, 2), context(13, 3))
  const member = (at: number, sub: string, n: number) => ({
    ...{ _id: `${at}/${sub}`, context: at, sub, user_id: 100 + n, role: 'student', status: 'active' },
  })
  await insert(
    'lti_members',
    member(11, 'of the first', 1),
    member(12, 'of the second tool', 2),
    member(13, 'of the other LMS', 3),
    member(11, 'of both', 4),
    member(13, 'of both', 4),
    member(13, 'older than the other LMS', 5),
    member(13, 'merged', 6),
  )
  const launch = (_id: string, platform_id: number) => ({ _id, platform_id, expires_at: new Date(Date.now() + 3.6e6) })
  await insert('lti_launches', launch('mine', 1), launch('theirs', 3))
  const session = (launch_id: string) => ({
    ...{ _id: `of ${launch_id}`, user_id: 104, role: 'student', launch_id, expires_at: new Date(Date.now() + 3.6e6) },
  })
  await insert('sessions', session('mine'), session('theirs'))
}

it('gives two LMSs that claimed one issuer people of their own, and nobody’s account to both', async () => {
  await data.withDatabase(async (db) => {
    await writeOldData(db)
    // Twice, as after a crash before it was recorded.
    await separateLtiIdentities(db)
    await separateLtiIdentities(db)
    expect((await db.collection('sessions').find().toArray()).map(({ _id }) => String(_id))).toEqual(['of mine'])
    expect((await db.collection('lti_launches').find().toArray()).map(({ _id }) => String(_id))).toEqual(['mine'])
  })
  const running = await startTestServer(data.dataDir)
  const platforms = await LtiPlatformModel.find().sort({ _id: 1 }).lean()
  const other = `${issuer} platform-3`
  expect(platforms.map(({ identity_issuer }) => identity_issuer)).toEqual([
    issuer,
    issuer,
    other,
    'https://moodle.invalid',
  ])
  const identities = await LtiIdentityModel.find().sort({ _id: 1 }).lean()
  expect(identities.map((one) => [one.sub, one.issuer])).toEqual([
    ['of the first', issuer],
    ['of the second tool', issuer],
    ['of the other LMS', other],
    ['of both', issuer],
    ['older than the other LMS', issuer],
    ['merged', issuer],
    ['without a course', issuer],
  ])
  await running.stop()
})
