import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

export interface TestRedis {
  readonly url: string
  /** Nothing is stored on the disk. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Takes connections and answers nothing, as a machine that has hung; until `kill` or `resume`. */
  hang(): void
  resume(): void
  stop(): Promise<void>
}

export function useRedis(): TestRedis {
  const redis = createRedis()
  beforeAll(redis.start)
  afterAll(redis.stop)
  return redis
}

export async function startRedis(): Promise<TestRedis> {
  const redis = createRedis()
  await redis.start()
  return redis
}

function createRedis(): TestRedis {
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'))
  const socket = join(folder, 'redis.sock')
  let running: ChildProcess | null = null

  async function start(): Promise<void> {
    const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'no']
    const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    running = child
    await new Promise<void>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (/ready to accept connections/i.test(output)) resolve()
      })
      child.once('error', reject)
      child.once('exit', () => reject(new Error(`redis-server did not start:\n${output}`)))
    })
  }
  async function kill(): Promise<void> {
    const child = running
    running = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: `unix://${socket}`,
    start,
    kill,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
    hang: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
  }
}
