import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'

type Script = 'backup' | 'restore' | 'move-database'

/** Caches stripped types, which take a third of the start-up time. */
const compileCache = fileURLToPath(new URL('../../../../../node_modules/.cache/test-processes', import.meta.url))
const scripts = fileURLToPath(new URL('../../../../../scripts', import.meta.url))

/** Runs a command as npm does, with this data folder, until it ends. */
export async function runCommand(
  script: Script,
  args: string[],
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ status: number | null; signal: NodeJS.Signals | null; said: string }> {
  const command = ['--disable-warning=ExperimentalWarning', join(scripts, `${script}.ts`), ...args]
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const listen = (chunk: Buffer) => {
    said += chunk.toString()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const [status, signal] = await once(child, 'close')
  return { status, signal, said }
}

/** For a command that is to end by a signal: when it says something, or before its nth rename or insertion. */
export const endAt = (when: {
  said?: string
  rename?: number
  insert?: number
  by?: NodeJS.Signals
}): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./end-at.ts', import.meta.url).href}`,
  END_WHEN_SAID: when.said ?? '',
  END_AT_RENAME: `${when.rename ?? 0}`,
  END_AT_INSERT: `${when.insert ?? 0}`,
  END_BY: when.by ?? 'SIGKILL',
})

/** Makes folders that are gone after each test. */
export function useFolders(): (name: string) => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  return (name) => {
    const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
    made.push(folder)
    return folder
  }
}
