import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { insertWhole } from '../../../lib/db.ts'
import type { LtiPlatformDoc } from '../platforms/platform.model.ts'
import { findPlatform, originsOf } from '../platforms/platform.service.ts'
import { LtiRefusal } from '../refusals.ts'
import { hasProbe, setProbe, setStateCookie } from './cookies.ts'
import type { Door } from './door.ts'
import type { Knock } from './knock.ts'
import { LtiLoginModel } from './login.model.ts'
import { type LoginRequest, readLoginRequest, windowAddress } from './login-request.ts'
import { goOn, sendPage } from './pages.ts'
import { loginBody, type Storage } from './way-pages.ts'

/** How long the LMS may take to send the browser back. */
const OPEN_MS = 10 * 60_000
/** What a browser calls a page within another one (Fetch Metadata). One that says nothing goes straight on. */
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed'])

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const newSecret = () => randomBytes(32).toString('base64url')

/** Where the platform keeps data for a login of ours, by the name of its frame. It answers from where it signs people in. */
export const storageOf = (platform: LtiPlatformDoc, frame: string, state: string): Storage => ({
  frame,
  origin: new URL(platform.auth_endpoint).origin,
  key: `assay_${hashOf(state).slice(0, 32)}`,
})

/** The LMS says that somebody wants to come in: keeps what must come back, and sends the browser to the LMS to be told who it is. */
export async function answerLogin(
  door: Door,
  request: Request,
  response: Response,
  knock: Knock,
): Promise<void> {
  const asked = readLoginRequest({ ...request.query, ...request.body })
  const platform = await admitted(asked, knock)
  const { state, url } = await authenticationRequest(door, platform, asked)
  const nonce = newSecret()
  url.searchParams.set('nonce', nonce)

  const frame = needsPage(request, platform) ? (asked.lti_storage_target ?? null) : null
  const secret = newSecret()
  await insertWhole(LtiLoginModel, {
    _id: hashOf(state),
    nonce,
    platform_id: platform._id,
    request: asked,
    storage: frame ? { frame, secret_hash: hashOf(secret) } : null,
    expires_at: new Date(door.services.clock.now().getTime() + OPEN_MS),
    used_at: null,
  })
  setStateCookie(response, state, platform.issuer, { secret: door.ltijs.cookieSecret, maxAgeMs: OPEN_MS })
  setProbe(response)
  if (!needsPage(request, platform)) return goOn(response, 302, url.href)
  sendPage(response, {
    title: 'Opening',
    body: loginBody({
      onwardUrl: url.href,
      windowUrl: windowAddress(asked),
      storage: frame ? { ...storageOf(platform, frame, state), secret } : null,
    }),
    framing: door.framing.current(),
    script: '/lti/door.js',
  })
}

async function admitted(asked: LoginRequest, knock: Knock): Promise<LtiPlatformDoc> {
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
async function authenticationRequest(
  { ltijs, services }: Door,
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
  if (answer.status !== 302 || !location || !state)
    throw new Error(`ltijs answered a login with ${answer.status}`)
  const url = new URL(platform.auth_endpoint)
  for (const [name, value] of location.searchParams) url.searchParams.set(name, value)
  return { state, url }
}

/**
 * In a frame whose browser has not shown that it returns cookies there. A page of ours must be allowed in that frame, though: where
 * the frame's owner is not known yet (a Canvas before its first launch), the launch itself goes straight on, and tells us. What frames
 * us is in the referrer; an LMS that sends none has told by its first launch where it stands.
 */
function needsPage(request: Request, platform: LtiPlatformDoc): boolean {
  if (!FRAMES.has(String(request.headers['sec-fetch-dest']))) return false
  if (hasProbe(request)) return false
  const referrer = URL.parse(request.headers.referer ?? '')?.origin
  return referrer === undefined
    ? platform.deployments.some(({ first_seen_at }) => first_seen_at !== null)
    : originsOf(platform).includes(referrer)
}
