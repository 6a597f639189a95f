import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
/** Stripping the types takes a third of a start, and tests start it often. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/test-processes', import.meta.url))

export interface ServerProcess {
  url: string
  child: ChildProcess
  /** As a power cut would: nothing is tidied up. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The product as its users start it, in a process of its own, listening on a port of its own. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      NODE_ENV: 'development',
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const found = /ready at (\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    ended.then(() => reject(new Error(`the server did not start:\n${said}`)))
  })
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    await ended
  }
  return { url, child, kill: end('SIGKILL'), stop: end('SIGTERM') }
}
