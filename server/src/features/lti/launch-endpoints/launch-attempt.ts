import { createHmac } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import mongoose from 'mongoose'
import { insertLean } from '../../../lib/database/database.ts'
import { readCookie } from '../../../lib/http/cookies.ts'
import { hashOf, isSameSecret } from '../../../lib/security/hash-of.ts'
import { type LtiLaunchLogDoc, LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { explainRefusal, type LtiRefusal } from '../refusals.ts'
import type { EntryCookie, LaunchDependencies } from './launch-dependencies.ts'
import { deriveFromState, type LoginRequest } from './login-state.ts'

/** Callers choose these values, which are stored for a month. */
const MAX_IDENTIFIER_LENGTH = 200
const MAX_DETAIL_LENGTH = 500
/** For one LMS, or all unknown ones: anybody can cause refusals. */
const MAX_REFUSALS_PER_HOUR = 1000
const HOUR_MS = 60 * 60 * 1000

export interface LaunchAttempt
  extends Omit<LtiLaunchLogDoc, '_id' | 'at' | 'outcome' | 'code' | 'detail' | 'platform_id'> {
  platform: LtiPlatformDoc | null
  /** Identifies the person to the LMS: never logged. */
  request: LoginRequest | null
  requestId: string
  host: string | null
}

export type AttemptHandler = (
  deps: LaunchDependencies,
  request: Request,
  response: Response,
  attempt: LaunchAttempt,
) => Promise<void>

export const newLaunchAttempt = (
  step: LaunchAttempt['step'],
  requestId: string,
  host: string | null = null,
): LaunchAttempt => ({
  step,
  requestId,
  host,
  platform: null,
  request: null,
  issuer: null,
  client_id: null,
  deployment_id: null,
  via: null,
  role: null,
  clock_offset: null,
  scopes: null,
})

const truncate = (text: string | null, most: number) => text?.slice(0, most) ?? null

/** Never throws. */
export async function logLaunchAttempt(
  { platform, requestId, host, request: _, ...attempt }: LaunchAttempt,
  refusal: LtiRefusal | null,
  { clock, log, config, metrics }: Pick<Services, 'clock' | 'log' | 'config' | 'metrics'>,
): Promise<void> {
  const entry = {
    ...attempt,
    platform_id: platform?._id ?? null,
    issuer: truncate(attempt.issuer, MAX_IDENTIFIER_LENGTH),
    client_id: truncate(attempt.client_id, MAX_IDENTIFIER_LENGTH),
    deployment_id: truncate(attempt.deployment_id, MAX_IDENTIFIER_LENGTH),
    outcome: refusal ? ('refused' as const) : ('accepted' as const),
    code: refusal?.code ?? null,
    detail: truncate(refusal?.detail ?? null, MAX_DETAIL_LENGTH),
  }
  metrics.ltiAttempts.inc({ step: attempt.step, outcome: refusal?.code ?? 'accepted' })
  // Without its cause: jose's errors hold the whole token.
  if (refusal) log.warn({ requestId, ...entry, ...addressesOf(host, config.publicUrl) }, 'a launch was refused')
  try {
    const now = clock.now()
    if (refusal && (await isRefusalQuotaReached(entry.platform_id, now))) return
    // A sequential number would cost a second write.
    await insertLean(LtiLaunchLogModel, { ...entry, _id: new mongoose.Types.ObjectId(), at: now })
  } catch (error) {
    log.error({ err: error, requestId }, 'the launch log could not be written')
  }
}

/** Cookies and redirects fail at an address other than PUBLIC_URL, without saying why. */
function addressesOf(host: string | null, publicUrl: string): Record<string, string> {
  const wrong = host !== null && host !== new URL(publicUrl).host
  return { public_url: publicUrl, ...(wrong ? { asked_for: host.slice(0, MAX_IDENTIFIER_LENGTH) } : {}) }
}

async function isRefusalQuotaReached(platform_id: number | null, now: Date): Promise<boolean> {
  const lately = { $gt: new Date(now.getTime() - HOUR_MS) }
  const filter = { platform_id, at: lately, outcome: 'refused' as const }
  return (await LtiLaunchLogModel.countDocuments(filter, { limit: MAX_REFUSALS_PER_HOUR })) >= MAX_REFUSALS_PER_HOUR
}

/** A `Partitioned` jar for each LMS, allowed where third-party cookies are blocked. */
const frameCookieOptions: CookieOptions = {
  path: '/lti',
  secure: true,
  httpOnly: true,
  sameSite: 'none',
  partitioned: true,
}

/** Read by the browser check's script, so not `HttpOnly`. */
const PROBE_COOKIE = 'assay_cookie_check'

export const setProbeCookie = (response: Response) =>
  response.cookie(PROBE_COOKIE, '1', { ...frameCookieOptions, httpOnly: false })

export const hasProbeCookie = (request: Request) => readCookie(request, PROBE_COOKIE) !== null

const stateCookieName = (state: string) => `state${hashOf(state)}`

/** ltijs expects the issuer under the state's name, signed as `cookie-signature` does. */
function signCookieValue(issuer: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(issuer).digest('base64').replace(/=+$/, '')
  return `s:${issuer}.${mac}`
}

/** Derived from this state, so that another login's cookie, which anybody can get, is useless. */
export function setStateCookie(
  response: Response,
  state: string,
  { secretKey, maxAgeMs }: { secretKey: string; maxAgeMs: number },
): void {
  const value = deriveFromState(state, 'cookie', secretKey)
  response.cookie(stateCookieName(state), value, { ...frameCookieOptions, maxAge: maxAgeMs })
}

export const clearStateCookie = (response: Response, state: string) =>
  response.clearCookie(stateCookieName(state), frameCookieOptions)

/** For the page on the way in, and the one call that exchanges the launch's code. */
export function setEntryCookie(response: Response, { name, value, paths, maxAge }: EntryCookie): void {
  for (const path of paths) response.cookie(name, value, { ...frameCookieOptions, path, maxAge })
}

export function hasStateCookie(request: Request, state: string, secretKey: string): boolean {
  const sent = readCookie(request, stateCookieName(state))
  return sent !== null && isSameSecret(sent, deriveFromState(state, 'cookie', secretKey))
}

/** ltijs trusts only its own cookie. `state` as passed to ltijs. */
export const stateCookieHeader = (state: string, issuer: string, secret: string) =>
  `state${state}=${encodeURIComponent(signCookieValue(issuer, secret))}`

/** Registered LMSs only: anybody can make launches from unknown ones. */
export async function summarizeLaunches(since: Date) {
  const groups: { _id: string | null; count: number }[] = await LtiLaunchLogModel.aggregate([
    {
      $match: {
        at: { $gte: since },
        platform_id: { $ne: null },
        // An accepted launch also had an accepted login.
        $or: [{ step: 'launch' }, { step: 'login', outcome: 'refused' }],
      },
    },
    { $group: { _id: '$code', count: { $sum: 1 } } },
  ])
  const refusals = groups.filter(({ _id }) => _id !== null).sort((a, b) => b.count - a.count)
  const sum = (some: typeof groups) => some.reduce((total, { count }) => total + count, 0)
  return {
    total: sum(groups),
    refused: sum(refusals),
    reason: explainRefusal(refusals[0]?._id ?? null)?.message ?? null,
  }
}

const MAX_REFUSALS = 5000

export async function trimLaunchLog(most = MAX_REFUSALS): Promise<number> {
  const platforms: (number | null)[] = await LtiLaunchLogModel.distinct('platform_id')
  let deleted = 0
  // `distinct` does not list a value that is null everywhere.
  for (const platform_id of new Set([null, ...platforms])) {
    const refused = { platform_id, outcome: 'refused' as const }
    const [last] = await LtiLaunchLogModel.find(refused, { at: 1 }).sort(newestFirst).skip(most).limit(1).lean()
    if (last) deleted += (await LtiLaunchLogModel.deleteMany({ ...refused, at: { $lte: last.at } })).deletedCount
  }
  return deleted
}
