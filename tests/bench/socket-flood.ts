import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { registerInstructor } from '@assay/shared/auth.ts'
import { z } from 'zod'
import { createTestApi } from '../../server/src/testing/api.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/server-process.ts'

const FLOOD_MS = 8000
const HEALTH_EVERY_MS = 50

interface FloodCost {
  /** The longest that the health check took, ms: while nobody floods, and meanwhile. */
  healthBefore: number
  health: number
  /** How much the server's memory grew, MB. */
  megabytes: number
  /** What the attackers sent. */
  packets: number
}

/** The server in a process of its own, while sockets without a session and others of a teacher's flood it for 8 s. */
export async function measureFlood(): Promise<FloodCost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-flood-'))
  const server = await startServerProcess(dataDir, { LOG_LEVEL: 'fatal' })
  try {
    const healthBefore = await longestHealthCheck(server.url, 2000)
    const token = await signUp(server)
    const before = await residentMegabytes(server.child.pid ?? 0)
    // In a thread of its own, so that it delays no health check by itself.
    const attackers = new Worker(new URL('./socket-flood.worker.ts', import.meta.url), {
      workerData: { url: server.url, token, ms: FLOOD_MS },
    })
    const sent = once(attackers, 'message')
    const health = await longestHealthCheck(server.url, FLOOD_MS)
    const megabytes = (await residentMegabytes(server.child.pid ?? 0)) - before
    const [packets] = z.tuple([z.number()]).parse(await sent)
    return { healthBefore, health, megabytes, packets }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** As a teacher, each of whose requests to watch costs a query. */
async function signUp(server: ServerProcess): Promise<string> {
  const api = createTestApi({ running: server })
  const [username, password] = ['flooder', 'Some-Good-7-Phrase']
  const body = { username, password, email: 'flooder@school.example', role: 'instructor' as const }
  const { id } = (await api.nobody.send(registerInstructor, { body })).body
  return (await api.as({ id, username, password }).token()) ?? ''
}

async function longestHealthCheck(url: string, ms: number): Promise<number> {
  let longest = 0
  for (const until = Date.now() + ms; Date.now() < until; await sleep(HEALTH_EVERY_MS)) {
    const started = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    longest = Math.max(longest, performance.now() - started)
  }
  return longest
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
