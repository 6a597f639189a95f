import { afterEach, expect, it, vi } from 'vitest'
import { LtiNonceModel } from '../../../../records/lti/launch.model.ts'
import { createTestLink, useRegisteredLms } from '../../../../testing/registered-lms.ts'
import { useServer } from '../../../../testing/server.ts'

const interrupted = process.listenerCount('SIGINT')
const server = useServer()
const school = useRegisteredLms(server)
afterEach(() => {
  vi.restoreAllMocks()
})

it('answers a launch with a message and keeps running when the database fails', async () => {
  const { lms } = school()
  vi.spyOn(LtiNonceModel, 'insertMany').mockRejectedValueOnce(new Error('no connection'))
  const { reply } = await lms.launcher().go(createTestLink(school()))
  expect(reply?.status).toBe(500)
  expect(reply?.text).toContain('<h1>Assay could not be opened</h1>')
  expect(reply?.text).toContain(`<dd>${reply?.headers.get('x-request-id')}</dd>`)
  expect(reply?.text).not.toContain('no connection')
  expect((await lms.launcher().go(createTestLink(school()))).reply?.status).toBe(303)
})

it('leaves the end of the process to us', () => {
  expect(process.listenerCount('SIGINT')).toBe(interrupted)
})

it('lets none of its headers reach a browser', async () => {
  const { lms } = school()
  const login = await lms.launcher().login(createTestLink(school()))
  const preflight = await fetch(`${server.running.url}/lti/launch`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  for (const { headers } of [login, preflight]) {
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('cross-origin-embedder-policy')).toBeNull()
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  }
  expect(login.headers.get('referrer-policy')).toBe('no-referrer')
  expect(login.headers.get('cache-control')).toBe('no-store')
})
