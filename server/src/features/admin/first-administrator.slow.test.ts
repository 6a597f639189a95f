import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getMe } from '@assay/shared/auth.ts'
import { afterEach, expect, it } from 'vitest'
import { createTestApi } from '../../testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'

const script = fileURLToPath(new URL('../../../../scripts/admin-create.ts', import.meta.url))
const folders: string[] = []
let running: ServerProcess | undefined
afterEach(async () => {
  await running?.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-admin-'))
  folders.push(folder)
  return folder
}

async function serve(dataDir: string): Promise<ServerProcess> {
  running = await startServerProcess(dataDir)
  return running
}

async function signedIn(server: ServerProcess, username: string, password: string) {
  const { body } = await createTestApi({ running: server }).again({ id: 0, username, password }).send(getMe)
  return { username: body.username, role: body.role }
}

function adminCreate(dataDir: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

it('is created where there are no accounts, with a stored password that no later start changes', async () => {
  const dataDir = emptyFolder()
  const file = join(dataDir, 'first-run.txt')
  await (await serve(dataDir)).stop()
  const text = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const [, password = ''] = /^admin +(\S+)$/m.exec(text) ?? []
  const second = await serve(dataDir)
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(await signedIn(second, 'admin', password)).toEqual({ username: 'admin', role: 'admin' })
})

it('is created by a command that needs the server stopped and explains errors', async () => {
  const dataDir = emptyFolder()
  const first = await serve(dataDir)
  const refused = adminCreate(dataDir, 'head', 'head@school.example')
  expect(refused).toMatchObject({ status: 1, said: expect.stringContaining('Stop Assay') })
  await first.stop()

  const made = adminCreate(dataDir, 'head', 'head@school.example')
  const [, password = ''] = /password (\S+)/.exec(made.said) ?? []
  expect([made.status, password.length]).toEqual([0, 20])
  expect(adminCreate(dataDir, 'HEAD', 'x@school.example')).toEqual({
    status: 1,
    said: 'This username is already taken.\n',
  })
  expect(adminCreate(dataDir, 'other', 'nonsense').said).toBe('Please enter a valid email address\n')
  expect(adminCreate(dataDir, 'other').status).toBe(2)
  expect(await signedIn(await serve(dataDir), 'head', password)).toEqual({ username: 'head', role: 'admin' })
})
