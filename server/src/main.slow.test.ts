import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServerProcess } from './testing/server-process.ts'

const tools = new URL('../../scripts/lib/tools.mjs', import.meta.url).href
const main = new URL('./main.ts', import.meta.url).pathname

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-main-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('stops cleanly when one Ctrl-C reaches it twice', async () => {
  const { child } = await startServerProcess(dataDir)
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

it('ends when the script that started it is killed', async () => {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: '0', DEMO: 'off', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  const exit = once(child, 'exit')
  await once(child.stdout ?? child, 'data')
  child.disconnect()
  expect(await exit).toEqual([0, null])
})

it('ends when the shell that npm runs `npm start` in is ended', async () => {
  const script = `import('${tools}').then((tools) => tools.runUntilStopped(process.execPath, ['${main}']))`
  // As npm runs it: in a shell that passes no signal on.
  const shell = spawn('sh', ['-c', `"${process.execPath}" -e "$SCRIPT"; true`], {
    env: {
      PATH: process.env.PATH,
      SCRIPT: script,
      npm_lifecycle_event: 'start',
      PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = await new Promise<string>((resolve) => {
    let said = ''
    shell.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /ready at (\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
  })
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status,
      () => 'gone',
    )
  expect(await answers()).toBe(200)
  const ended = once(shell.stdout, 'close') // Held open by any process that is left.
  shell.kill('SIGTERM')
  await expect.poll(answers).toBe('gone')
  await ended
})

it.each([
  ['it is told to', 'exec '],
  ['the shell that npm runs it in is ended', ''],
])('ends what `npm test` runs, and all that this has started, when %s', async (_, prefix) => {
  const group = `['-c', 'sleep 600 & echo started; wait'], ['ignore', 'inherit', 'ignore']`
  const shell = spawn('sh', ['-c', `${prefix}"${process.execPath}" -e "$SCRIPT"; true`], {
    env: {
      PATH: process.env.PATH,
      SCRIPT: `import('${tools}').then((tools) => tools.startGroup('sh', ${group}))`,
      npm_lifecycle_event: 'test',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(shell.stdout, 'data')
  const ended = once(shell.stdout, 'close') // Held open by any process that is left.
  shell.kill('SIGTERM')
  await ended
})
