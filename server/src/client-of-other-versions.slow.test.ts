import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { createLog } from './lib/log.ts'
import { startGateway } from './start-gateway.ts'
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.ts'
import { startTestServer } from './testing/server.ts'

let database: TestDatabase
let folder = ''
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'assay-versions-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function build(name: string): Promise<string> {
  const client = join(folder, name)
  await mkdir(join(client, 'assets/maps'), { recursive: true })
  await writeFile(
    join(client, 'index.html'),
    `<!doctype html><script type="module" src="/assets/${name}-1.js"></script>`,
  )
  await writeFile(join(client, `assets/${name}-1.js`), `export const version = '${name}'`)
  await writeFile(join(client, `assets/${name}-1.js.gz`), gzipSync(`export const version = '${name}'`))
  await writeFile(join(client, 'assets/maps/worker-1.mjs'), 'self')
  return client
}

async function serve(clientFolder: string): Promise<string> {
  const environment = { MONGODB_URL: database.url, SECRET_KEY: 'the same secret key on every machine' }
  const running = await startTestServer(join(folder, 'data'), environment, { clientFolder })
  stops.push(running.stop)
  return running.url
}

const ask = async (url: string, name: string) => {
  const reply = await fetch(`${url}/assets/${name}`)
  const { headers, status } = reply
  return {
    status,
    text: await reply.text(),
    type: headers.get('content-type')?.toLowerCase(),
    caching: headers.get('cache-control'),
  }
}

it('serves the files of another version’s page, as that version does, also behind a gateway', async () => {
  const [before, after] = [await build('before'), await build('after')]
  const own = await ask(await serve(before), 'before-1.js')
  expect(own).toMatchObject({
    status: 200,
    text: "export const version = 'before'",
    type: expect.stringContaining('javascript'),
  })
  await stops.pop()?.()

  const url = await serve(after)
  expect(await ask(url, 'before-1.js')).toEqual(own)
  expect(await ask(url, 'after-1.js')).toMatchObject({ status: 200, text: "export const version = 'after'" })
  const worker = await fetch(`${url}/assets/maps/worker-1.mjs`)
  expect(worker.headers.get('content-security-policy')).toContain("default-src 'self'")
  for (const name of ['never-1.js', 'before-1.js.gz', '..%2fbefore-1.js', 'before-1'])
    expect((await ask(url, name)).status).toBe(404)
  const status = async (method: string) => (await fetch(`${url}/assets/before-1.js`, { method })).status
  expect([await status('HEAD'), await status('POST')]).toEqual([200, 404])

  const config = readConfig({ NODE_ENV: 'test', PORT: '0', ROLE: 'gateway', API_URL: url, LOG_LEVEL: 'silent' })
  const gateway = await startGateway({ config, log: createLog('silent'), clientFolder: await build('newest') })
  stops.push(gateway.stop)
  expect(await ask(gateway.url, 'before-1.js')).toEqual(own)
  expect(await ask(gateway.url, 'newest-1.js')).toMatchObject({ status: 200, text: "export const version = 'newest'" })
  expect((await ask(gateway.url, 'never-1.js')).status).toBe(404)

  // The way back: the older one serves what the newer one has brought.
  await stops.pop()?.()
  await stops.pop()?.()
  expect(await ask(await serve(before), 'after-1.js')).toMatchObject({
    status: 200,
    text: "export const version = 'after'",
  })
})
