import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { expect, it } from 'vitest'
import { LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import { createTestLink, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'
import { trimLaunchLog } from './launch-attempt.ts'

const server = useServer()
const school = useRegisteredLms(server, { kind: 'canvas' })

/** Without what the server's own timers add and remove. */
async function countDocuments(): Promise<Record<string, number>> {
  const { db } = mongoose.connection
  if (!db) throw new Error('connected')
  const names = (await db.listCollections().toArray())
    .map(({ name }) => name)
    .filter((name) => !['jobs', 'locks'].includes(name))
    .sort()
  const counts = await Promise.all(names.map((name) => db.collection(name).countDocuments()))
  return Object.fromEntries(names.map((name, i) => [name, counts[i] ?? 0]))
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  const sizes = entries.map((one) => {
    const path = join(folder, one.name)
    return one.isDirectory() ? bytesOf(path) : statSync(path).size
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function flood(count: number, request: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => request(n + i)))
}

it('stores nothing for 500 logins that nobody continues', async () => {
  const { dataDir } = server.running.services.config
  const { url } = await school().lms.launcher().login(createTestLink(school()))
  const hint = 'h'.repeat(2000)
  const before = { documents: await countDocuments(), bytes: bytesOf(dataDir) }
  const statuses = new Set<number>()
  await flood(500, async (n) => {
    const address = new URL(url)
    address.searchParams.set('login_hint', `${n}${hint}`)
    address.searchParams.set('lti_message_hint', hint)
    statuses.add((await fetch(address, { redirect: 'manual' })).status)
  })
  expect([...statuses]).toEqual([302])
  expect(await countDocuments()).toEqual(before.documents)
  expect(bytesOf(dataDir) - before.bytes).toBeLessThan(1_000_000)
})

it('keeps hints out of a state that would become too long for an address', async () => {
  const { lms } = school()
  const browser = lms.launcher()
  const { url } = await browser.login(createTestLink(school()))
  const address = new URL(url)
  const known = address.searchParams.get('lti_message_hint') ?? ''
  address.searchParams.set('lti_deployment_id', randomBytes(120).toString('hex'))
  address.searchParams.set('lti_message_hint', known)
  address.searchParams.set('login_hint', randomBytes(3900).toString('hex'))
  const { location } = await browser.fetch(address.href)
  expect(new URL(location ?? '').searchParams.get('state')?.length).toBeLessThan(500)
})

it('keeps a bounded number of refusals, the newest ones, however many anybody causes', async () => {
  const address = new URL('/lti/login', server.running.url)
  const refuse = (n: number) => {
    const fields = { iss: `https://unknown-${n}.example`, login_hint: '1', target_link_uri: 'https://x.example' }
    return fetch(`${address}?${new URLSearchParams(fields)}`)
  }
  await flood(1200, refuse)
  expect(await (await refuse(1)).text()).toContain('This LMS is not registered with Assay.')
  const refused = { outcome: 'refused' as const }
  const logged = await LtiLaunchLogModel.countDocuments(refused)
  // Concurrent logins may each find the last place free.
  expect(logged).toBeLessThan(1100)
  await trimLaunchLog(100)
  const left = await LtiLaunchLogModel.countDocuments(refused)
  expect(left).toBeLessThanOrEqual(100)
  expect(left).toBeGreaterThan(0)
  const [newest] = await LtiLaunchLogModel.find(refused).sort(newestFirst).limit(1).lean()
  expect(await trimLaunchLog(100)).toBe(0)
  expect(await LtiLaunchLogModel.findById(newest?._id).lean()).not.toBeNull()
})
