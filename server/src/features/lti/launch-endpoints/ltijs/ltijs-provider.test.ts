import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { LtiNonceModel } from '../../../../records/lti/nonce.model.ts'
import { beginLaunch, createTestLink } from '../../../../testing/launch-refusals.ts'
import { useRegisteredLms } from '../../../../testing/registered-lms.ts'
import { useServer } from '../../../../testing/server.ts'
import { createJwksCache } from '../jwks-cache.ts'
import { stateCookieHeader } from '../launch-cookies.ts'
import { ACCEPTED, createLtijs, type Ltijs, type LtijsRequest } from './ltijs-provider.ts'

const interrupted = process.listenerCount('SIGINT')
const server = useServer()
const school = useRegisteredLms(server)
let ltijs: Ltijs
beforeAll(() => {
  ltijs = createLtijs(server.running.services)
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function aLaunch(): Promise<LtijsRequest & { form: { state: string; id_token: string }; cookie: string }> {
  const { lms, platform } = school()
  const { posted } = await beginLaunch(lms.launcher(), createTestLink(school()))
  const { state = '', id_token = '' } = posted.fields
  const kid = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString()).kid
  const key = await createJwksCache(server.running.services).getKey(platform, kid)
  const cookie = stateCookieHeader(state, platform.issuer, ltijs.cookieSecret)
  return { path: '/launch', form: { state, id_token }, cookie, key }
}

const reason = ({ body }: { body: string }) => JSON.parse(body).details.message

describe('ltijs has its say as well', () => {
  it('refuses a browser without its cookie', async () => {
    const { cookie: _, ...launch } = await aLaunch()
    const answer = await ltijs.request(launch)
    expect([answer.status, reason(answer)]).toEqual([401, 'MISSING_VALIDATION_COOKIE'])
  })

  it('refuses a token under another platform’s key', async () => {
    const launch = await aLaunch()
    await school().lms.keys.rotate()
    const other = await aLaunch()
    if (!other.key) throw new Error('it has a key')
    const answer = await ltijs.request({ ...launch, key: other.key })
    expect([answer.status, reason(answer)]).toEqual([401, 'invalid signature'])
  })

  it('refuses a nonce the second time', async () => {
    const launch = await aLaunch()
    expect((await ltijs.request(launch)).status).toBe(ACCEPTED)
    const again = await ltijs.request(launch)
    expect([again.status, reason(again)]).toEqual([401, 'NONCE_ALREADY_RECEIVED'])
  })
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
  const browser = lms.launcher()
  const login = await browser.login(createTestLink(school()))
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
