import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'

type Script = 'backup' | 'restore' | 'move-database'

/** Saves a third of the start-up time. */
const compileCache = fileURLToPath(new URL('../../../../../node_modules/.cache/test-processes', import.meta.url))
const scripts = fileURLToPath(new URL('../../../../../scripts', import.meta.url))

interface Ended {
  status: number | null
  signal: NodeJS.Signals | null
  said: string
}

export const runCommand = (
  script: Script,
  args: string[],
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Ended> => startCommand(script, args, dataDir, environment).ended

export function startCommand(
  script: Script,
  args: string[],
  dataDir: string,
  environment: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended>; whenSaid(words: string): Promise<void> } {
  const command = ['--disable-warning=ExperimentalWarning', join(scripts, `${script}.ts`), ...args]
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const listen = (chunk: Buffer) => {
    said += chunk.toString()
    child.emit('said')
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  return {
    child,
    ended: once(child, 'close').then(([status, signal]) => ({ status, signal, said })),
    async whenSaid(words) {
      while (!said.includes(words)) await once(child, 'said')
    },
  }
}

/** Ends the command by a signal when it says something or before its nth rename or insertion; or fails its rename. */
export const endAt = (when: {
  said?: string
  rename?: number
  failingRename?: number
  insert?: number
  by?: NodeJS.Signals
}): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./end-at.ts', import.meta.url).href}`,
  END_WHEN_SAID: when.said ?? '',
  END_AT_RENAME: `${when.rename ?? 0}`,
  FAIL_AT_RENAME: `${when.failingRename ?? 0}`,
  END_AT_INSERT: `${when.insert ?? 0}`,
  END_BY: when.by ?? 'SIGKILL',
})

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
