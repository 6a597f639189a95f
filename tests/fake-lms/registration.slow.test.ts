import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type FakeLms, startFakeLms } from './fake-lms.ts'
import { SCOPE } from './lti-constants.ts'

describe('dynamic registration', () => {
  let lms: FakeLms
  beforeAll(async () => {
    lms = await startFakeLms({ kind: 'moodle' })
  })
  afterAll(() => lms?.close())

  const config = 'https://purl.imsglobal.org/spec/lti-tool-configuration'
  const metadata = {
    application_type: 'web',
    client_name: 'Tiny',
    response_types: ['id_token'],
    grant_types: ['implicit', 'client_credentials'],
    initiate_login_uri: 'http://localhost:9/login',
    redirect_uris: ['http://localhost:9/launch'],
    jwks_uri: 'http://localhost:9/keys',
    token_endpoint_auth_method: 'private_key_jwt',
    scope: [SCOPE.scores, SCOPE.members].join(' '),
    [config]: {
      domain: 'localhost:9',
      target_link_uri: 'http://localhost:9/launch',
      custom_parameters: { course: '$Context.id' },
      messages: [{ type: 'LtiDeepLinkingRequest', target_link_uri: 'http://localhost:9/choose' }],
    },
  }

  async function send(token: string, body: unknown, method = 'POST', url = lms.registrationUrl) {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  it('leads a tool from the link to its client id', async () => {
    const link = new URL(lms.registrations.link(lms, 'http://localhost:9/register?from=us'))
    expect(link.searchParams.get('from')).toBe('us')
    const response = await fetch(link.searchParams.get('openid_configuration') ?? '')
    const said = await response.json()
    expect(said).toMatchObject({ issuer: lms.issuer, registration_endpoint: lms.registrationUrl })
    const token = link.searchParams.get('registration_token') ?? ''
    const { status, body } = await send(token, metadata)
    expect(status).toBe(200)
    expect(lms.tools.get(body.client_id)).toMatchObject({
      name: 'Tiny',
      loginUrl: 'http://localhost:9/login',
      deepLinkingUrl: 'http://localhost:9/choose',
      scopes: [SCOPE.scores, SCOPE.members],
      custom: { course: '$Context.id' },
    })
    expect(body[config].deployment_id).toBe(lms.tools.get(body.client_id)?.deployments[0])
  })

  it('takes a registration token once', async () => {
    const token = lms.registrations.token()
    expect((await send(token, metadata)).status).toBe(200)
    expect((await send(token, metadata)).status).toBe(401)
    expect((await send('made-up', metadata)).status).toBe(401)
  })

  it.each(['client_name', 'redirect_uris', 'jwks_uri', 'response_types', config])(
    'refuses a tool without %s, and leaves the token valid for the next try',
    async (name) => {
      const token = lms.registrations.token()
      const before = lms.tools.size
      expect((await send(token, { ...metadata, [name]: undefined })).status).toBe(400)
      expect(lms.tools.size).toBe(before)
      expect((await send(token, metadata)).status).toBe(200)
    },
  )

  it('names no address to change the registration in Moodle', async () => {
    const { body } = await send(lms.registrations.token(), metadata)
    expect(body).not.toHaveProperty('registration_client_uri')
    expect(body).not.toHaveProperty('registration_access_token')
    expect((await fetch(`${lms.registrationUrl}/${body.client_id}`)).status).toBe(404)
  })

  it('lets the tool look at its registration in Canvas, and change it', async () => {
    const canvas = await startFakeLms({ kind: 'canvas' })
    onTestFinished(() => canvas.close())
    const { body } = await send(canvas.registrations.token(), metadata, 'POST', canvas.registrationUrl)
    const { registration_client_uri: url, registration_access_token: token, client_id } = body
    expect((await send(token, null, 'GET', url)).body).toMatchObject({ client_id, client_name: 'Tiny' })
    const changed = { ...metadata, client_id, client_name: 'Tiny 2' }
    expect((await send(token, changed, 'PUT', url)).status).toBe(200)
    expect(canvas.tools.get(client_id)?.name).toBe('Tiny 2')
    expect((await send('made-up', changed, 'PUT', url)).status).toBe(401)
  })
})
