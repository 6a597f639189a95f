/// <reference path="../../server/src/features/lti/launch-endpoints/ltijs/ltijs.d.ts" />
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { fillPath } from '@assay/shared/http/endpoint.ts'
import { openLaunch } from '@assay/shared/lti/lti.ts'
import { Provider } from 'ltijs'
import mongoose from 'mongoose'
import type { RunningServer } from '../../server/src/start.ts'
import { buildAssignment, buildCourse } from '../../server/src/testing/build-course.ts'
import { linkAssignment, linkCourse, registerLms, toolOf } from '../../server/src/testing/lti-records.ts'
import { createTestApi } from '../../server/src/testing/server.ts'
import type { Person } from '../fake-lms/data/lms-data.ts'
import type { Link } from '../fake-lms/data/records.ts'
import { type FakeLms, startFakeLms } from '../fake-lms/fake-lms.ts'
import type { Launcher } from '../fake-lms/launches/launcher.ts'
import type { BenchReport } from './bench-report.ts'
import { quantile } from './statistics.ts'

const WARM_UP = 40
const LAUNCHES = 300
const CONCURRENCY = 8
/** Tools are measured alternately, so that other load on the machine affects all of them. */
const ROUNDS = 5

/** The requests are those of a browser after the tool's response to the id token. */
interface Tool {
  what: string
  base: string
  link: Link
  students: Person[]
  finish: (launcher: Launcher, location: string) => Promise<number>
}

/** From the login initiation until the tool has a session. */
export async function launches({ heading, result }: BenchReport, running: RunningServer) {
  const lms = await startFakeLms({ kind: 'canvas' })
  const bareTool = await startLtijsBaseline(lms)
  try {
    const ours = await assayTools(running, lms)
    const { course, students } = lms.classOf(50)
    const bareOne: Tool = {
      what: 'bare',
      base: bareTool.base,
      link: lms.addLink(course, { deployment: bareTool.deployment, title: 'Bare' }),
      students,
      finish: async (launcher, location) => (await launcher.fetch(location)).status,
    }
    for (const tool of [...ours, bareOne]) await measure(lms, tool, WARM_UP, 1)
    const costs = await costsOf(lms, [...ours, bareOne])
    const bare = costs.pop()
    if (!bare) throw new Error('the bare tool was not measured')
    const goal = 'goal: at most 1.5×'
    const times = (a: number, b: number) => `${(a / b).toFixed(2)}×`
    for (const { what, p50, p95, cpu, perSecond } of costs) {
      heading(
        `${LAUNCHES} launches from an LMS into ${what}, against a bare ltijs tool over the same database: ours / bare`,
      )
      result('launch, p50', `${p50.toFixed(1)} / ${bare.p50.toFixed(1)} ms`, times(p50, bare.p50))
      result('launch, p95', `${p95.toFixed(1)} / ${bare.p95.toFixed(1)} ms`, `${times(p95, bare.p95)}, ${goal}`)
      const rates = `${perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)}`
      const ratio = `${times(bare.perSecond, perSecond)}, ${goal}`
      result(`launches per second, concurrency ${CONCURRENCY}`, rates, ratio)
      result(
        'CPU per launch, including the LMS’s',
        `${cpu.toFixed(1)} / ${bare.cpu.toFixed(1)} ms`,
        times(cpu, bare.cpu),
      )
    }
  } finally {
    await bareTool.close()
    await lms.close()
  }
}

async function assayTools(running: RunningServer, lms: FakeLms): Promise<Tool[]> {
  const platform = await registerLms(running, lms)
  const api = createTestApi({ running })
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const deployment = lms.deploymentOf(toolOf(lms, platform))
  const tool = (what: string) => {
    const { course, students } = lms.classOf(50)
    const link = lms.addLink(course, { deployment, title: 'Assay' })
    const finish = (launcher: Launcher, location: string) => exchangeCode(launcher, running.url, location)
    return { what, base: running.url, link, students, finish }
  }
  const [waiting, ready] = [tool('a course not set up'), tool('a course set up')]
  await linkAssignment(lms, await linkCourse(lms, platform, ready.link.course, courseId), ready.link, assignmentId)
  return [waiting, ready]
}

async function costsOf(lms: FakeLms, tools: Tool[]) {
  const found = tools.map((tool) => ({ tool, times: [] as number[], cpu: 0, seconds: 0 }))
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const cost of found) {
      const before = process.cpuUsage()
      const alone = await measure(lms, cost.tool, LAUNCHES / ROUNDS, 1)
      const { user, system } = process.cpuUsage(before)
      cost.times.push(...alone.times)
      cost.cpu += (user + system) / 1000
      cost.seconds += (await measure(lms, cost.tool, LAUNCHES / ROUNDS, CONCURRENCY)).seconds
    }
  return found.map(({ tool: { what }, times, cpu, seconds }) => ({
    what,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpu: cpu / LAUNCHES,
    perSecond: LAUNCHES / seconds,
  }))
}

/** @returns the time of each launch in the tool, in ms, and the total duration */
async function measure(lms: FakeLms, tool: Tool, launches: number, concurrency: number) {
  const times: number[] = []
  let next = 0
  const begun = performance.now()
  const work = async () => {
    while (next < launches) {
      const person = tool.students[next++ % tool.students.length]
      if (person) times.push(await launchOnce(lms, tool, person))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
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

async function exchangeCode(launcher: Launcher, base: string, location: string): Promise<number> {
  const launchId = /^\/l\/([\w-]+)\//.exec(new URL(location).pathname)?.[1] ?? ''
  const reply = await launcher.fetch(`${base}/api/v1${fillPath(openLaunch.path, { launchId })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: new URL(location).hash.slice(1) }),
  })
  return reply.status
}

/** As in ltijs's guide, on the same database: without accounts, courses or links. */
async function startLtijsBaseline(lms: FakeLms) {
  const provider = new Provider.constructor()
  provider.setup(
    randomBytes(32).toString('hex'),
    { plugin: createMinimalDatabase() },
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
  await createIndexes()
  await of('platform').insertOne({
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

const of = (name: string) => mongoose.connection.collection(`bare_${name}`)

async function createIndexes(): Promise<void> {
  await of('platform').createIndex({ platformUrl: 1, clientId: 1 }, { unique: true })
  await of('platformStatus').createIndex({ id: 1 }, { unique: true })
  await of('nonce').createIndex({ nonce: 1 })
  await of('state').createIndex({ state: 1 }, { unique: true })
  await of('idtoken').createIndex({ iss: 1, clientId: 1, deploymentId: 1, user: 1 }, { unique: true })
  await of('contexttoken').createIndex({ contextId: 1, user: 1 }, { unique: true })
}

/** The driver is faster than ltijs's own Mongoose models. */
function createMinimalDatabase() {
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
    async Replace(_key: string | false, name: string, query: Record<string, unknown>, item: Record<string, unknown>) {
      await of(name).replaceOne(query, { ...item, ...now() }, { upsert: true })
      return true
    },
    async Modify(_key: string | false, name: string, query: Record<string, unknown>, change: Record<string, unknown>) {
      await of(name).updateOne(query, { $set: change })
      return true
    },
    async Delete(name: string, query: Record<string, unknown>) {
      await of(name).deleteOne(query)
      return true
    },
  }
}
