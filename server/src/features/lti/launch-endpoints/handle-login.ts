import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { insertLean } from '../../../lib/database/database.ts'
import { LtiLoginModel } from '../../../records/lti/login.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { findPlatform, platformOrigins } from '../platforms/platform.service.ts'
import { LtiRefusal } from '../refusals.ts'
import type { LaunchAttempt } from './launch-attempt.ts'
import { hasProbeCookie, setProbeCookie, setStateCookie } from './launch-cookies.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'
import { type LoginRequest, newWindowLoginUrl, parseLoginRequest } from './login-request.ts'
import { loginCheckBody, type PlatformStorage } from './pages/browser-check-pages.ts'
import { redirectPrivately, sendPage } from './pages/send-page.ts'

/** How long the LMS may take to send the browser back. */
const LOGIN_TTL_MS = 10 * 60_000
/** What a browser calls a page within another one (Fetch Metadata). One that says nothing goes straight on. */
const FRAME_DESTINATIONS = new Set(['iframe', 'frame', 'object', 'embed'])

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')
const newSecret = () => randomBytes(32).toString('base64url')

/** Where the platform keeps data for a login of ours, by the name of its frame. It answers from where it signs people in. */
export const platformStorageFor = (platform: LtiPlatformDoc, frame: string, state: string): PlatformStorage => ({
  frame,
  origin: new URL(platform.auth_endpoint).origin,
  key: `assay_${hashSecret(state).slice(0, 32)}`,
})

/** The LMS says that somebody wants to come in: keeps what must come back, and sends the browser to the LMS to be told who it is. */
export async function handleLogin(
  door: LaunchDependencies,
  request: Request,
  response: Response,
  knock: LaunchAttempt,
): Promise<void> {
  const asked = parseLoginRequest({ ...request.query, ...request.body })
  const platform = await requireActivePlatform(asked, knock)
  const { state, url } = await createAuthenticationRequest(door, platform, asked)
  const nonce = newSecret()
  url.searchParams.set('nonce', nonce)

  const frame = needsBrowserCheck(request, platform) ? (asked.lti_storage_target ?? null) : null
  const secret = newSecret()
  await insertLean(LtiLoginModel, {
    _id: hashSecret(state),
    nonce,
    platform_id: platform._id,
    request: asked,
    storage: frame ? { frame, secret_hash: hashSecret(secret) } : null,
    expires_at: new Date(door.services.clock.now().getTime() + LOGIN_TTL_MS),
    used_at: null,
  })
  setStateCookie(response, state, platform.issuer, { secret: door.ltijs.cookieSecret, maxAgeMs: LOGIN_TTL_MS })
  setProbeCookie(response)
  if (!needsBrowserCheck(request, platform)) return redirectPrivately(response, 302, url.href)
  sendPage(response, {
    title: 'Opening',
    body: loginCheckBody({
      onwardUrl: url.href,
      windowUrl: newWindowLoginUrl(asked),
      storage: frame ? { ...platformStorageFor(platform, frame, state), secret } : null,
    }),
    framing: door.framing.current(),
    script: '/lti/door.js',
  })
}

async function requireActivePlatform(asked: LoginRequest, knock: LaunchAttempt): Promise<LtiPlatformDoc> {
  const { iss, client_id = null, lti_deployment_id = null } = asked
  Object.assign(knock, { issuer: iss, client_id, deployment_id: lti_deployment_id })
  if (asked.assay_window) knock.via = 'window'
  const platform = await findPlatform(iss, client_id)
  if (!platform) throw new LtiRefusal('platform_unknown')
  knock.platform = platform
  requireActive(platform)
  return platform
}

/** @throws {LtiRefusal} */
export function requireActive({ status }: LtiPlatformDoc): void {
  if (status === 'pending') throw new LtiRefusal('platform_pending')
  if (status === 'off') throw new LtiRefusal('platform_off')
}

/**
 * ltijs makes the request; its nonce is replaced by one that cannot be guessed. Only the parameters are taken from its redirect, since
 * an address with a query of its own would come out of it wrong.
 */
async function createAuthenticationRequest(
  { ltijs, services }: LaunchDependencies,
  platform: LtiPlatformDoc,
  asked: LoginRequest,
): Promise<{ state: string; url: URL }> {
  const { login_hint, lti_message_hint, lti_deployment_id } = asked
  const answer = await ltijs.ask({
    path: '/login',
    platform,
    form: {
      iss: platform.issuer,
      client_id: platform.client_id,
      login_hint,
      // Whatever is asked for, people come back to the one address we are registered with; the token says the rest, signed.
      target_link_uri: `${services.config.publicUrl}/lti/launch`,
      ...(lti_message_hint ? { lti_message_hint } : {}),
      ...(lti_deployment_id ? { lti_deployment_id } : {}),
    },
  })
  const location = URL.parse(String(answer.headers.location))
  const state = location?.searchParams.get('state')
  if (answer.status !== 302 || !location || !state) throw new Error(`ltijs answered a login with ${answer.status}`)
  const url = new URL(platform.auth_endpoint)
  for (const [name, value] of location.searchParams) url.searchParams.set(name, value)
  return { state, url }
}

/**
 * In a frame whose browser has not shown that it returns cookies there. A page of ours must be allowed in that frame, though: where
 * the frame's owner is not known yet (a Canvas before its first launch), the launch itself goes straight on, and tells us. What frames
 * us is in the referrer; an LMS that sends none has told by its first launch where it stands.
 */
function needsBrowserCheck(request: Request, platform: LtiPlatformDoc): boolean {
  if (!FRAME_DESTINATIONS.has(String(request.headers['sec-fetch-dest']))) return false
  if (hasProbeCookie(request)) return false
  const referrer = URL.parse(request.headers.referer ?? '')?.origin
  return referrer === undefined
    ? platform.deployments.some(({ first_seen_at }) => first_seen_at !== null)
    : platformOrigins(platform).includes(referrer)
}
