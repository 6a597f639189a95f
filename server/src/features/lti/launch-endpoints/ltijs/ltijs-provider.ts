/// <reference path="./ltijs.d.ts" />
import { AsyncLocalStorage } from 'node:async_hooks'
import { hkdfSync } from 'node:crypto'
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { JWK } from 'jose'
import { Provider } from 'ltijs'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { createLtijsDatabase, type LtijsRequestState } from './ltijs-database.ts'

export interface LtijsRequest {
  path: '/login' | '/launch' | '/keys'
  form?: Record<string, string>
  cookie?: string
  platform?: LtiPlatformDoc
  /** The platform's key named by the token, for the signature check. */
  key?: JWK
}

interface LtijsResponse {
  status: number
  headers: OutgoingHttpHeaders
  body: string
}

export interface Ltijs {
  /** @throws when it does not answer in time, or our database failed */
  request(options: LtijsRequest): Promise<LtijsResponse>
  readonly cookieSecret: string
}

/** An id token may be as old as the login it answers. */
export const TOKEN_MAX_AGE_SECONDS = 10 * 60
const TIMEOUT_MS = 10_000
/** ltijs's status for an accepted launch; the browser gets our own response. */
export const ACCEPTED = 204

/**
 * ltijs gets requests we make and we read its replies: none of its headers, error pages or other routes reach a
 * browser, and a route that hangs or throws asynchronously blocks nothing. `deploy()` is not called: it would open a
 * database and end the process on SIGINT without letting requests finish.
 */
export function createLtijs(services: Pick<Services, 'config' | 'clock'>): Ltijs {
  const secret = services.config.secretKey
  const cookieSecret = Buffer.from(hkdfSync('sha256', secret, 'assay', 'ltijs', 32)).toString('hex')
  const requestState = new AsyncLocalStorage<LtijsRequestState>()
  const provider = new Provider.constructor()
  provider.setup(
    cookieSecret,
    { plugin: createLtijsDatabase(requestState, services) },
    {
      loginRoute: '/login',
      appRoute: '/launch',
      keysetRoute: '/keys',
      dynRegRoute: '/register',
      ltiaas: true,
      cors: false,
      devMode: false,
      cookies: { secure: true, sameSite: 'None' },
      tokenMaxAge: TOKEN_MAX_AGE_SECONDS,
    },
  )
  const accept = (_token: unknown, _request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = ACCEPTED
    response.end()
  }
  provider.onConnect(accept)
  provider.onDeepLinking(accept)

  return {
    cookieSecret,
    async request(options) {
      const state: LtijsRequestState = { key: options.key ?? null, platform: options.platform ?? null }
      const reply = await requestState.run(state, () => dispatch(provider.app, options))
      if (state.failure) throw state.failure
      return reply
    },
  }
}

function dispatch(app: Provider['app'], { path, form, cookie }: LtijsRequest): Promise<LtijsResponse> {
  const request = new IncomingMessage(new Socket())
  request.method = form ? 'POST' : 'GET'
  request.url = path
  if (cookie) request.headers.cookie = cookie
  // Marked as parsed, so that its body parsers skip it.
  Object.assign(request, { body: form ?? {}, _body: true })
  request.push(null)

  const response = new ServerResponse(request)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`ltijs did not answer ${path}`)), TIMEOUT_MS)
    response.end = (chunk?: unknown) => {
      clearTimeout(timer)
      const body = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : ''
      resolve({ status: response.statusCode, headers: response.getHeaders(), body })
      return response
    }
    app(request, response)
  })
}
