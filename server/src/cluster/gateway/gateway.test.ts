import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { ErrorReply } from '@assay/shared/http/errors.ts'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { readConfig } from '../../config.ts'
import { createLog } from '../../lib/log.ts'
import { type RunningGateway, startGateway } from '../../start-gateway.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function listenAt(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

async function startUpstream(answer: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(answer)
  return { server, url: `http://127.0.0.1:${await listenAt(server)}` }
}

async function gatewayTo(
  apiUrl: string,
  more: { trustProxy?: string; silenceMs?: number; metricsToken?: string; idleBodyMs?: number } = {},
): Promise<RunningGateway> {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    ROLE: 'gateway',
    API_URL: apiUrl,
    TRUST_PROXY: more.trustProxy ?? '0',
    LOG_LEVEL: 'silent',
    METRICS_TOKEN: more.metricsToken,
  })
  const gateway = await startGateway({
    config,
    log: createLog('silent'),
    clientFolder: null,
    ...(more.silenceMs ? { upstreamTimeoutMs: more.silenceMs } : {}),
    ...(more.idleBodyMs ? { idleBodyMs: more.idleBodyMs } : {}),
  })
  open.push(gateway.stop)
  return gateway
}

const bodyOf = async (request: IncomingMessage) => {
  let size = 0
  for await (const part of request) size += part.length
  return size
}

it('passes a call on with its query and headers, and the reply with its status', async () => {
  const upstream = await startUpstream((request, response) => {
    response.writeHead(201, { 'X-Total-Count': '7', 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ url: request.url, auth: request.headers.authorization }))
  })
  const { url } = await gatewayTo(upstream.url)
  const reply = await fetch(`${url}/api/v1/courses?skip=5`, { headers: { authorization: 'Bearer x' } })
  expect([reply.status, reply.headers.get('X-Total-Count')]).toEqual([201, '7'])
  expect(await reply.json()).toEqual({ url: '/api/v1/courses?skip=5', auth: 'Bearer x' })
})

it('gives its request id to the API, and lets nobody else choose it', async () => {
  const upstream = await startUpstream((request, response) => {
    response.end(JSON.stringify({ id: request.headers['x-request-id'] }))
  })
  const { url } = await gatewayTo(upstream.url)
  const reply = await fetch(`${url}/api/v1/courses`, { headers: { 'x-request-id': 'chosen-by-the-caller' } })
  expect(await reply.json()).toEqual({ id: reply.headers.get('x-request-id') })
  expect(reply.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
})

it('counts what it passes on, for whoever has the token', async () => {
  const upstream = await startUpstream((_request, response) => void response.end())
  const { url } = await gatewayTo(upstream.url, { metricsToken: 'a-token-of-32-characters-or-more' })
  for (const path of ['/api/v1/courses/1', '/api/v1/courses/2']) await fetch(url + path)
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  const headers = { authorization: 'Bearer a-token-of-32-characters-or-more' }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  expect(text).toContain('_count{method="GET",route="forwarded",status="2xx"} 2')
  expect(text).not.toMatch(/^assay_database/m)
})

it('streams a body of 50 MB through without gathering it first', async () => {
  let first: (() => void) | undefined
  const begun = new Promise<void>((resolve) => {
    first = resolve
  })
  const upstream = await startUpstream(async (request, response) => {
    request.once('data', () => first?.())
    response.end(JSON.stringify({ size: await bodyOf(request) }))
  })
  const { url } = await gatewayTo(upstream.url)
  const part = Buffer.alloc(1024 * 1024, 7)
  const body = (async function* () {
    yield part
    await begun // Upstream has the beginning while the rest is still to come.
    for (let i = 1; i < 50; i++) yield part
  })()
  const reply = await fetch(`${url}/api/v1/upload`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(await reply.json()).toEqual({ size: 50 * 1024 * 1024 })
})

it('leaves an error in our shape as it is, packed or not', async () => {
  const ours = {
    detail: 'Course name is required',
    message: 'Course name is required',
    error_code: 'validation_failed',
    category: 'validation',
    suggestions: [],
    can_retry: true,
    contact_support: false,
    request_id: 'far',
    timestamp: '2026-01-01T00:00:00Z',
  }
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(422, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify(ours)))
  })
  const { url } = await gatewayTo(upstream.url)
  const reply = await fetch(`${url}/api/v1/courses`, { method: 'POST' })
  expect(reply.status).toBe(422)
  expect(await reply.json()).toEqual(ours)
})

