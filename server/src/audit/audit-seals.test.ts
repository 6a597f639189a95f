import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand, useFolders } from '../maintenance/backup/testing/commands.ts'
import { inDatabase } from '../maintenance/backup/testing/stored-content.ts'
import { eraseAudit } from '../maintenance/personal-data/erasure/erase-audit.ts'
import type { ErasureDoc } from '../records/people/erasure.model.ts'
import { useOwnServer } from '../testing/server.ts'
import { type AuditDoc, AuditModel, recordAudit, SYSTEM_ACTOR } from './audit.service.ts'
import { AuditSealModel, createSealKey } from './audit-seal.ts'
import { checkAudit } from './check-audit.ts'
import { sealAudit } from './seal-audit.ts'

const server = useOwnServer()
const folder = useFolders()
const key = () => createSealKey(server.running.services.config.secretKey)
const seal = () => sealAudit(server.running.services)

async function check(head?: string) {
  const [seals, entries] = [await AuditSealModel.find().lean(), await AuditModel.find().lean()]
  return checkAudit({ seals: () => seals, entries: () => entries }, [key()], head)
}

const record = (submission_id: number, feedback = 'Well done, Ada') => {
  const subject = { submission_id, assignment_id: 1 }
  const after = { overall_score: 80, feedback, by: { id: 4, at: new Date('2026-11-20T10:00:00Z') } }
  return recordAudit(SYSTEM_ACTOR, 'grade.overridden', subject, new Date(), { before: null, after })
}

/** Two seals: of entries about the papers 1 to 3, and 4. */
async function buildSealedLog(): Promise<AuditDoc[]> {
  for (const paper of [1, 2, 3]) await record(paper)
  await seal()
  await record(4)
  await seal()
  return AuditModel.find({ action: 'grade.overridden' }).sort({ _id: 1 }).lean()
}

beforeEach(async () => {
  await AuditModel.deleteMany({})
  await AuditSealModel.deleteMany({})
})

it('finds nothing changed where nothing was, and says what is not sealed yet', async () => {
  await buildSealedLog()
  await record(5)
  const checked = await check()
  expect(checked).toMatchObject({ entries: 5, seals: 2, unsealed: 1, erased: 0, problems: [] })
  expect((await check(checked.head ?? '')).problems).toEqual([])
  await seal()
  expect(await check(checked.head ?? '')).toMatchObject({ seals: 3, unsealed: 0, problems: [] })
})

describe('it notices', () => {
  it.each<[string, object, (entry: AuditDoc) => string[]]>([
    ['another value', { 'after.overall_score': 90 }, ({ _id }) => [`Entry ${_id} was changed after it was sealed.`]],
    ['another word', { 'after.feedback': 'Bad' }, ({ _id }) => [`Entry ${_id} was changed after it was sealed.`]],
    ['another person', { actor_id: 7 }, ({ _id }) => [`Entry ${_id} was changed after it was sealed.`]],
    ['another time', { at: new Date(0) }, ({ _id }) => [`Entry ${_id} was changed after it was sealed.`]],
    [
      'another word under the pretext of an erasure',
      { 'after.feedback': 'Bad', erased: true },
      ({ _id }) => [`Entry ${_id} was changed after it was sealed.`],
    ],
    [
      'another score under the pretext of an erasure',
      { 'after.overall_score': 90, erased: true },
      ({ _id }) => [`Entry ${_id} was changed after it was sealed.`],
    ],
  ])('%s', async (_, set, told) => {
    const [, second] = await buildSealedLog()
    if (!second) throw new Error('four entries')
    await AuditModel.updateOne({ _id: second._id }, { $set: set })
    expect((await check()).problems).toEqual(told(second))
  })

  it('an entry that was removed', async () => {
    const [first] = await buildSealedLog()
    await AuditModel.deleteOne({ _id: first?._id ?? 0 })
    expect((await check()).problems).toEqual([`Entry ${first?._id} was removed.`])
  })

  it('an entry with the seal’s proof of it made anew without the key', async () => {
    const [first] = await buildSealedLog()
    await AuditModel.deleteOne({ _id: first?._id ?? 0 })
    await AuditSealModel.updateOne({ _id: 1 }, { $pop: { entries: -1, proofs: -1 } })
    expect((await check()).problems).toEqual(['Seal 1 was changed.'])
  })

  it('a seal that was removed, and the newest one where its hash was noted', async () => {
    await buildSealedLog()
    const { head } = await check()
    await AuditModel.deleteOne({ seal: 2 })
    await AuditSealModel.deleteOne({ _id: 2 })
    expect((await check()).problems).toEqual([])
    expect((await check(head ?? '')).problems).toEqual(['No seal has that hash: seals were removed or made anew.'])
    await buildSealedLog()
    await AuditSealModel.deleteOne({ _id: 2 })
    expect((await check()).problems).toContain('Seal 2 was removed.')
  })
})

