import { timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { LaunchFacts } from '../claims.ts'
import { parseJson } from '../outgoing/access-token.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../platforms/platform.model.ts'
import { LtiRefusal } from '../refusals.ts'
import { scopes } from '../scopes.ts'
import { clearStateCookie, hasStateCookie, setEntryCookie, stateCookieHeader } from './cookies.ts'
import type { Door } from './door.ts'
import { type Knock, logKnock } from './knock.ts'
import { learnFrom } from './learn-from-launch.ts'
import { type LtiLoginDoc, LtiLoginModel } from './login.model.ts'
import { hashOf, requireActive, storageOf } from './login.ts'
import { goOn, sendPage } from './pages.ts'
import { LET_IN } from './provider.ts'
import type { Storage } from './verified-launch.ts'
import { type VerifiedToken, verifyIdToken } from './verify-id-token.ts'
import { storageBody } from './way-pages.ts'

const State = z.string().regex(/^[A-Za-z0-9]{20,200}$/)
const Posted = z.object({
  state: State,
  id_token: z.string().min(1).max(100_000),
  /** From the page that asked the platform's storage; empty where there was no answer. */
  secret: z.string().max(200).optional(),
})
/** What an LMS posts that will not say who it is (OpenID Connect core, 3.1.2.6). */
const Declined = z.object({
  error: z.string().min(1).max(200),
  error_description: z.string().max(300).optional().catch(undefined),
  state: State.optional().catch(undefined),
})

/** The LMS says who it is: proves every word of it, and lets the browser in under a launch of our own. */
export async function answerLaunch(
  door: Door,
  request: Request,
  response: Response,
  knock: Knock,
): Promise<void> {
  const declined = Declined.safeParse(request.body)
  if (declined.success) {
    const { error, error_description: words, state } = declined.data
    if (state) await atLogin(state, door, knock)
    throw new LtiRefusal('lms_declined', words ? `${error}: ${words}` : error)
  }
  const posted = Posted.safeParse(request.body)
  if (!posted.success) throw new LtiRefusal('launch_incomplete', 'state or id_token is missing or wrong')
  const { state, id_token, secret } = posted.data
  const { login, platform } = await atLogin(state, door, knock)

  const via = wayOf(request, door, login, platform, posted.data)
  if (via === null && secret === undefined && login.storage)
    return sendPage(response, {
      title: 'Opening',
      body: storageBody({
        storage: storageOf(platform, login.storage.frame, state),
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
  await useUp(login, now)
  await askLtijs(door, platform, verified, { state, id_token })
  await learnFrom(facts, platform, door)

  const storage = via === 'storage' ? keptBy(login, platform, posted.data) : null
  const { location, launch, cookie } = await door.enter({ platform, facts, via, storage })
  knock.role = launch.role
  await logKnock(knock, null, door.services)
  clearStateCookie(response, state)
  if (cookie) setEntryCookie(response, cookie)
  goOn(response, 303, location)
}

async function atLogin(state: string, door: Door, knock: Knock) {
  const login = await LtiLoginModel.findById(hashOf(state)).lean()
  const platform = login && (await LtiPlatformModel.findById(login.platform_id).lean())
  if (!login || !platform) throw new LtiRefusal('state_unknown', 'no login has this state')
  knock.platform = platform
  knock.issuer = platform.issuer
  knock.client_id = platform.client_id
  knock.request = login.request
  if (login.request.assay_window) knock.via = 'window'
  requireActive(platform)
  if (login.used_at) throw new LtiRefusal('state_unknown', 'the login was used before')
  if (login.expires_at <= door.services.clock.now())
    throw new LtiRefusal('state_unknown', 'the login ran out')
  return { login, platform }
}

/** How this browser is known for the one the login began in; null when it is not. */
function wayOf(
  request: Request,
  { ltijs }: Door,
  login: LtiLoginDoc,
  platform: LtiPlatformDoc,
  { state, secret }: z.output<typeof Posted>,
): Knock['via'] {
  if (hasStateCookie(request, state, platform.issuer, ltijs.cookieSecret))
    return login.request.assay_window ? 'window' : 'cookie'
  if (!login.storage || !secret) return null
  const same = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(login.storage.secret_hash))
  return same ? 'storage' : null
}

/** What the platform's storage has just shown, and where it is. */
function keptBy(
  login: LtiLoginDoc,
  platform: LtiPlatformDoc,
  { state, secret }: z.output<typeof Posted>,
): Storage | null {
  return login.storage && secret ? { ...storageOf(platform, login.storage.frame, state), secret } : null
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
async function useUp(login: LtiLoginDoc, now: Date): Promise<void> {
  const used = await LtiLoginModel.updateOne({ _id: login._id, used_at: null }, { $set: { used_at: now } })
  if (used.modifiedCount !== 1) throw new LtiRefusal('state_unknown', 'the login was used before')
}

/** ltijs has its say too, on what it knows: submission reviews it does not. */
async function askLtijs(
  { ltijs }: Door,
  platform: LtiPlatformDoc,
  { facts, key }: VerifiedToken,
  form: { state: string; id_token: string },
): Promise<void> {
  if (facts.messageType === 'LtiSubmissionReviewRequest') return
  const cookie = stateCookieHeader(form.state, platform.issuer, ltijs.cookieSecret)
  const { status, body } = await ltijs.ask({ path: '/launch', platform, form, cookie, key })
  if (status !== LET_IN) throw new LtiRefusal('token_invalid', `ltijs: ${reasonIn(body)}`)
}

const Failed = z.object({ details: z.object({ message: z.string() }) })

const reasonIn = (body: string) =>
  Failed.safeParse(parseJson(body)).data?.details.message ?? 'no reason given'
