import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { PlatformValues } from '@assay/shared/lti/lti-platforms.ts'
import type { Config } from '../../../config.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { isBlockedAddressError, outgoingAgents } from '../../../lib/security/outgoing-agents.ts'
import { isPrivateHost } from '../../../lib/security/private-address.ts'

type PlatformRequestProblem =
  | 'not_https'
  | 'private_address'
  | 'redirected'
  | 'too_large'
  | 'timed_out'
  | 'unreachable'
  | 'stopped'

const MESSAGES: Record<PlatformRequestProblem, (host: string) => string> = {
  not_https: (host) => `${host} is not an https address.`,
  private_address: (host) => `${host} is a private address, to which Assay may not connect.`,
  redirected: (host) => `${host} answered with a redirect.`,
  too_large: (host) => `${host} sent a reply that is too large.`,
  timed_out: (host) => `${host} did not answer in time.`,
  unreachable: (host) => `${host} could not be reached.`,
  stopped: () => 'The request was stopped.',
}

/** The message is for people and names only the host, as URLs may hold tokens. */
export class PlatformRequestError extends Error {
  override name = 'PlatformRequestError'
  readonly problem: PlatformRequestProblem
  constructor(problem: PlatformRequestProblem, host: string, options?: ErrorOptions) {
    super(MESSAGES[problem](host), options)
    this.problem = problem
  }
}

export interface PlatformRequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** In ms, for the whole call. */
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

export interface PlatformResponse {
  status: number
  statusText: string
  headers: IncomingMessage['headers']
  body: string
}

/** Canvas answers 403 when its rate limit is exceeded. */
export function isRateLimit({ status, body, headers }: PlatformResponse): boolean {
  if (status !== 403) return status === 429
  return /rate limit exceeded/i.test(body.slice(0, 1000)) || Number(headers['x-rate-limit-remaining'] ?? 1) <= 0
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000
const MAX_SOCKETS = 32

export type AddressPolicy = Pick<Config, 'ltiPrivateAddresses' | 'ltiPlainHttp'>

/** Resolves for any status; follows no redirect. @throws {PlatformRequestError} when there is no reply */
export function requestPlatform(
  address: string,
  options: PlatformRequestOptions,
  allowed: AddressPolicy,
): Promise<PlatformResponse> {
  const url = URL.parse(address)
  const host = url?.host ?? 'The address'
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && allowed.ltiPlainHttp)))
    return Promise.reject(new PlatformRequestError('not_https', host))
  const agent = outgoingAgents(allowed.ltiPrivateAddresses, MAX_SOCKETS)
  const secure = url.protocol === 'https:'
  const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit

  return new Promise<PlatformResponse>((resolve, reject) => {
    const fail = (cause: unknown) => {
      if (cause instanceof PlatformRequestError) return reject(cause)
      reject(new PlatformRequestError(problemOf(cause, limit, options.signal), host, { cause }))
    }
    const call = secure ? httpsRequest : httpRequest
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = call(url, {
      method,
      agent: secure ? agent.https : agent.http,
      headers: { 'User-Agent': 'Assay', Accept: 'application/json', ...headers, ...length },
      signal,
    })
    outgoing.on('error', fail)
    outgoing.on('response', (reply) => {
      const status = reply.statusCode ?? 0
      reply.on('error', fail)
      if (status >= 300 && status < 400) return void outgoing.destroy(new PlatformRequestError('redirected', host))
      const chunks: Buffer[] = []
      let bytes = 0
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) outgoing.destroy(new PlatformRequestError('too_large', host))
        else chunks.push(chunk)
      })
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status, statusText: reply.statusMessage ?? '', headers: reply.headers, body: text })
      })
      reply.on('close', () => fail(new Error('the reply was cut off')))
    })
    outgoing.end(body)
  })
}

function problemOf(cause: unknown, limit: AbortSignal, stop: AbortSignal | undefined): PlatformRequestProblem {
  if (stop?.aborted) return 'stopped'
  if (limit.aborted) return 'timed_out'
  return isBlockedAddressError(cause) ? 'private_address' : 'unreachable'
}

/** Null for another origin, which must not get our token. An LMS behind a TLS proxy may name http for https. */
export function resolveSameOrigin(asked: string, named: string): string | null {
  const [here, there] = [new URL(asked), URL.parse(named, asked)]
  if (!there) return null
  if (there.protocol === 'http:' && here.protocol === 'https:' && there.hostname === here.hostname) {
    there.protocol = 'https:'
    there.port = here.port
  }
  return there.origin === here.origin && there.username === '' && there.password === '' ? there.href : null
}

/** Holds even for an LMS that ignores the page size. */
export const MAX_ENTRIES = 50_000
/** Several times a page of that many people. More would block the process for seconds. */
const MAX_VALUES = 1_000_000

/** Before parsing; counts separators within texts too. */
export function hasTooManyValues(json: string): boolean {
  let values = 0
  for (const mark of [',', '[', '{']) {
    for (let at = json.indexOf(mark); at !== -1; at = json.indexOf(mark, at + 1)) {
      values += 1
      if (values > MAX_VALUES) return true
    }
  }
  return false
}

/** An LMS that hangs must not block the others' jobs. */
export const platformFairShareKey = (platformId: number): string => `lms:${platformId}`

const BROWSER_ENDPOINTS = ['auth_endpoint'] as const
const SERVER_ENDPOINTS = ['token_endpoint', 'jwks_url'] as const

/** `called`: by this server, so not in a private network. */
export async function addressError(address: string, called: boolean, allowed: AddressPolicy): Promise<string | null> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowed.ltiPlainHttp) return 'Use an address that begins with https://'
  if (called && !allowed.ltiPrivateAddresses && (await isPrivateHost(url)))
    return `${url.host} is a private address, to which Assay may not connect. The server operator can allow private addresses (LTI_PRIVATE_ADDRESSES).`
  return null
}

async function findAddressErrors(values: Partial<PlatformValues>, allowed: AddressPolicy) {
  const addresses = [
    ...BROWSER_ENDPOINTS.map((field) => [field, values[field], false] as const),
    ...SERVER_ENDPOINTS.map((field) => [field, values[field], true] as const),
    ...(values.origins ?? []).map((origin, i) => [`origins.${i}`, origin, false] as const),
  ]
  const found = await Promise.all(
    addresses.map(async ([field, address, called]) => {
      const msg = address === undefined ? null : await addressError(address, called, allowed)
      return msg === null ? [] : [{ field, msg }]
    }),
  )
  return found.flat()
}

/** @throws {AppError} `validation_failed`, one detail per field */
export async function requireValidAddresses(values: Partial<PlatformValues>, allowed: AddressPolicy): Promise<void> {
  const wrong = await findAddressErrors(values, allowed)
  if (wrong.length === 0) return
  throw new AppError('validation_failed', undefined, {
    details: wrong.map(({ field, msg }) => ({ loc: ['body', ...field.split('.')], msg, type: 'address' })),
  })
}
