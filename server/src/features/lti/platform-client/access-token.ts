import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { getPrivateKey } from '../platforms/platform-keys.ts'
import { requestPlatform } from './platform-request.ts'

/** The platform gave no token. The message says why, for people. */
export class TokenRequestError extends Error {
  override name = 'TokenRefused'
  /** 0 when it answered with something that is no token. */
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
  /** What was granted, where it is less than what was asked for. */
  scope: z.string().optional(),
})

interface CachedToken {
  token: Promise<string>
  until: number
}
/** By platform, key and scopes. A token is a convenience of this process: another one asks for its own. */
const cachedTokens = new Map<string, CachedToken>()
/** Before it runs out, in ms: a call under way must not find it gone. */
const EXPIRY_MARGIN_MS = 30_000

const cacheKey = (platform: LtiPlatformDoc, scope: string) =>
  `${platform._id} ${platform.kid} ${platform.token_endpoint} ${scope}`

/**
 * A bearer token for calls to a platform (client credentials, signed assertion: RFC 7523); several askers share one.
 * @throws {TokenRequestError | PlatformRequestError}
 */
export function getAccessToken(
  platform: LtiPlatformDoc,
  wanted: readonly string[],
  services: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const scope = [...wanted].sort().join(' ')
  const key = cacheKey(platform, scope)
  const now = services.clock.now().getTime()
  const before = cachedTokens.get(key)
  if (before && before.until > now) return before.token
  const asked = requestToken(platform, scope, services)
  const entry: CachedToken = { token: asked.then(({ token }) => token), until: now + EXPIRY_MARGIN_MS }
  cachedTokens.set(key, entry)
  asked.then(
    ({ seconds }) => {
      entry.until = now + Math.max(seconds * 1000 - EXPIRY_MARGIN_MS, seconds * 500)
    },
    () => {
      if (cachedTokens.get(key) === entry) cachedTokens.delete(key)
    },
  )
  return entry.token
}

/** The platform took the token no more (401): the next call asks for another. */
export function discardToken(platform: LtiPlatformDoc, wanted: readonly string[]): void {
  cachedTokens.delete(cacheKey(platform, [...wanted].sort().join(' ')))
}

export interface TokenGrant {
  token: string
  seconds: number
  /** What it is good for, where the platform says so. */
  scopes: string[] | null
}

/**
 * Asks for a token whether or not one is kept.
 * @throws {TokenRequestError | PlatformRequestError}
 */
export async function requestToken(
  platform: LtiPlatformDoc,
  scope: string,
  { config }: Pick<Services, 'config' | 'clock'>,
): Promise<TokenGrant> {
  // As it is now: whoever asks may have read the platform a while ago, and its key may have been changed for another since.
  const { kid } = (await LtiPlatformModel.findById(platform._id, { kid: 1 }).lean()) ?? platform
  const key = await getPrivateKey(kid, config.secretKey)
  if (!key) throw new TokenRequestError(0, 'The key for this LMS cannot be opened. Make a new one on its page.')
  // The machine's own clock, as the platform compares it with its own.
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(platform.client_id)
    .setSubject(platform.client_id)
    .setAudience(platform.token_audience ?? platform.token_endpoint)
    .setIssuedAt()
    .setExpirationTime('60s')
    .setJti(randomUUID())
    .sign(await importPKCS8(key, 'RS256'))
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
    throw new TokenRequestError(reply.status, `${host} gave no access (${oauthErrorMessage(reply)}).`)
  const read = TokenReply.safeParse(parseJson(reply.body))
  if (!read.success) throw new TokenRequestError(0, `${host} answered with something that is no access token.`)
  const { access_token, expires_in, scope: granted } = read.data
  return { token: access_token, seconds: expires_in, scopes: granted?.split(/\s+/).filter(Boolean) ?? null }
}

/** JSON, or undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const OAuthError = z.object({ error: z.string().optional(), error_description: z.string().optional() })

function oauthErrorMessage(reply: { status: number; statusText: string; body: string }): string {
  const said = OAuthError.safeParse(parseJson(reply.body)).data
  const words = said?.error_description ?? said?.error ?? reply.statusText
  return [reply.status, words.slice(0, 200)].filter(Boolean).join(' ')
}
