import { createPlatform, listLaunchLog } from '@assay/shared/lti/lti-platforms.ts'
import mongoose, { type mongo } from 'mongoose'
import { expect, it } from 'vitest'
import { closeDatabase, connectedDatabase, openDatabase } from '../lib/database/database.ts'
import { LtiDeepLinkResponseModel } from '../records/lti/deep-link-response.model.ts'
import { LtiPlatformModel } from '../records/lti/platform.model.ts'
import { LtiPlatformPauseModel } from '../records/lti/score.model.ts'
import { buildPerson } from '../testing/build-course.ts'
import { createTestDatabase } from '../testing/create-test-database.ts'
import { createTestApi, startTestServer } from '../testing/server.ts'
import { useStoredData } from '../testing/stored-data.ts'
import { migrationNames } from './migrations.ts'
import { runMigrations } from './run-migrations.ts'

const data = useStoredData()

/** Too recent for the database to delete it. */
const at = new Date(Date.now() - 5 * 24 * 3_600_000)
const logged = new mongoose.Types.ObjectId()
const refused = new mongoose.Types.ObjectId()
const response = {
  _id: 'a-launch',
  context: 3,
  assignment_ids: [8, 9],
  token_hash: 'hash',
  token_expires_at: at,
  sent_at: at,
}
const pause = {
  _id: 1,
  failures: 2,
  resume_at: new Date(at.getTime() + 1000),
  problem: 'canvas.invalid denied access (503).',
}

async function writeOldData(db: mongo.Db): Promise<void> {
  const entry = {
    at,
    platform_id: 1,
    issuer: 'https://canvas.invalid',
    client_id: '10',
    deployment_id: '1',
    step: 'launch',
    detail: null,
    via: 'cookie',
    clock_offset: -1,
    scopes: null,
  }
  const log = db.collection('lti_door_log')
  await log.createIndex({ platform_id: 1, at: -1, _id: -1 })
  await log.createIndex({ at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
  await log.insertMany([
    { ...entry, _id: logged, outcome: 'let_in', code: null, role: 'student' },
    { ...entry, _id: refused, outcome: 'refused', code: 'state_unknown', role: null, via: null },
  ])
  await db.collection<{ _id: string }>('lti_answers').insertOne(response)
  await db.collection<{ _id: number }>('lti_senders').insertOne(pause)
  await db.collection<{ _id: number }>('audit_seals').insertOne({ _id: 1 })
  await db.collection('audit').createIndex({ seal: 1 })
}

it('opens the data of the version before with nothing lost, runs each migration once and leaves later data alone', async () => {
  await data.withDatabase(writeOldData)

  const running = await startTestServer(data.dataDir)
  const admin = createTestApi({ running }).as(await buildPerson('admin'))
  const site = 'https://canvas.invalid'
  const platform = await admin.send(createPlatform, {
    body: {
      name: 'Canvas',
      lms: 'canvas',
      issuer: site,
      client_id: '10',
      auth_endpoint: `${site}/auth`,
      token_endpoint: `${site}/token`,
      jwks_url: `${site}/certs`,
    },
  })
  expect(platform.status).toBe(201)
  // Test servers count platforms from elsewhere.
  const created = await LtiPlatformModel.findOneAndDelete({ _id: platform.body.id }).lean()
  await LtiPlatformModel.collection.insertOne({ ...created, _id: 1 } as never)
  const log = await admin.send(listLaunchLog, { params: { platformId: 1 }, query: {} })
  expect(log.body).toMatchObject([
    { id: String(refused), outcome: 'refused', code: 'state_unknown', at: at.toISOString() },
    { id: String(logged), outcome: 'accepted', role: 'student', via: 'cookie' },
  ])
  expect(await LtiDeepLinkResponseModel.find().lean()).toEqual([response])
  expect(await LtiPlatformPauseModel.find().lean()).toEqual([pause])
  await running.stop()

  await data.withDatabase(async (db) => {
    const names = (await db.listCollections().toArray()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['lti_launch_log', 'lti_deep_link_responses', 'lti_platform_pauses']))
    expect(
      names.filter((name) => ['lti_door_log', 'lti_answers', 'lti_senders', 'audit_seals'].includes(name)),
    ).toEqual([])
    expect(await db.collection('audit').indexExists('seal_1')).toBe(false)
    expect(await db.collection('migrations').find().toArray()).toMatchObject([
      { _id: '0001-rename-lti-collections' },
      { _id: '0002-rename-llm-records' },
      { _id: '0003-rename-llm-call-error' },
      { _id: '0004-rename-rubric-generations' },
      { _id: '0005-separate-lti-identities' },
      { _id: '0006-count-analytics-changes' },
      { _id: '0007-drop-amendment-previews' },
      { _id: '0008-remove-audit-seals' },
      { _id: '0009-unflag-small-classes' },
      { _id: '0010-store-points' },
    ])
    // A recorded migration does not run again.
    await db.collection('lti_launch_log').updateOne({ _id: refused }, { $set: { outcome: 'let_in' } })
  })
  const again = await startTestServer(data.dataDir)
  await again.stop()
  await data.withDatabase(async (db) => {
    expect(await db.collection('lti_launch_log').findOne({ _id: refused })).toMatchObject({ outcome: 'let_in' })
  })
})

it('has nothing to change in a new database, and says nothing', async () => {
  const database = await createTestDatabase()
  const said: unknown[] = []
  await openDatabase(database.url, (db) => runMigrations(db, { info: (...line: unknown[]) => void said.push(line) }))
  const recorded = await connectedDatabase().collection('migrations').distinct('_id')
  await closeDatabase()
  await database.drop()
  expect([recorded, said]).toEqual([migrationNames(), []])
})
