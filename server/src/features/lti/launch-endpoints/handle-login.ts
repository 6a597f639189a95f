import type { Request } from 'express'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { findPlatform, platformOrigins } from '../platforms/platform.service.ts'
import { LtiRefusal } from '../refusals.ts'
import {
  type AttemptHandler,
  hasProbeCookie,
  type LaunchAttempt,
  setProbeCookie,
  setStateCookie,
} from './launch-attempt.ts'
import type { LaunchDependencies, PlatformStorage } from './launch-dependencies.ts'
import {
  deriveFromState,
  hintsOf,
  type LoginRequest,
  newWindowLoginUrl,
  parseLoginRequest,
  sealLogin,
} from './login-state.ts'
import { browserCheckScript, loginCheckBody, redirectPrivately, sendPage } from './pages/send-page.ts'

const LOGIN_TTL_MS = 10 * 60_000
const NOTE_LOGIN_EVERY_MS = 60_000
/** Without Fetch Metadata a browser is redirected unchecked. */
const FRAME_DESTINATIONS = new Set(['iframe', 'frame', 'object', 'embed'])

export const platformStorageFor = (platform: LtiPlatformDoc, frame: string, state: string): PlatformStorage => ({
  frame,
  origin: new URL(platform.auth_endpoint).origin,
  key: `assay_${hashOf(state).slice(0, 32)}`,
})

/** OIDC third-party login. The state holds what the launch needs, so nothing is stored. */
export const handleLogin: AttemptHandler = async (deps, request, response, attempt) => {
  const loginRequest = parseLoginRequest({ ...request.query, ...request.body })
  const platform = await requireActivePlatform(loginRequest, attempt)
  const { secretKey } = deps.services.config
  const now = deps.services.clock.now()
  const frame = needsBrowserCheck(request, platform) ? (loginRequest.lti_storage_target ?? null) : null
  const login = {
    platform_id: platform._id,
    expires_at: new Date(now.getTime() + LOGIN_TTL_MS),
    window: loginRequest.assay_window !== undefined,
    frame,
    hints: hintsOf(loginRequest),
  }
  const state = sealLogin(login, secretKey)
  const url = await createAuthenticationRequest(deps, platform, loginRequest)
  url.searchParams.set('state', state)
  url.searchParams.set('nonce', deriveFromState(state, 'nonce', secretKey))
  await noteLogin(platform, now)
  setStateCookie(response, state, { secretKey, maxAgeMs: LOGIN_TTL_MS })
  setProbeCookie(response)
  if (!needsBrowserCheck(request, platform)) return redirectPrivately(response, 302, url.href)
  sendPage(response, {
    title: 'Opening',
    body: loginCheckBody({
      onwardUrl: url.href,
      windowUrl: newWindowLoginUrl(loginRequest),
      storage: frame
        ? { ...platformStorageFor(platform, frame, state), secret: deriveFromState(state, 'storage', secretKey) }
        : null,
    }),
    framing: deps.framing.current(),
    script: browserCheckScript,
  })
}

async function requireActivePlatform(loginRequest: LoginRequest, attempt: LaunchAttempt): Promise<LtiPlatformDoc> {
  const { iss, client_id = null, lti_deployment_id = null } = loginRequest
  Object.assign(attempt, { issuer: iss, client_id, deployment_id: lti_deployment_id })
  if (loginRequest.assay_window) attempt.via = 'window'
  const platform = await findPlatform(iss, client_id)
  if (!platform)
    throw new LtiRefusal('platform_unknown', `issuer ${iss.slice(0, 200)}, client ID ${client_id ?? '(none)'}`)
  attempt.platform = platform
  requireActive(platform)
  return platform
}

/** @throws {LtiRefusal} */
export function requireActive({ status }: LtiPlatformDoc): void {
  if (status === 'pending') throw new LtiRefusal('platform_pending')
  if (status === 'off') throw new LtiRefusal('platform_off')
}

/** The self-test detects logins that never return. Written at most once a minute. */
async function noteLogin({ _id, last_login_at }: LtiPlatformDoc, now: Date): Promise<void> {
  if (last_login_at && now.getTime() - last_login_at.getTime() < NOTE_LOGIN_EVERY_MS) return
  await LtiPlatformModel.updateOne({ _id }, { $set: { last_login_at: now } })
}

/** ltijs breaks an authorization endpoint that has a query, so only the redirect's parameters are used. */
async function createAuthenticationRequest(
  { ltijs, services }: LaunchDependencies,
  platform: LtiPlatformDoc,
  loginRequest: LoginRequest,
): Promise<URL> {
  const { login_hint, lti_message_hint, lti_deployment_id } = loginRequest
  const reply = await ltijs.request({
    path: '/login',
    platform,
    form: {
      iss: platform.issuer,
      client_id: platform.client_id,
      login_hint,
      // The signed token names the real target.
      target_link_uri: `${services.config.publicUrl}/lti/launch`,
      ...(lti_message_hint ? { lti_message_hint } : {}),
      ...(lti_deployment_id ? { lti_deployment_id } : {}),
    },
  })
  const location = URL.parse(String(reply.headers.location))
  if (reply.status !== 302 || !location) throw new Error(`ltijs answered a login with ${reply.status}`)
  const url = new URL(platform.auth_endpoint)
  for (const [name, value] of location.searchParams) url.searchParams.set(name, value)
  return url
}

/** In a frame whose browser has returned no cookie, unless its origin is unknown (Canvas before its first launch). */
function needsBrowserCheck(request: Request, platform: LtiPlatformDoc): boolean {
  if (!FRAME_DESTINATIONS.has(String(request.headers['sec-fetch-dest']))) return false
  if (hasProbeCookie(request)) return false
  const referrer = URL.parse(request.headers.referer ?? '')?.origin
  return referrer === undefined
    ? platform.deployments.some(({ first_seen_at }) => first_seen_at !== null)
    : platformOrigins(platform).includes(referrer)
}