it.each([
  [400, 'bad_request', 'The request contains invalid information. Please check your input and try again.'],
  [401, 'auth_required', 'You need to log in to access this resource.'],
  [403, 'auth_insufficient_permissions', "You don't have permission to perform this action."],
  [404, 'resource_not_found', 'The requested resource could not be found.'],
  [429, 'rate_limit_exceeded', 'Too many requests. Please wait 9 seconds before trying again.'],
  [503, 'service_unavailable', 'A server error occurred. Our team has been notified and is working to fix the issue.'],
])('puts a stranger’s %i into our shape', async (status, code, message) => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', 'Retry-After': '9' })
    response.end('<h1>Internal: secret stack</h1>')
  })
  const { url } = await gatewayTo(upstream.url)
  const reply = await fetch(`${url}/api/v1/courses`)
  const body = ErrorReply.parse(await reply.json())
  expect([reply.status, body.error_code, body.message]).toEqual([status, code, message])
  expect(body.request_id).toBe(reply.headers.get('X-Request-Id'))
  if (status === 429) expect([body.retry_after, reply.headers.get('Retry-After')]).toEqual([9, '9'])
})

it('answers that the server failed while upstream is down, and passes calls on again once it is up', async () => {
  const upstream = await startUpstream((_request, response) => response.end('{}'))
  const { url } = await gatewayTo(upstream.url)
  const { port } = new URL(upstream.url)
  await new Promise((resolve) => {
    upstream.server.close(resolve)
    upstream.server.closeAllConnections()
  })
  const gone = await fetch(`${url}/api/v1/courses`)
  expect([gone.status, ErrorReply.parse(await gone.json()).error_code]).toEqual([502, 'service_unavailable'])
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const again = createServer((_request, response) => response.end('{}'))
  await listenAt(again, Number(port))
  expect((await fetch(`${url}/api/v1/courses`)).status).toBe(200)
})

it('gives up on a silent upstream, with 504', async () => {
  const upstream = await startUpstream(() => {})
  const { url } = await gatewayTo(upstream.url, { silenceMs: 200 })
  const reply = await fetch(`${url}/api/v1/courses`)
  expect([reply.status, ErrorReply.parse(await reply.json()).error_code]).toEqual([504, 'service_unavailable'])
})

