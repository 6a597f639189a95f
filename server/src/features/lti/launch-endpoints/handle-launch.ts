import { parseJson } from '@assay/shared/rules/parse-json.ts'
import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { insertLean, isDuplicateKeyError } from '../../../lib/database/database.ts'
import { hashOf, isSameSecret } from '../../../lib/security/hash-of.ts'
import { type FrameAncestors, isCspSource } from '../../../lib/security/security-headers.ts'
import { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import { LtiUsedLoginModel } from '../../../records/lti/launch.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { handOffLaunch } from '../launches/hand-off-launch.ts'
import { GROUPS_SCOPE, scopes } from '../platform-client/access-token.ts'
import { platformOrigins } from '../platforms/platform.service.ts'
import { LtiRefusal } from '../refusals.ts'
import { platformStorageFor, requireActive } from './handle-login.ts'
import {
  type AttemptHandler,
  clearStateCookie,
  hasStateCookie,
  type LaunchAttempt,
  logLaunchAttempt,
  setEntryCookie,
  stateCookieHeader,
} from './launch-attempt.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'
import { deriveFromState, type LoginState, openLogin, repeatedLogin, State } from './login-state.ts'
import { ACCEPTED } from './ltijs/ltijs-provider.ts'
import { browserCheckScript, redirectPrivately, sendPage, storageCheckBody } from './pages/send-page.ts'
import { type VerifiedToken, verifyIdToken } from './verify-id-token.ts'

const LaunchForm = z.object({
  state: State,
  id_token: z.string().min(1).max(100_000),
  secret: z.string().max(200).optional(),
})
/** OpenID Connect core, 3.1.2.6. */
const ErrorResponse = z.object({
  error: z.string().min(1).max(200),
  error_description: z.string().max(300).optional().catch(undefined),
  state: State.optional().catch(undefined),
})

export const handleLaunch: AttemptHandler = async (deps, request, response, attempt) => {
  const declined = ErrorResponse.safeParse(request.body)
  if (declined.success) {
    const { error, error_description: description, state } = declined.data
    if (state) await requireOpenLogin(state, deps, attempt)
    throw new LtiRefusal('lms_declined', description ? `${error}: ${description}` : error)
  }
  const posted = LaunchForm.safeParse(request.body)
  if (!posted.success) throw new LtiRefusal('launch_incomplete', 'state or id_token is missing or wrong')
  const { state, id_token, secret } = posted.data
  const { login, platform } = await requireOpenLogin(state, deps, attempt)

  const via = verifyBrowser(request, deps, login, posted.data)
  if (via === null && secret === undefined && login.frame !== null)
    return sendPage(response, {
      title: 'Opening',
      body: storageCheckBody({
        storage: platformStorageFor(platform, login.frame, state),
        fields: { state, id_token },
      }),
      framing: deps.framing.current(),
      script: browserCheckScript,
      formsTo: "'self'",
    })
  if (via === null) throw new LtiRefusal('other_browser')
  attempt.via = via

  const now = deps.services.clock.now()
  const verified = await verifyIdToken(id_token, {
    platform,
    nonce: deriveFromState(state, 'nonce', deps.services.config.secretKey),
    now,
    jwksCache: deps.jwksCache,
    onClockOffset: (offset) => {
      attempt.clock_offset = offset
    },
  })
  const { facts } = verified
  const id = facts.deploymentId
  attempt.deployment_id = id
  attempt.scopes = scopesOf(facts)
  if (platform.deployments_fixed && !platform.deployments.some((one) => one.id === id))
    throw new LtiRefusal('deployment_unknown', `deployment ${JSON.stringify(id.slice(0, 100))}`)
  await consumeLogin(state, login)
  await verifyWithLtijs(deps, platform, verified, { state, id_token })
  await updatePlatformFromLaunch(facts, platform, deps)

  const storage =
    via === 'storage' && login.frame !== null && secret
      ? { ...platformStorageFor(platform, login.frame, state), secret }
      : null
  const { location, launch, cookie } = await handOffLaunch({ platform, facts, via, storage }, deps.services)
  attempt.role = launch.role
  await logLaunchAttempt(attempt, null, deps.services)
  clearStateCookie(response, state)
  if (cookie) setEntryCookie(response, cookie)
  redirectPrivately(response, 303, location)
}

async function requireOpenLogin(state: string, deps: LaunchDependencies, attempt: LaunchAttempt) {
  const { config, clock } = deps.services
  const login = openLogin(state, config.secretKey)
  const platform = login && (await LtiPlatformModel.findById(login.platform_id).lean())
  if (!login || !platform) throw new LtiRefusal('state_unknown', 'no login has this state')
  attempt.platform = platform
  attempt.issuer = platform.issuer
  attempt.client_id = platform.client_id
  attempt.request = repeatedLogin(login, platform, `${config.publicUrl}/lti/launch`)
  if (login.window) attempt.via = 'window'
  requireActive(platform)
  if (await LtiUsedLoginModel.exists({ _id: hashOf(state) }))
    throw new LtiRefusal('state_unknown', 'the login was used before')
  if (login.expires_at <= clock.now()) throw new LtiRefusal('state_unknown', 'the login has expired')
  return { login, platform }
}

/** Null unless this is the browser the login began in. */
function verifyBrowser(
  request: Request,
  { services }: LaunchDependencies,
  login: LoginState,
  { state, secret }: z.output<typeof LaunchForm>,
): LaunchAttempt['via'] {
  const { secretKey } = services.config
  if (hasStateCookie(request, state, secretKey)) return login.window ? 'window' : 'cookie'
  if (login.frame === null || !secret) return null
  return isSameSecret(secret, deriveFromState(state, 'storage', secretKey)) ? 'storage' : null
}

const scopesOf = ({ assignmentAndGrades, namesAndRoles, groups }: LaunchFacts): string[] => [
  ...(assignmentAndGrades?.scope ?? []).slice(0, 20).map((scope) => scope.slice(0, 200)),
  ...(namesAndRoles ? [scopes.members] : []),
  ...(groups ? [GROUPS_SCOPE] : []),
]

async function consumeLogin(state: string, { expires_at }: LoginState): Promise<void> {
  try {
    await insertLean(LtiUsedLoginModel, { _id: hashOf(state), expires_at })
  } catch (cause) {
    if (!isDuplicateKeyError(cause)) throw cause
    throw new LtiRefusal('state_unknown', 'the login was used before', { cause })
  }
}

/** ltijs does not know submission reviews. */
async function verifyWithLtijs(
  { ltijs }: LaunchDependencies,
  platform: LtiPlatformDoc,
  { facts, key }: VerifiedToken,
  form: { state: string; id_token: string },
): Promise<void> {
  if (facts.messageType === 'LtiSubmissionReviewRequest') return
  // Hashed: ltijs names a cookie by the state, and ours is too long for that.
  const state = hashOf(form.state)
  const headers = { cookie: stateCookieHeader(state, platform.issuer, ltijs.cookieSecret) }
  const { status, body } = await ltijs.request({ path: '/launch', platform, form: { ...form, state }, headers, key })
  if (status !== ACCEPTED) throw new LtiRefusal('token_invalid', `ltijs: ${reasonIn(body)}`)
}

const LtijsError = z.object({ details: z.object({ message: z.string() }) })

const reasonIn = (body: string) => LtijsError.safeParse(parseJson(body)).data?.details.message ?? 'no reason given'

/** Canvas may have one for every course; more are accepted but not listed. */
const MAX_DEPLOYMENTS = 1000
const MAX_ORIGINS = 20

/** Canvas has one issuer for all schools, so each launch names its pages' origin. */
export async function updatePlatformFromLaunch(
  { deploymentId, presentation }: LaunchFacts,
  platform: LtiPlatformDoc,
  { services, framing }: { services: Services; framing: { refresh(): Promise<unknown> } },
): Promise<void> {
  const { deployments, origins } = platform
  const now = services.clock.now()
  const listed = deployments.find(({ id }) => id === deploymentId)
  if (!listed && deployments.length < MAX_DEPLOYMENTS)
    await LtiPlatformModel.updateOne(
      { _id: platform._id, 'deployments.id': { $ne: deploymentId } },
      { $push: { deployments: { id: deploymentId, first_seen_at: now } } },
    )
  else if (listed?.first_seen_at === null)
    await LtiPlatformModel.updateOne(
      { _id: platform._id, 'deployments.id': deploymentId },
      { $set: { 'deployments.$.first_seen_at': now } },
    )
  const page = URL.parse(presentation?.return_url ?? '')
  const known = page && platformOrigins(platform).includes(page.origin)
  if (!page || known || origins.length >= MAX_ORIGINS) return
  if (page.protocol !== 'https:' && !services.config.ltiPlainHttp) return
  // “https://*” would let any page frame ours.
  if (page.hostname.includes('*') || !isCspSource(page.origin)) return
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $addToSet: { origins: page.origin } })
  await framing.refresh()
}

/** Another process may have changed a platform. */
const MAX_AGE_MS = 30_000

export const frameAncestorsOf = (platforms: Parameters<typeof platformOrigins>[0][]): FrameAncestors =>
  [...new Set(platforms.flatMap(platformOrigins))].filter(isCspSource).sort()

export function createFrameAncestorsCache({ events, log }: Pick<Services, 'events' | 'log'>) {
  const cache = new StaleWhileRevalidate<FrameAncestors>(
    [],
    async () => frameAncestorsOf(await LtiPlatformModel.find({ status: 'active' }).lean()),
    { maxAgeMs: MAX_AGE_MS, failed: (error) => log.error({ err: error }, 'the frame ancestors could not be read') },
  )
  events.onAny('lti_platforms_changed', () => void cache.refresh())
  return cache
}

/** Not secret: every page's header names them. */
export function serveFrameAncestors(framing: StaleWhileRevalidate<FrameAncestors>): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ origins: framing.current() })
  }
}