it('does not prove a changed entry anew, whoever takes its seal away', async () => {
  const [first] = await buildSealedLog()
  await AuditModel.updateOne({ _id: first?._id ?? 0 }, { $set: { actor_id: 99 }, $unset: { seal: '' } })
  await record(5)
  await seal()
  expect((await check()).problems).toEqual([`Entry ${first?._id} was changed after it was sealed.`])
})

it('notices that all seals were removed, and entries that were kept from being sealed', async () => {
  const entries = await buildSealedLog()
  await AuditSealModel.deleteMany({})
  expect((await check()).problems).toEqual(
    entries.map(({ _id, seal: named }) => `Entry ${_id} is not in the seal it names, ${named}.`),
  )
  await AuditModel.updateMany({}, { $set: { at: new Date('2020-01-01T00:00:00Z') }, $unset: { seal: '' } })
  await record(5)
  expect((await check()).problems).toEqual(entries.map(({ _id }) => `Entry ${_id} was never sealed.`))
  await AuditModel.collection.insertOne({ _id: 'x' as never, action: 'made up' })
  await seal()
  expect((await check()).problems).toEqual(['Entry x was not made by Assay.'])
})

it('says once that seals were made with another key', async () => {
  await buildSealedLog()
  const [seals, all] = [await AuditSealModel.find().lean(), await AuditModel.find().lean()]
  const checked = await checkAudit({ seals: () => seals, entries: () => all }, [createSealKey('another')])
  expect(checked.problems).toEqual(['Seals 1 to 2 were made with another SECRET_KEY, and could not be checked.'])
})

it('checks seals of a key that was replaced, where both are given', async () => {
  await buildSealedLog()
  const [seals, all] = [await AuditSealModel.find().lean(), await AuditModel.find().lean()]
  const keys = [createSealKey('the key of now'), key()]
  const check = () => checkAudit({ seals: () => seals, entries: () => all }, keys)
  expect((await check()).problems).toEqual([])
  const [first] = all
  if (first) first.action = 'changed'
  expect((await check()).problems).toEqual([`Entry ${first?._id} was changed after it was sealed.`])
})

it('stays whole when a person is erased, and counts what has no words any more', async () => {
  const [first] = await buildSealedLog()
  const erasure = { account_ids: [], submission_ids: [1] as number[] } as Partial<ErasureDoc> as ErasureDoc
  const { services } = server.running
  await eraseAudit({ erasure, accounts: [], services, signal: new AbortController().signal })
  expect((await AuditModel.findById(first?._id).lean())?.after).toMatchObject({ feedback: '(removed)' })
  expect(await check()).toMatchObject({ erased: 1, problems: [] })
})

it('is completed where the process ended between a seal and its entries, and by one of two at once', async () => {
  await buildSealedLog()
  await AuditModel.updateMany({ seal: 2 }, { $unset: { seal: '' } })
  for (const paper of [5, 6, 7]) await record(paper)
  const ended = await Promise.allSettled([seal(), seal()])
  expect(ended.some(({ status }) => status === 'fulfilled')).toBe(true)
  await seal()
  expect(await check()).toMatchObject({ entries: 7, unsealed: 0, problems: [] })
  const sealed = (await AuditSealModel.find().lean()).flatMap(({ entries }) => entries)
  expect(new Set(sealed).size).toBe(sealed.length)
})

it('is checked by a command, also while Assay runs', async () => {
  const [first] = await buildSealedLog()
  const dataDir = folder('data')
  const run = (...args: string[]) =>
    runCommand('check-audit', args, dataDir, { SECRET_KEY: server.running.services.config.secretKey })
  const docs = {
    audit: await AuditModel.collection.find().toArray(),
    audit_seals: await AuditSealModel.collection.find().toArray(),
  }
  await inDatabase(dataDir, async (db) => {
    for (const [name, all] of Object.entries(docs)) await db.collection(name).insertMany(all)
    const whole = await run()
    expect(whole.said).toContain('Entries in the audit log: 4, in 2 seals.')
    expect([whole.status, whole.said]).toEqual([0, expect.stringContaining('Nothing was changed.')])
    const [, head = ''] = /Newest seal: (\w+)/.exec(whole.said) ?? []
    expect((await run('--head', head)).status).toBe(0)
    await db.collection<{ _id: number }>('audit').updateOne({ _id: first?._id ?? 0 }, { $set: { actor_id: 99 } })
  })
  const changed = await run()
  const told = `Entry ${first?._id} was changed after it was sealed.`
  expect([changed.status, changed.said]).toEqual([1, expect.stringContaining(told)])
})
