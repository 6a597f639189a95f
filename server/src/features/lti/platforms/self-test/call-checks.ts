import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { median } from '../../../../lib/numbers.ts'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import { requestToken, scopes, TokenRequestError } from '../../platform-client/access-token.ts'
import { PlatformRequestError, requestPlatform } from '../../platform-client/platform-request.ts'
import {
  type CheckSubject,
  failed,
  passed,
  pluralize,
  type SelfTestChecker,
  type SelfTestCheckers,
  unresolvedRefusal,
  warning,
} from './log-checks.ts'

const SigningKeys = z.object({
  keys: z.array(z.object({ kty: z.string(), kid: z.string().optional(), use: z.string().optional() })),
})

/** Launches fail beyond these, as id tokens are valid for minutes. */
const WARN_CLOCK_OFFSET_SECONDS = 30
const MAX_CLOCK_OFFSET_SECONDS = 60

const lmsKeys: SelfTestChecker = async ({ platform, log, services: { config }, signal }) => {
  const url = platform.jwks_url
  const fix = 'Compare the key set URL with the one the LMS shows. Assay’s server must be able to reach it.'
  try {
    const { status, body } = await requestPlatform(url, { signal, maxBytes: 256_000 }, config)
    if (status !== 200) return failed(`${url} answered with status ${status}.`, fix)
    const read = SigningKeys.safeParse(parseJson(body))
    if (!read.success) return failed(`${url} did not return a key set.`, fix)
    const usable = read.data.keys.filter(({ kty, kid, use }) => kty === 'RSA' && kid && use !== 'enc')
    if (usable.length === 0) return failed(`${url} has no RSA key with an ID to verify launches.`, fix)
    const unknown = log.find(({ code }) => code === 'key_unknown')
    const later =
      unknown && log.some(({ at, outcome, step }) => step === 'launch' && outcome === 'accepted' && at > unknown.at)
    if (unknown && !later)
      return warning(
        'A recent launch was signed with a key that is not in the key set.',
        'The URL may belong to another site, such as a test system. Compare it with the URL the LMS shows.',
      )
    return passed(`${new URL(url).host} publishes ${pluralize(usable.length, 'key')} to verify launches.`)
  } catch (cause) {
    if (!(cause instanceof PlatformRequestError)) throw cause
    return failed(cause.message, fix)
  }
}

const clock: SelfTestChecker = async (subject) => {
  const { log, services } = subject
  const offsets = log.flatMap(({ clock_offset }) => clock_offset ?? []).slice(0, 20)
  const lmsTime = await dateOf(subject)
  const now = services.clock.now().getTime()
  const byDate = lmsTime === null ? null : Math.round((lmsTime - now) / 1000)
  // Tokens arrive moments after they are made, so a large offset is a wrong clock.
  const usual = offsets.length === 0 ? null : median(offsets)
  // The signing server may not be the one that answers here.
  const refused = unresolvedRefusal(log, ['token_time'])?.clock_offset ?? null
  const offset = refused ?? byDate ?? usual
  if (offset === null)
    return warning(
      'The time of the LMS’s clock is not known yet.',
      'Open Assay from a course, then run this test again.',
    )
  const words = `The LMS’s clock is ${pluralize(Math.abs(offset), 'second')} ${offset < 0 ? 'behind' : 'ahead of'} Assay’s.`
  const fix = 'Synchronize both servers’ clocks with NTP. Launches are refused when they differ by more than a minute.'
  if (refused !== null) return failed(`${words} A launch was refused for it.`, fix)
  if (Math.abs(offset) > MAX_CLOCK_OFFSET_SECONDS) return failed(words, fix)
  if (Math.abs(offset) > WARN_CLOCK_OFFSET_SECONDS) return warning(words, fix)
  return usual !== null && usual < -MAX_CLOCK_OFFSET_SECONDS
    ? warning(
        `The clocks agree, but launches arrive ${pluralize(-usual, 'second')} after they were signed.`,
        'The connection between the LMS and Assay is slow. A launch is valid for ten minutes.',
      )
    : passed('The clocks agree.')
}

async function dateOf({ platform, services: { config }, signal }: CheckSubject) {
  try {
    const { headers } = await requestPlatform(platform.jwks_url, { signal, maxBytes: 256_000 }, config)
    const time = Date.parse(headers.date ?? '')
    return Number.isNaN(time) ? null : time
  } catch (cause) {
    if (cause instanceof PlatformRequestError) return null
    throw cause
  }
}

const neededScopes = [
  { scope: scopes.members, can: 'read course rosters', needed: false },
  { scope: scopes.lineItems, can: 'manage gradebook columns', needed: true },
  { scope: scopes.scores, can: 'send grades', needed: true },
  { scope: scopes.results, can: 'read grades', needed: false },
] as const

const services: SelfTestChecker = async ({ platform, services: needs }) => {
  const results = []
  for (const { scope, can, needed } of neededScopes) {
    const refused = await scopeRefusal(platform, scope, needs)
    results.push({ scope, can, needed, refused })
  }
  const parts = results.map(({ can, needed, refused }) => ({
    state: refused === null ? ('ok' as const) : needed ? ('wrong' as const) : ('warn' as const),
    message: refused === null ? `Assay may ${can}.` : `Assay may not ${can}: ${refused}`,
  }))
  const missing = results.filter(({ refused }) => refused !== null)
  if (missing.length === 0) return passed('The LMS grants everything Assay requests.', parts)
  const all = missing.length === results.length
  const found = all
    ? 'The LMS does not grant access to its services.'
    : `The LMS refuses ${pluralize(missing.length, 'permission')} that Assay requests.`
  const fix = all
    ? 'Check the access token URL, the audience, and that the LMS has Assay’s key set URL.'
    : 'Allow these services for Assay in the LMS: names and roles (roster), and assignment and grade services with columns.'
  const state = missing.some(({ needed }) => needed) ? failed : warning
  return state(found, fix, parts)
}

async function scopeRefusal(platform: LtiPlatformDoc, scope: string, needs: CheckSubject['services']) {
  try {
    const grant = await requestToken(platform, scope, needs)
    return grant.scopes === null || grant.scopes.includes(scope) ? null : 'the LMS did not grant it.'
  } catch (cause) {
    if (cause instanceof TokenRequestError || cause instanceof PlatformRequestError) return cause.message
    throw cause
  }
}

export const callChecks: SelfTestCheckers = { lms_keys: lmsKeys, clock, services }
