import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { LaunchOptions } from '../../../../../tests/fake-lms/launches/launcher.ts'
import { LtiUsedLoginModel } from '../../../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
import { beginLaunch, createTestLink, launchToHandoff, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

let logged = ''
const logStream = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk
    done()
  },
})
const server = useServer({}, { log: pino({ level: 'trace' }, logStream) })
const school = useRegisteredLms(server)

it('logs each refusal under its request, and no token, state or name of anybody', async () => {
  const { lms } = school()
  const expired: Partial<LaunchOptions> = {
    mutate: (claims) => Object.assign(claims, { iat: 1_700_000_000, exp: 1_700_000_060 }),
  }
  const roles = 'https://purl.imsglobal.org/spec/lti/claim/roles'
  const noRoles: Partial<LaunchOptions> = { mutate: (claims) => delete claims[roles] }
  for (const options of [{}, expired, { signing: 'broken' } as const, noRoles]) {
    logged = ''
    const lesson = createTestLink(school())
    const browser = lms.launcher()
    const { posted } = await beginLaunch(browser, { ...lesson, ...options })
    const reply = await browser.post(posted.url, posted.fields)
    const requestId = reply.headers.get('x-request-id') ?? 'none'
    await expect.poll(() => logged).toContain(requestId)
    if (reply.status !== 303) expect(logged).toMatch(new RegExp(`"requestId":"${requestId}".*a launch was refused`))
    const stored = JSON.stringify([await LtiUsedLoginModel.find().lean(), await LtiLaunchLogModel.find().lean()])
    const { state = '', id_token = '' } = posted.fields
    const [, body = '', signature = ''] = id_token.split('.')
    const { name, email, familyName } = lesson.as
    for (const secret of [state, body, signature, name, email, familyName]) {
      expect(secret).not.toBe('')
      expect(logged + stored).not.toContain(secret)
    }
  }
})

it('names PUBLIC_URL with a refusal, and the address asked for where it is another', async () => {
  const { url, services } = server.running
  const { port } = new URL(url)
  const refusedAt = async (origin: string) => {
    logged = ''
    expect((await fetch(`${origin}/lti/launch`, { method: 'POST' })).status).toBe(400)
    await expect.poll(() => logged).toContain('a launch was refused')
    const { public_url, asked_for } = JSON.parse(
      logged.split('\n').find((line) => line.includes('a launch was refused')) ?? '{}',
    )
    return { public_url, asked_for }
  }
  const own = services.config.publicUrl
  expect(await refusedAt(own)).toEqual({ public_url: own, asked_for: undefined })
  const other = new URL(own).hostname === 'localhost' ? `127.0.0.1:${port}` : `localhost:${port}`
  expect(await refusedAt(`http://${other}`)).toEqual({ public_url: own, asked_for: other })
})

it('logs a code that was used before under its request, and not the code', async () => {
  const { location, headers, exchange } = await launchToHandoff(school(), createTestLink(school()))
  expect((await exchange()).status).toBe(200)
  logged = ''
  const again = await exchange()
  expect(again.status).toBe(401)
  const request_id = again.headers.get('x-request-id')
  await expect.poll(() => logged).toMatch(new RegExp(`"requestId":"${request_id}".*a launch’s code was refused`))
  for (const secret of [location.split('#')[1], headers.cookie?.split('=')[1]]) expect(logged).not.toContain(secret)
})
