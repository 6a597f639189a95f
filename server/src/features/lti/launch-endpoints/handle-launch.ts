import { timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { z } from 'zod'
import { type LtiLoginDoc, LtiLoginModel } from '../../../records/lti/login.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { parseJson } from '../platform-client/access-token.ts'
import { LtiRefusal } from '../refusals.ts'
import { scopes } from '../scopes.ts'
import { hashSecret, platformStorageFor, requireActive } from './handle-login.ts'
import { type LaunchAttempt, logLaunchAttempt } from './launch-attempt.ts'
import { clearStateCookie, hasStateCookie, setEntryCookie, stateCookieHeader } from './launch-cookies.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'
import { ACCEPTED } from './ltijs/ltijs-provider.ts'
import { storageCheckBody } from './pages/browser-check-pages.ts'
import { redirectPrivately, sendPage } from './pages/send-page.ts'
import { updatePlatformFromLaunch } from './update-platform-from-launch.ts'
import type { PlatformStorageEntry } from './verified-launch.ts'
import { type VerifiedToken, verifyIdToken } from './verify-id-token.ts'

const State = z.string().regex(/^[A-Za-z0-9]{20,200}$/)
const LaunchForm = z.object({
  state: State,
  id_token: z.string().min(1).max(100_000),
  /** From the page that asked the platform's storage; empty where there was no answer. */
  secret: z.string().max(200).optional(),
})
/** What an LMS posts that will not say who it is (OpenID Connect core, 3.1.2.6). */
const ErrorResponse = z.object({
  error: z.string().min(1).max(200),
  error_description: z.string().max(300).optional().catch(undefined),
  state: State.optional().catch(undefined),
})

/** The LMS says who it is: proves every word of it, and lets the browser in under a launch of our own. */
export async function handleLaunch(
  door: LaunchDependencies,
  request: Request,
  response: Response,
  knock: LaunchAttempt,
): Promise<void> {
  const declined = ErrorResponse.safeParse(request.body)
  if (declined.success) {
    const { error, error_description: words, state } = declined.data
    if (state) await requireOpenLogin(state, door, knock)
    throw new LtiRefusal('lms_declined', words ? `${error}: ${words}` : error)
  }
  const posted = LaunchForm.safeParse(request.body)
  if (!posted.success) throw new LtiRefusal('launch_incomplete', 'state or id_token is missing or wrong')
  const { state, id_token, secret } = posted.data
  const { login, platform } = await requireOpenLogin(state, door, knock)

  const via = verifyBrowser(request, door, login, platform, posted.data)
  if (via === null && secret === undefined && login.storage)
    return sendPage(response, {
      title: 'Opening',
      body: storageCheckBody({
        storage: platformStorageFor(platform, login.storage.frame, state),
        fields: { state, id_token },
      }),
      framing: door.framing.current(),
      script: '/lti/door.js',
      formsTo: "'self'",
    })
  if (via === null) throw new LtiRefusal('other_browser')
  knock.via = via

  const now = door.services.clock.now()
  const verified = await verifyIdToken(id_token, {
    platform,
    nonce: login.nonce,
    now,
    keySets: door.keySets,
    heardClock: (offset) => {
      knock.clock_offset = offset
    },
  })
  const { facts } = verified
  knock.deployment_id = facts.deploymentId
  knock.scopes = scopesOf(facts)
  requireDeployment(platform, facts.deploymentId)
  await consumeLogin(login, now)
  await verifyWithLtijs(door, platform, verified, { state, id_token })
  await updatePlatformFromLaunch(facts, platform, door)

  const storage = via === 'storage' ? platformStorageEntry(login, platform, posted.data) : null
  const { location, launch, cookie } = await door.enter({ platform, facts, via, storage })
  knock.role = launch.role
  await logLaunchAttempt(knock, null, door.services)
  clearStateCookie(response, state)
  if (cookie) setEntryCookie(response, cookie)
  redirectPrivately(response, 303, location)
}

async function requireOpenLogin(state: string, door: LaunchDependencies, knock: LaunchAttempt) {
  const login = await LtiLoginModel.findById(hashSecret(state)).lean()
  const platform = login && (await LtiPlatformModel.findById(login.platform_id).lean())
  if (!login || !platform) throw new LtiRefusal('state_unknown', 'no login has this state')
  knock.platform = platform
  knock.issuer = platform.issuer
  knock.client_id = platform.client_id
  knock.request = login.request
  if (login.request.assay_window) knock.via = 'window'
  requireActive(platform)
  if (login.used_at) throw new LtiRefusal('state_unknown', 'the login was used before')
  if (login.expires_at <= door.services.clock.now()) throw new LtiRefusal('state_unknown', 'the login ran out')
  return { login, platform }
}

/** How this browser is known for the one the login began in; null when it is not. */
function verifyBrowser(
  request: Request,
  { ltijs }: LaunchDependencies,
  login: LtiLoginDoc,
  platform: LtiPlatformDoc,
  { state, secret }: z.output<typeof LaunchForm>,
): LaunchAttempt['via'] {
  if (hasStateCookie(request, state, platform.issuer, ltijs.cookieSecret))
    return login.request.assay_window ? 'window' : 'cookie'
  if (!login.storage || !secret) return null
  const same = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(login.storage.secret_hash))
  return same ? 'storage' : null
}

/** What the platform's storage has just shown, and where it is. */
function platformStorageEntry(
  login: LtiLoginDoc,
  platform: LtiPlatformDoc,
  { state, secret }: z.output<typeof LaunchForm>,
): PlatformStorageEntry | null {
  return login.storage && secret ? { ...platformStorageFor(platform, login.storage.frame, state), secret } : null
}

const scopesOf = ({ assignmentAndGrades, namesAndRoles }: LaunchFacts): string[] => [
  ...(assignmentAndGrades?.scope ?? []).slice(0, 20).map((scope) => scope.slice(0, 200)),
  ...(namesAndRoles ? [scopes.members] : []),
]

function requireDeployment({ deployments, deployments_fixed }: LtiPlatformDoc, id: string): void {
  if (deployments_fixed && !deployments.some((one) => one.id === id))
    throw new LtiRefusal('deployment_unknown', `deployment ${JSON.stringify(id.slice(0, 100))}`)
}

/** Of two that come with the same state at once, one passes. */
async function consumeLogin(login: LtiLoginDoc, now: Date): Promise<void> {
  const used = await LtiLoginModel.updateOne({ _id: login._id, used_at: null }, { $set: { used_at: now } })
  if (used.modifiedCount !== 1) throw new LtiRefusal('state_unknown', 'the login was used before')
}

/** ltijs has its say too, on what it knows: submission reviews it does not. */
async function verifyWithLtijs(
  { ltijs }: LaunchDependencies,
  platform: LtiPlatformDoc,
  { facts, key }: VerifiedToken,
  form: { state: string; id_token: string },
): Promise<void> {
  if (facts.messageType === 'LtiSubmissionReviewRequest') return
  const cookie = stateCookieHeader(form.state, platform.issuer, ltijs.cookieSecret)
  const { status, body } = await ltijs.ask({ path: '/launch', platform, form, cookie, key })
  if (status !== ACCEPTED) throw new LtiRefusal('token_invalid', `ltijs: ${reasonIn(body)}`)
}

const LtijsError = z.object({ details: z.object({ message: z.string() }) })

const reasonIn = (body: string) => LtijsError.safeParse(parseJson(body)).data?.details.message ?? 'no reason given'
