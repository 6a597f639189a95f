import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import type { FrameCookies } from '../support/journey-browser.ts'
import { journey } from '../support/shared.ts'

// Other journeys rely on it that these browsers allow and block what their names say.

const page = (body: string) => `<!doctype html><html lang="en"><title>.</title>${body}</html>`
const servers: Server[] = []
let outside = ''
let inside = ''

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

let browserFor: (cookies: FrameCookies) => Promise<Browser>
journey.beforeAll(async ({ shared }) => {
  browserFor = (cookies) => shared.browser(cookies)
  const port = await listen((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/set') {
      const names = ['plain=1', 'partitioned=1; Partitioned']
      response.setHeader(
        'set-cookie',
        names.map((name) => `${name}; Path=/; Secure; SameSite=None`),
      )
      return void response.end(page('<script>location = "/shown"</script>'))
    }
    const storage = 'try { localStorage.x = 1; s.textContent = "kept" } catch (e) { s.textContent = e.name }'
    const cookies = request.headers.cookie ?? ''
    response.end(page(`<p id="c">${cookies}</p><p id="s"></p><script>${storage}</script>`))
  })
  inside = `http://localhost:${port}`
  const framing = page(`<iframe name="tool" src="${inside}/set"></iframe>`)
  outside = `http://127.0.0.1:${await listen((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(framing)
  })}`
})
afterAll(async () => {
  for (const server of servers) server.close()
})

const expected: [FrameCookies, string, string][] = [
  ['partitioned', 'partitioned=1', 'SecurityError'],
  ['none', '', 'SecurityError'],
  ['all', 'plain=1; partitioned=1', 'kept'],
]
it.each(expected)('with %s cookies a frame gets %j, and storage: %s', async (kind, cookies, storage) => {
  const context = await (await browserFor(kind)).newContext()
  try {
    const top = await context.newPage()
    await top.goto(outside)
    const frame = top.frame('tool')
    await frame?.waitForURL('**/shown')
    expect(await frame?.textContent('#c')).toBe(cookies)
    expect(await frame?.textContent('#s')).toBe(storage)
    // In its own window the same site can store everything.
    await top.goto(`${inside}/set`)
    await top.waitForURL('**/shown')
    expect(await top.textContent('#c')).toBe('plain=1; partitioned=1')
    expect(await top.textContent('#s')).toBe('kept')
  } finally {
    await context.close()
  }
})