it('closes a connection whose body goes on after the reply', async () => {
  const upstream = await startUpstream((request, response) => void response.writeHead(401).end(() => request.resume()))
  const { url } = await gatewayTo(upstream.url, { idleBodyMs: 1_200 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.resume().write('POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n')
  const trickle = setInterval(() => socket.write('x'), 100)
  await expect.poll(() => socket.closed).toBe(true)
  clearInterval(trickle)
})

it('forwards the caller’s address upstream, and trusts the caller about it only behind a proxy', async () => {
  const upstream = await startUpstream((request, response) =>
    response.end(JSON.stringify(request.headers['x-forwarded-for'])),
  )
  const forged = { headers: { 'X-Forwarded-For': '6.6.6.6' } }
  const edge = await gatewayTo(upstream.url)
  expect(await (await fetch(`${edge.url}/api/v1/x`, forged)).json()).toMatch(/^[^,]*127\.0\.0\.1$/)
  const behind = await gatewayTo(upstream.url, { trustProxy: '1' })
  expect(await (await fetch(`${behind.url}/api/v1/x`, forged)).json()).toMatch(/^6\.6\.6\.6, .*127\.0\.0\.1$/)
})

it('carries websockets both ways, and closes them with upstream', async () => {
  const upstream = await startUpstream((_request, response) => response.end())
  const sockets = new WebSocketServer({ server: upstream.server })
  sockets.on('connection', (socket, request) => {
    socket.on('message', (text) => socket.send(`${request.url} ${text}`))
  })
  const { url } = await gatewayTo(upstream.url)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/ws/test/ping?token=t`)
  await new Promise((resolve) => socket.once('open', resolve))
  const heard = new Promise((resolve) => socket.once('message', (text) => resolve(String(text))))
  socket.send('hello')
  expect(await heard).toBe('/api/v1/ws/test/ping?token=t hello')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const client of sockets.clients) client.terminate()
  await closed
})

const framingOf = (reply: Response) =>
  /frame-ancestors ([^;]*)/.exec(reply.headers.get('content-security-policy') ?? '')?.[1]

it('allows framing of launch pages by those the API names, and by none until it has answered', async () => {
  let origins: unknown = ['https://lms.example', 'https://pages.lms.example']
  let up = false
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(up ? 200 : 503, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ origins }))
  })
  const down = await gatewayTo(upstream.url)
  const page = await fetch(`${down.url}/l/launch/somewhere`)
  expect([framingOf(page), page.headers.get('x-frame-options')]).toEqual(["'none'", 'DENY'])
  up = true
  const { url } = await gatewayTo(upstream.url)
  await expect
    .poll(async () => framingOf(await fetch(`${url}/l/launch/somewhere`)))
    .toBe("'self' https://lms.example https://pages.lms.example")
  expect((await fetch(`${url}/l/launch/somewhere`)).headers.get('x-frame-options')).toBeNull()
  expect(framingOf(await fetch(`${url}/auth/login`))).toBe("'none'")
  origins = ["https://evil.example; script-src 'unsafe-inline'"]
  const misled = await gatewayTo(upstream.url)
  expect(framingOf(await fetch(`${misled.url}/l/launch/somewhere`))).toBe("'none'")
})

it('shows the API’s page where a launch is refused, framed by anybody, and its own page otherwise', async () => {
  const asked: (string | undefined)[] = []
  const upstream = await startUpstream((request, response) => {
    asked.push(request.url)
    if (request.url !== '/lti/refused-page/refused') return void response.writeHead(204).end()
    const policy = "default-src 'none'; frame-ancestors *"
    response.writeHead(403, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
    response.end('<h1>Assay could not be opened</h1>')
  })
  const { url } = await gatewayTo(upstream.url)
  const refused = await fetch(`${url}/l/refused/assignments/1?x=y`)
  expect([refused.status, framingOf(refused), refused.headers.get('x-frame-options')]).toEqual([403, '*', null])
  expect(await refused.text()).toBe('<h1>Assay could not be opened</h1>')
  const other = await fetch(`${url}/l/..%2Fkeys/assignments/1`)
  expect([other.status, framingOf(other)]).toEqual([404, "'none'"])
  expect(asked).toContain('/lti/refused-page/..%2Fkeys')
})

it('passes on what LMSs request, with cookies and redirects, and shows launch refusals unchanged', async () => {
  const upstream = await startUpstream(async (request, response) => {
    const body = await text(request)
    if (request.url === '/lti/launch') {
      response.writeHead(400, { 'Content-Type': 'text/html; charset=utf-8', 'X-Request-Id': 'far' })
      return void response.end(`<h1>Assay could not be opened</h1>${body}`)
    }
    response.writeHead(302, {
      Location: 'https://lms.example/auth',
      'Set-Cookie': ['a=1; Partitioned', 'b=2; Partitioned'],
    })
    response.end()
  })
  const { url } = await gatewayTo(upstream.url)
  const login = await fetch(`${url}/lti/login?iss=x`, { redirect: 'manual' })
  expect([login.status, login.headers.get('location')]).toEqual([302, 'https://lms.example/auth'])
  expect(login.headers.getSetCookie()).toEqual(['a=1; Partitioned', 'b=2; Partitioned'])
  const launch = await fetch(`${url}/lti/launch`, { method: 'POST', body: 'state=s' })
  expect([launch.status, await launch.text()]).toEqual([400, '<h1>Assay could not be opened</h1>state=s'])
})

it('shows the page about the API itself', async () => {
  const upstream = await startUpstream((_request, response) => response.end('upstream'))
  const { url } = await gatewayTo(upstream.url)
  expect(await (await fetch(`${url}/api/docs`)).text()).toContain('<!doctype html>')
})

it.each(['//', '/elsewhere'])('answers an upgrade to %s with 404 and closes it', async (path) => {
  const upstream = await startUpstream((_request, response) => response.end())
  const { url } = await gatewayTo(upstream.url)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /)
})

it('needs an address to pass calls on to, and neither a secret nor a folder', () => {
  expect(() => readConfig({ ROLE: 'gateway' })).toThrow(/API_URL/)
  const config = readConfig({ ROLE: 'gateway', API_URL: 'http://127.0.0.1:1', NODE_ENV: 'production' })
  expect(config).toMatchObject({ role: 'gateway', apiUrl: 'http://127.0.0.1:1', secretKey: '' })
})
