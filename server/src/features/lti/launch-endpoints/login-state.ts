import { createHmac, hkdfSync } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { decryptSecret, encryptSecret } from '../../../lib/security/secret-encryption.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { LtiRefusal } from '../refusals.ts'

const text = z.string().min(1).max(2000)
/** Some LMSs put a signed message there. */
const opaque = z.string().min(1).max(8000)
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** OpenID Connect core, 4; LTI 1.3 security framework, 5.1.1.1. */
const LoginRequest = z.object({
  iss: text,
  login_hint: opaque,
  target_link_uri: text,
  client_id: lenient(z.string().min(1).max(255)),
  lti_message_hint: lenient(opaque),
  lti_deployment_id: lenient(z.string().min(1).max(255)),
  /** LTI client side postMessages. */
  lti_storage_target: lenient(z.string().min(1).max(200)),
  /** Set by our page's new-window button. */
  assay_window: lenient(z.literal('1')),
})
export type LoginRequest = z.output<typeof LoginRequest>

/** @throws {LtiRefusal} naming what is missing or repeated */
export function parseLoginRequest(parameters: unknown): LoginRequest {
  const read = LoginRequest.safeParse(parameters)
  if (read.success) return read.data
  const fields = read.error.issues.map(({ path }) => path.join('.'))
  throw new LtiRefusal('login_incomplete', `missing or wrong: ${[...new Set(fields)].join(', ')}`)
}

/** In a new window our cookies are first-party. */
export function newWindowLoginUrl({ lti_storage_target: _, ...request }: LoginRequest): string {
  return `/lti/login?${new URLSearchParams({ ...request, assay_window: '1' })}`
}

const PURPOSE = 'lti-login'
/** It travels in URLs beside the LMS's hints; servers accept 8,000 characters. */
const MAX_STATE_LENGTH = 4000

export const State = z.string().regex(new RegExp(`^[\\w-]{20,${MAX_STATE_LENGTH}}$`))

const Hints = z.object({
  login_hint: z.string(),
  lti_message_hint: z.string().optional(),
  lti_deployment_id: z.string().optional(),
})
const Sealed = z.object({
  platform_id: z.number(),
  expires_at: z.number(),
  window: z.boolean(),
  frame: z.string().nullable(),
  /** For repeating the login in a new window; null where too long. */
  hints: Hints.nullable(),
})

export type LoginState = Omit<z.output<typeof Sealed>, 'expires_at'> & { expires_at: Date }

export const hintsOf = ({ login_hint, lti_message_hint, lti_deployment_id }: LoginRequest): LoginState['hints'] => ({
  login_hint,
  ...(lti_message_hint ? { lti_message_hint } : {}),
  ...(lti_deployment_id ? { lti_deployment_id } : {}),
})

/** Encrypted, not stored, so that abandoned logins leave nothing behind. */
export function sealLogin(login: LoginState, secretKey: string): string {
  const sealed = seal(login, secretKey)
  return sealed.length <= MAX_STATE_LENGTH ? sealed : seal({ ...login, hints: null }, secretKey)
}

function seal(login: LoginState, secretKey: string): string {
  const text = JSON.stringify({ ...login, expires_at: login.expires_at.getTime() })
  // Hints are mostly base64, which compresses by a quarter.
  const small = deflateRawSync(text).toString('base64')
  return Buffer.from(encryptSecret(small, secretKey, PURPOSE), 'base64').toString('base64url')
}

/** Null for a state that is not ours, or of another SECRET_KEY. */
export function openLogin(state: string, secretKey: string): LoginState | null {
  const small = decryptSecret(Buffer.from(state, 'base64url').toString('base64'), secretKey, PURPOSE)
  if (small === null) return null
  const read = Sealed.safeParse(parseJson(inflateRawSync(Buffer.from(small, 'base64')).toString()))
  return read.success ? { ...read.data, expires_at: new Date(read.data.expires_at) } : null
}

export function repeatedLogin({ hints }: LoginState, { issuer, client_id }: LtiPlatformDoc, launchUrl: string) {
  return hints && { ...hints, iss: issuer, client_id, target_link_uri: launchUrl }
}

/** 43 characters that cannot be guessed from the state. */
export function deriveFromState(state: string, what: 'nonce' | 'cookie' | 'storage', secretKey: string): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'assay', `${PURPOSE}-${what}`, 32))
  return createHmac('sha256', key).update(state).digest('base64url')
}
