/// <reference path="../../server/src/features/lti/door/ltijs.d.ts" />
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { fillPath } from '@assay/shared/endpoint.ts'
import { openLaunch } from '@assay/shared/lti.ts'
import { Provider } from 'ltijs'
import mongoose from 'mongoose'
import type { Running } from '../../server/src/start.ts'
import { registerLms } from '../../server/src/testing/lms.ts'
import { type FakeLms, startFakeLms } from '../fake-lms/fake-lms.ts'
import type { Launcher } from '../fake-lms/launcher.ts'
import type { Link, Person } from '../fake-lms/world.ts'

const WARM_UP = 20
const LAUNCHES = 300
const AT_ONCE = 8

export interface LaunchCost {
  /** Of the tool alone, one launch after the other: milliseconds. */
  p50: number
  p95: number
  /** With several at once, the LMS's own work in the same process. */
  aSecond: number
}

export interface LaunchCosts {
  launches: number
  atOnce: number
  ours: LaunchCost
  bare: LaunchCost
}

/** A tool as a browser meets it: its base address, and what is left to do once it has answered the id token. */
interface Tool {
  base: string
  link: Link
  finish: (launcher: Launcher, location: string) => Promise<number>
}

/** Launches of students, from the LMS's “someone wants to come in” until the tool's page knows who it is. */
export async function measureLaunches(running: Running): Promise<LaunchCosts> {
  const lms = await startFakeLms({ kind: 'canvas' })
  const bareTool = await startBareTool(lms)
  try {
    const { course, students } = lms.classOf(50)
    const platform = await registerLms(running, lms)
    const registered = lms.tools.get(platform.client_id)
    if (!registered) throw new Error('Assay is registered')
    const ours: Tool = {
      base: running.url,
      link: lms.addLink(course, { deployment: lms.deploymentOf(registered), title: 'Assay' }),
      finish: (launcher, location) => tradeCode(launcher, running.url, location),
    }
    const bare: Tool = {
      base: bareTool.base,
      link: lms.addLink(course, { deployment: bareTool.deployment, title: 'Bare' }),
      finish: async (launcher, location) => (await launcher.fetch(location)).status,
    }
    for (const tool of [ours, bare]) await measure(lms, tool, students, WARM_UP, 1)
    return {
      launches: LAUNCHES,
      atOnce: AT_ONCE,
      ours: await costOf(lms, ours, students),
      bare: await costOf(lms, bare, students),
    }
  } finally {
    await bareTool.close()
    await lms.close()
  }
}

async function costOf(lms: FakeLms, tool: Tool, people: Person[]): Promise<LaunchCost> {
  const alone = await measure(lms, tool, people, LAUNCHES, 1)
  const together = await measure(lms, tool, people, LAUNCHES, AT_ONCE)
  const sorted = alone.times.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return { p50: at(0.5), p95: at(0.95), aSecond: LAUNCHES / together.seconds }
}

/** @returns what each launch cost the tool, in ms, and how long all of them took */
async function measure(lms: FakeLms, tool: Tool, people: Person[], launches: number, atOnce: number) {
  const times: number[] = []
  let next = 0
  const begun = performance.now()
  const work = async () => {
    while (next < launches) {
      const person = people[next++ % people.length]
      if (person) times.push(await launchOnce(lms, tool, person))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { times, seconds: (performance.now() - begun) / 1000 }
}

async function launchOnce(lms: FakeLms, { base, link, finish }: Tool, as: Person): Promise<number> {
  const launcher = lms.launcher({ headers: { 'sec-fetch-dest': 'document' } })
  let spent = 0
  const fetchPage = launcher.fetch.bind(launcher)
  launcher.fetch = async (url, init) => {
    const begun = performance.now()
    const reply = await fetchPage(url, init)
    if (url.startsWith(base)) spent += performance.now() - begun
    return reply
  }
  const { reply } = await launcher.go({ as, link })
  const status = reply?.location ? await finish(launcher, reply.location) : reply?.status
  if (status !== 200) throw new Error(`a launch ended with ${status}: ${reply?.text.slice(0, 300)}`)
  return spent
}

/** As our client does: the code of the address for a session. */
async function tradeCode(launcher: Launcher, base: string, location: string): Promise<number> {
  const launchId = /^\/l\/([\w-]+)\//.exec(new URL(location).pathname)?.[1] ?? ''
  const reply = await launcher.fetch(`${base}/api/v1${fillPath(openLaunch.path, { launchId })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: new URL(location).hash.slice(1) }),
  })
  return reply.status
}

/** What a tool costs that does nothing but let people in with ltijs, as its guide has it, over the same database. */
async function startBareTool(lms: FakeLms) {
  const provider = new Provider.constructor()
  provider.setup(
    randomBytes(32).toString('hex'),
    { plugin: bareDatabase() },
    {
      loginRoute: '/login',
      appRoute: '/launch',
      keysetRoute: '/keys',
      dynRegRoute: '/register',
      ltiaas: false,
      cors: true,
      devMode: false,
      cookies: { secure: true, sameSite: 'None' },
      tokenMaxAge: 60,
    },
  )
  provider.onConnect((_token, _request, response) => void response.end('Hello'))
  const server = createServer(provider.app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const base = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const tool = lms.registerTool({
    loginUrl: `${base}/login`,
    launchUrl: `${base}/launch`,
    jwksUrl: `${base}/keys`,
  })
  await mongoose.connection.collection('bare_platform').insertOne({
    platformName: 'LMS',
    platformUrl: lms.issuer,
    clientId: tool.clientId,
    authEndpoint: lms.authorizationUrl,
    accesstokenEndpoint: lms.tokenUrl,
    kid: 'bare',
    authConfig: { method: 'JWK_SET', key: lms.jwksUrl },
  })
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections())
  return { base, deployment: lms.deploymentOf(tool), close }
}

/** Documents as they come, a collection for each of ltijs's. */
function bareDatabase() {
  const of = (name: string) => mongoose.connection.collection(`bare_${name}`)
  const now = () => ({ createdAt: Date.now() })
  return {
    setup: async () => {},
    Close: async () => {},
    async Get(_key: string | false, name: string, query: Record<string, unknown> = {}) {
      const found = await of(name).find(query).toArray()
      return found.length > 0 && found
    },
    async Insert(_key: string | false, name: string, item: Record<string, unknown>) {
      await of(name).insertOne({ ...item, ...now() })
      return true
    },
    async Replace(
      _key: string | false,
      name: string,
      query: Record<string, unknown>,
      item: Record<string, unknown>,
    ) {
      await of(name).replaceOne(query, { ...item, ...now() }, { upsert: true })
      return true
    },
    async Modify(
      _key: string | false,
      name: string,
      query: Record<string, unknown>,
      change: Record<string, unknown>,
    ) {
      await of(name).updateOne(query, { $set: change })
      return true
    },
    async Delete(name: string, query: Record<string, unknown>) {
      await of(name).deleteOne(query)
      return true
    },
  }
}
