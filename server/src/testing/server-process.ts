import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const thisMain = fileURLToPath(new URL('../main.ts', import.meta.url))
/** Stripping types takes a third of the start-up time. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/test-processes', import.meta.url))

export interface ServerProcess {
  url: string
  child: ChildProcess
  output(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

export const clockAhead = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./shift-clock.ts', import.meta.url).href}`,
  CLOCK_AHEAD_MS: String(ms),
})

/** A migration more, which writes `next` into each account. @param compatibleWith as in `Compatibility` */
export const nextVersion = (compatibleWith: 'all' | 'none'): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./next-version.ts', import.meta.url).href}`,
  NEXT_MIGRATION: compatibleWith,
})

/** @param main another version's `main.ts` */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  main = thisMain,
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
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /ready at (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then(() => reject(new Error(`the server did not start:\n${output}`)))
  })
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    await ended
  }
  return { url, child, output: () => output, kill: end('SIGKILL'), stop: end('SIGTERM') }
}

/** A signal, or the end of the product, ends both. */
export function endTogether(product: ServerProcess, stopOther: () => Promise<void>): void {
  let ending = false
  async function end(code: number): Promise<void> {
    if (ending) return
    ending = true
    await product.stop()
    await stopOther()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  product.child.once('exit', () => {
    if (!ending) console.error('Assay has ended.')
    void end(1)
  })
}
