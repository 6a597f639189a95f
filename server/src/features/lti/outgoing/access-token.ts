import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../platforms/platform.model.ts'
import { privateKeyOf } from '../platforms/platform-keys.ts'
import { callOut } from './request.ts'

/** The platform gave no token. The message says why, for people. */
export class TokenRefused extends Error {
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

interface Kept {
  token: Promise<string>
  until: number
}
/** By platform, key and scopes. A token is a convenience of this process: another one asks for its own. */
const kept = new Map<string, Kept>()
/** Before it runs out, in ms: a call under way must not find it gone. */
const SPARE_MS = 30_000

const keyOf = (platform: LtiPlatformDoc, scope: string) =>
  `${platform._id} ${platform.kid} ${platform.token_endpoint} ${scope}`

/**
 * A bearer token for calls to a platform (client credentials, signed assertion: RFC 7523); several askers share one.
 * @throws {TokenRefused | OutgoingError}
 */
export function accessToken(
  platform: LtiPlatformDoc,
  wanted: readonly string[],
  services: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const scope = [...wanted].sort().join(' ')
  const key = keyOf(platform, scope)
  const now = services.clock.now().getTime()
  const before = kept.get(key)
  if (before && before.until > now) return before.token
  const asked = requestGrant(platform, scope, services)
  const entry: Kept = { token: asked.then(({ token }) => token), until: now + SPARE_MS }
  kept.set(key, entry)
  asked.then(
    ({ seconds }) => {
      entry.until = now + Math.max(seconds * 1000 - SPARE_MS, seconds * 500)
    },
    () => {
      if (kept.get(key) === entry) kept.delete(key)
    },
  )
  return entry.token
}

/** The platform took the token no more (401): the next call asks for another. */
export function forgetToken(platform: LtiPlatformDoc, wanted: readonly string[]): void {
  kept.delete(keyOf(platform, [...wanted].sort().join(' ')))
}

export interface Grant {
  token: string
  seconds: number
  /** What it is good for, where the platform says so. */
  scopes: string[] | null
}

/**
 * Asks for a token whether or not one is kept.
 * @throws {TokenRefused | OutgoingError}
 */
export async function requestGrant(
  platform: LtiPlatformDoc,
  scope: string,
  { config }: Pick<Services, 'config' | 'clock'>,
): Promise<Grant> {
  // As it is now: whoever asks may have read the platform a while ago, and its key may have been changed for another since.
  const { kid } = (await LtiPlatformModel.findById(platform._id, { kid: 1 }).lean()) ?? platform
  const key = await privateKeyOf(kid, config.secretKey)
  if (!key) throw new TokenRefused(0, 'The key for this LMS cannot be opened. Make a new one on its page.')
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
  const reply = await callOut(platform.token_endpoint, { method: 'POST', headers, body }, config)
  const host = new URL(platform.token_endpoint).host
  if (reply.status >= 400)
    throw new TokenRefused(reply.status, `${host} gave no access (${reasonOf(reply)}).`)
  const read = TokenReply.safeParse(parseJson(reply.body))
  if (!read.success) throw new TokenRefused(0, `${host} answered with something that is no access token.`)
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

const Said = z.object({ error: z.string().optional(), error_description: z.string().optional() })

function reasonOf(reply: { status: number; statusText: string; body: string }): string {
  const said = Said.safeParse(parseJson(reply.body)).data
  const words = said?.error_description ?? said?.error ?? reply.statusText
  return [reply.status, words.slice(0, 200)].filter(Boolean).join(' ')
}
