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

/** What is asked of ltijs: one of the three addresses it has here. */
export interface LtijsRequest {
  path: '/login' | '/launch' | '/keys'
  form?: Record<string, string>
  /** A `Cookie` header. */
  cookie?: string
  platform?: LtiPlatformDoc
  /** The platform's key that the token names, for ltijs to check the signature by. */
  key?: JWK
}

/** What it would have told the browser. */
export interface LtijsResponse {
  status: number
  headers: OutgoingHttpHeaders
  body: string
}

export interface Ltijs {
  /** @throws when it has no answer in time, or our database failed while it asked there */
  ask(question: LtijsRequest): Promise<LtijsResponse>
  /** What its cookies are signed with. */
  readonly cookieSecret: string
}

/** A launch older than this is nobody's; an id token may be as old as the login it answers. */
export const TOKEN_MAX_AGE_SECONDS = 10 * 60
const TIMEOUT_MS = 10_000
/** ltijs's answer to a launch it let in: ours goes to the browser. */
export const ACCEPTED = 204

/**
 * ltijs, asked beside the request and not in its way: it is handed a request of our making and its reply is read, so that neither
 * its headers nor its error pages reach a browser, no route of its beyond these three can be called, and one that hangs or throws
 * where nobody listens holds up nothing. The package exports one provider for the process; each server here has its own.
 *
 * Not deployed (`deploy()`): without a port of its own that would open a database, which is open, and end the process on SIGINT
 * without letting requests finish.
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
    async ask(question) {
      const about: LtijsRequestState = { key: question.key ?? null, platform: question.platform ?? null }
      const answer = await requestState.run(about, () => dispatch(provider.app, question))
      if (about.failure) throw about.failure
      return answer
    },
  }
}

function dispatch(app: Provider['app'], { path, form, cookie }: LtijsRequest): Promise<LtijsResponse> {
  const request = new IncomingMessage(new Socket())
  request.method = form ? 'POST' : 'GET'
  request.url = path
  if (cookie) request.headers.cookie = cookie
  // As its parsers leave it: they pass by what was read already.
  Object.assign(request, { body: form ?? {}, _body: true })
  request.push(null)

  const response = new ServerResponse(request)
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`ltijs gave no answer at ${path}`)), TIMEOUT_MS)
    response.end = (chunk?: unknown) => {
      clearTimeout(late)
      const body = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : ''
      resolve({ status: response.statusCode, headers: response.getHeaders(), body })
      return response
    }
    app(request, response)
  })
}
