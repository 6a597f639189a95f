import { randomUUID } from 'node:crypto'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { signForPlatform } from '../platforms/platform-keys.ts'
import { type PlatformRequestOptions, type PlatformResponse, requestPlatform } from './platform-request.ts'

/** What a call to an LMS needs. */
export type LmsServices = Pick<Services, 'config' | 'clock'>

export class TokenRequestError extends Error {
  override name = 'TokenRequestError'
  /** HTTP status; 0 when the reply was not a token. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const TokenReply = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().catch(3600),
  /** The LMS names them if they are fewer than requested. */
  scope: z.string().optional(),
})

interface CachedToken {
  token: Promise<string>
  until: number
}
const cachedTokens = new Map<string, CachedToken>()
/** In ms, so that none expires during a call. */
const EXPIRY_MARGIN_MS = 30_000

const cacheKey = (platform: LtiPlatformDoc, scope: string) =>
  `${platform._id} ${platform.kid} ${platform.token_endpoint} ${scope}`

/** RFC 7523. Concurrent callers share one. @throws {TokenRequestError | PlatformRequestError} */
export function getAccessToken(platform: LtiPlatformDoc, scopes: readonly string[], services: LmsServices) {
  const scope = [...scopes].sort().join(' ')
  const key = cacheKey(platform, scope)
  const now = services.clock.now().getTime()
  const cached = cachedTokens.get(key)
  if (cached && cached.until > now) return cached.token
  const requested = requestToken(platform, scope, services)
  const entry: CachedToken = { token: requested.then(({ token }) => token), until: now + EXPIRY_MARGIN_MS }
  cachedTokens.set(key, entry)
  requested.then(
    ({ seconds }) => {
      entry.until = now + Math.max(seconds * 1000 - EXPIRY_MARGIN_MS, seconds * 500)
    },
    () => {
      if (cachedTokens.get(key) === entry) cachedTokens.delete(key)
    },
  )
  return entry.token
}

/** Uncached. @throws {TokenRequestError | PlatformRequestError} */
export async function requestToken(platform: LtiPlatformDoc, scope: string, { config }: LmsServices) {
  // The caller's platform may be from before its key was rotated.
  const { kid } = (await LtiPlatformModel.findById(platform._id, { kid: 1 }).lean()) ?? platform
  const assertion = await signForPlatform(
    { ...platform, kid },
    { sub: platform.client_id, jti: randomUUID() },
    { audience: platform.token_audience ?? platform.token_endpoint, expiresIn: '60s', secretKey: config.secretKey },
  )
  if (!assertion)
    throw new TokenRequestError(0, 'The key for this LMS cannot be decrypted. Create a new one on its page.')
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    scope,
  }).toString()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const reply = await requestPlatform(platform.token_endpoint, { method: 'POST', headers, body }, config)
  const host = new URL(platform.token_endpoint).host
  if (reply.status >= 400)
    throw new TokenRequestError(reply.status, `${host} denied access (${oauthErrorMessage(reply)}).`)
  const read = TokenReply.safeParse(parseJson(reply.body))
  if (!read.success) throw new TokenRequestError(0, `${host} did not return an access token.`)
  const { access_token, expires_in, scope: granted } = read.data
  return { token: access_token, seconds: expires_in, scopes: granted?.split(/\s+/).filter(Boolean) ?? null }
}

const OAuthError = z.object({ error: z.string().optional(), error_description: z.string().optional() })

function oauthErrorMessage(reply: { status: number; statusText: string; body: string }): string {
  const error = OAuthError.safeParse(parseJson(reply.body)).data
  const message = error?.error_description ?? error?.error ?? reply.statusText
  return [reply.status, message.slice(0, 200)].filter(Boolean).join(' ')
}

/** Renews the token once after a 401; resolves for any status. @throws {TokenRequestError | PlatformRequestError} */
export async function callPlatform(
  platform: LtiPlatformDoc,
  scopes: readonly string[],
  url: string,
  call: PlatformRequestOptions,
  services: LmsServices,
): Promise<PlatformResponse> {
  const attempt = async () => {
    const Authorization = `Bearer ${await getAccessToken(platform, scopes, services)}`
    return requestPlatform(url, { ...call, headers: { ...call.headers, Authorization } }, services.config)
  }
  const reply = await attempt()
  if (reply.status !== 401) return reply
  cachedTokens.delete(cacheKey(platform, [...scopes].sort().join(' ')))
  return attempt()
}

export const scopes = {
  members: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
  lineItems: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  lineItemsReadonly: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
  results: 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly',
  scores: 'https://purl.imsglobal.org/spec/lti-ags/scope/score',
} as const
/** Asked for only where an LMS says that it knows it: Canvas refuses unknown ones. */
export const GROUPS_SCOPE = 'https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly'
export const allScopes: readonly string[] = Object.values(scopes)
