import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../http/listen.ts'
import { BLOCKED_HERE_HEADER, createSsrfSafeFetch } from './ssrf-safe-fetch.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.closeAllConnections()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    answer(request, response)
  })
  open.push(server)
  return { url: await listen(server, { port: 0, host: '127.0.0.1' }), heard }
}

const anywhere = createSsrfSafeFetch({ allowPrivateAddresses: true, allowPlainHttp: true })
const outsideOnly = createSsrfSafeFetch({ allowPrivateAddresses: false, allowPlainHttp: true })
const said = async (response: Response) => ({ status: response.status, text: await response.text() })

describe('a guarded fetch', () => {
  it('sends what it is given and brings the answer', async () => {
    const { url } = await serve((request, response) => {
      request.on('data', (body) =>
        response.writeHead(201, { 'x-a': request.headers['x-b'] }).end(`${request.method} ${body}`),
      )
    })
    const reply = await anywhere(`${url}/x`, { method: 'POST', body: 'äh', headers: { 'x-b': 'c' } })
    expect(reply.headers.get('x-a')).toBe('c')
    expect(await said(reply)).toEqual({ status: 201, text: 'POST äh' })
  })

  it('does not follow a redirect, so that a key goes nowhere but where it was meant for', async () => {
    const other = await serve((_, response) => response.end('caught'))
    const { url } = await serve((_, response) => response.writeHead(307, { location: other.url }).end())
    const refused = await anywhere(url, { headers: { authorization: 'Bearer x' } })
    expect(refused.headers.has(BLOCKED_HERE_HEADER)).toBe(true)
    expect(await said(refused)).toEqual({
      status: 400,
      text: expect.stringContaining(`another address (${other.url}/)`),
    })
    expect(other.heard).toEqual([])
  })

  it('lets nobody else say that it was refused here', async () => {
    const { url } = await serve((_, response) => response.writeHead(400, { [BLOCKED_HERE_HEADER]: 'yes' }).end('no'))
    expect((await anywhere(url)).headers.has(BLOCKED_HERE_HEADER)).toBe(false)
  })

  it('sends again what met a connection that the other side had closed', async () => {
    const served = new Set<unknown>()
    const { url, heard } = await serve((request, response) => {
      if (served.has(request.socket)) return void request.socket.destroy()
      served.add(request.socket)
      response.end('yes')
    })
    expect((await said(await anywhere(`${url}/1`))).text).toBe('yes')
    expect((await said(await anywhere(`${url}/2`))).text).toBe('yes')
    expect(heard).toEqual(['/1', '/2', '/2'])
  })

  it('gives up a connection that does not come about, and waits as long as it takes for an answer', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}))
    const within = (connectTimeoutMs: number) =>
      createSsrfSafeFetch({ allowPrivateAddresses: true, allowPlainHttp: true, connectTimeoutMs })
    const quick = within(30)
    try {
      const url = await listen(silent, { port: 0, host: '127.0.0.1' })
      await expect(quick(url.replace('http:', 'https:'))).rejects.toMatchObject({ cause: { code: 'ETIMEDOUT' } })
    } finally {
      silent.close()
    }
    // A busy machine may take longer than a moment to connect to itself.
    const slow = await serve((_, response) => setTimeout(() => response.end('at last'), 1_100))
    expect((await said(await within(1_000)(slow.url))).text).toBe('at last')
  })

  it('does not connect to this machine under any of its names where only public addresses are allowed', async () => {
    const { url, heard } = await serve((_, response) => response.end('caught'))
    const { port } = new URL(url)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '169.254.169.254'])
      expect(await said(await outsideOnly(`http://${host}:${port}/`)), host).toEqual({
        status: 400,
        text: expect.stringContaining('private address'),
      })
    expect(heard).toEqual([])
  })

  it('does not call without TLS where that is not allowed', async () => {
    const { url, heard } = await serve((_, response) => response.end('caught'))
    const secureOnly = createSsrfSafeFetch({ allowPrivateAddresses: true, allowPlainHttp: false })
    expect((await said(await secureOnly(url))).text).toContain('does not use HTTPS')
    expect(heard).toEqual([])
  })

  it('fails as fetch does where nobody listens or the answer breaks off, and stops with the signal', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      if (request.url === '/cut') setTimeout(() => response.destroy(), 20)
    })
    await expect(anywhere('http://127.0.0.1:9/')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    })
    await expect(anywhere(`${url}/cut`)).rejects.toMatchObject({ name: 'TypeError' })
    const stop = new AbortController()
    setTimeout(() => stop.abort('enough'), 50)
    await expect(anywhere(url, { signal: stop.signal })).rejects.toBe('enough')
  })
})
