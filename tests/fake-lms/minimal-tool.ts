import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import express from 'express'
import { createRemoteJWKSet, exportJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Tool } from './data/lms-data.ts'
import type { FakeLms } from './fake-lms.ts'
import { makeKey } from './keys.ts'

export type MinimalTool = Awaited<ReturnType<typeof startMinimalTool>>

interface ServiceReply {
  status: number
  statusText: string
  headers: Headers
  /** What came as JSON; undefined where none did. */
  body: unknown
}

/**
 * The smallest tool that launches, asks for tokens and calls services, written from the standard and not from our
 * product: what the LMS is tested against.
 */
export async function startMinimalTool(lms: FakeLms) {
  const key = await makeKey()
  const expected = new Map<string, string>()
  const launched: JWTPayload[] = []
  const app = express()
  app.use(express.urlencoded({ extended: false }))
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the tool does not listen on a port')
  const url = `http://localhost:${address.port}`

  app.get('/keys', async (_request, response) => {
    const jwk = await exportJWK(key.publicKey)
    response.json({ keys: [{ ...jwk, kid: key.kid, alg: 'RS256', use: 'sig' }] })
  })
  app.all('/login', (request, response) => {
    const given = { ...request.query, ...request.body }
    const [state, nonce] = [randomUUID(), randomUUID()]
    expected.set(state, nonce)
    const fields = new URLSearchParams({
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: given.client_id,
      redirect_uri: given.target_link_uri,
      login_hint: given.login_hint,
      lti_message_hint: given.lti_message_hint,
      state,
      nonce,
    })
    response.cookie('state', state, { sameSite: 'none', secure: true })
    response.redirect(`${lms.authorizationUrl}?${fields}`)
  })
  const keys = () => createRemoteJWKSet(new URL(lms.jwksUrl))
  app.post('/launch', async (request, response) => {
    const { state = '', id_token = '', error } = request.body
    if (error) return void response.status(400).send(`${error}: ${request.body.error_description}`)
    const nonce = expected.get(state)
    expected.delete(state)
    if (!nonce || !request.headers.cookie?.includes(state)) return void response.status(401).send('state')
    try {
      const audience = tool.clientId
      const { payload } = await jwtVerify(id_token, keys(), {
        issuer: lms.issuer,
        audience,
        maxTokenAge: 3600,
      })
      if (payload.nonce !== nonce) return void response.status(401).send('nonce')
      launched.push(payload)
      response.send(`hello ${payload.sub}`)
    } catch (refused) {
      response.status(401).send((refused as Error).message)
    }
  })

  const tool: Tool & { deploymentId: string } = lms.registerTool({
    loginUrl: `${url}/login`,
    launchUrl: `${url}/launch`,
    jwksUrl: `${url}/keys`,
  })

  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(key.privateKey)

  /** The claims of a good client assertion, for tests that spoil one. */
  const assertion = () => ({
    iss: tool.clientId,
    sub: tool.clientId,
    aud: lms.tokenUrl,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
    jti: randomUUID(),
  })

  async function askForToken(scopes: readonly string[], claims: Record<string, unknown> = assertion()) {
    const response = await fetch(lms.tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await sign(claims),
        scope: scopes.join(' '),
      }),
    })
    return { status: response.status, body: await response.json() }
  }

  async function call(
    address: string,
    { token, method = 'GET', type, body }: { token: string; method?: string; type?: string; body?: object },
  ): Promise<ServiceReply> {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const { status, statusText, headers } = response
    const json = headers.get('content-type')?.includes('json') && text
    return { status, statusText, headers, body: json ? JSON.parse(text) : undefined }
  }

  return {
    url,
    tool,
    launched,
    sign,
    assertion,
    askForToken,
    call,
    async token(...scopes: string[]): Promise<string> {
      const { body } = await askForToken(scopes)
      return body.access_token
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
