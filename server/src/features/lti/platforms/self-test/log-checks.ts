import type { SelfTestCheck, SelfTestName } from '@assay/shared/lti/lti-self-test.ts'
import { type LtiLaunchLogDoc, LtiLaunchLogModel, newestFirst } from '../../../../records/lti/launch-log.model.ts'
import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { LmsServices } from '../../platform-client/access-token.ts'
import { explainRefusal } from '../../refusals.ts'
import { findPlatform } from '../platform.service.ts'
import { toolValues } from '../registration/tool-registration.ts'

type CheckResult = Omit<SelfTestCheck, 'name'>
type Part = SelfTestCheck['parts'][number]

export interface CheckSubject {
  platform: LtiPlatformDoc
  log: LtiLaunchLogDoc[]
  services: LmsServices
  signal: AbortSignal
}

export type SelfTestChecker = (subject: CheckSubject) => Promise<CheckResult>
export type SelfTestCheckers = Partial<Record<SelfTestName, SelfTestChecker>>

export const passed = (message: string, parts: Part[] = []): CheckResult => ({ state: 'ok', message, fix: null, parts })
const problem =
  (state: 'warn' | 'wrong') =>
  (message: string, fix: string, parts: Part[] = []): CheckResult => ({ state, message, fix, parts })
export const warning = problem('warn')
export const failed = problem('wrong')

export const pluralize = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const OPEN_ASSAY_ONCE = 'Open Assay from a course in the LMS, then run this test again.'

const isAcceptedLaunch = ({ step, outcome }: LtiLaunchLogDoc) => step === 'launch' && outcome === 'accepted'

/** The last one with no accepted launch since. */
export function unresolvedRefusal(log: LtiLaunchLogDoc[], codes: string[]): LtiLaunchLogDoc | undefined {
  const last = log.find(isAcceptedLaunch)
  return log.find((entry) => codes.includes(entry.code ?? '') && (!last || entry.at > last.at))
}

function isSameHost(one: string | null, other: string): boolean {
  const [a, b] = [URL.parse(one ?? '')?.host, URL.parse(other)?.host]
  return a !== undefined && a.replace(/^www\./, '') === b?.replace(/^www\./, '')
}

/** A value may have been copied wrong. */
async function findSimilarUnknownLogin({ issuer, client_id }: LtiPlatformDoc): Promise<LtiLaunchLogDoc | null> {
  const recent = await LtiLaunchLogModel.find({ platform_id: null, code: 'platform_unknown' })
    .sort(newestFirst)
    .limit(200)
    .lean()
  for (const entry of recent) {
    const close =
      entry.issuer === issuer
        ? entry.client_id !== client_id
        : entry.client_id === client_id || isSameHost(entry.issuer, issuer)
    if (close && !(await findPlatform(entry.issuer ?? '', entry.client_id))) return entry
  }
  return null
}

const client: SelfTestChecker = async ({ platform, log }) => {
  const unknownLogin = await findSimilarUnknownLogin(platform)
  const last = log.find(isAcceptedLaunch)
  if (!unknownLogin || (last && last.at > unknownLogin.at))
    return last
      ? passed('Launches arrive with this issuer and client ID.')
      : warning('No launch with this issuer and client ID has arrived yet.', OPEN_ASSAY_ONCE)
  const field = unknownLogin.issuer !== platform.issuer ? 'issuer' : 'client ID'
  const received = field === 'issuer' ? unknownLogin.issuer : unknownLogin.client_id
  return failed(
    `A launch came with the ${field} ${received ?? '(none)'}, which is not registered in Assay. Did it come from this LMS?`,
    `If so, copy it exactly into the field “${field === 'issuer' ? 'Issuer' : 'Client ID'}” on this page.`,
  )
}

const redirect: SelfTestChecker = async ({ platform, log, services: { config, clock } }) => {
  const { launch_url } = toolValues(config.publicUrl)
  const fix = `Register exactly ${launch_url} as the redirect URI (tool URL, launch URL) in the LMS.`
  const declined = unresolvedRefusal(log, ['lms_declined'])
  if (declined)
    return failed(
      `The LMS sent a user back without saying who they are (${declined.detail ?? 'no reason given'}).`,
      fix,
    )
  const last = log.find((entry) => entry.step === 'launch')
  const isRecent = (at: Date | null | undefined) => !!at && at.getTime() > clock.now().getTime() - 10 * 60_000
  if (isRecent(platform.last_login_at) && !isRecent(last?.at))
    return failed(
      `A login started in the last ten minutes, but the LMS sent nobody back.`,
      `${fix} See also the LMS’s error page.`,
    )
  if (!log.some(isAcceptedLaunch)) return warning('No launch has arrived from the LMS yet.', fix)
  return passed(`The LMS sends people back to ${launch_url}.`)
}

const deployments: SelfTestChecker = async ({ platform, log }) => {
  const { deployments: listed, deployments_fixed: fixed } = platform
  if (fixed && listed.length === 0)
    return failed(
      'Only listed deployments may launch, but the list is empty.',
      'Add the deployment ID that the LMS shows, or let launches add their deployments.',
    )
  const refused = fixed ? unresolvedRefusal(log, ['deployment_unknown']) : undefined
  const id = refused?.deployment_id
  if (refused && !listed.some((one) => one.id === id))
    return failed(
      `A launch from ${id ? `deployment ${id}` : refused.detail} was refused because it is not on the list.`,
      'Add it to the deployments on this page, or let launches add their deployments.',
    )
  if (listed.length === 0) return warning('No deployment is known yet. The first launch adds it.', OPEN_ASSAY_ONCE)
  const known = pluralize(listed.length, 'deployment')
  const unseen = listed.filter(({ first_seen_at }) => first_seen_at === null).map((one) => one.id)
  return passed(
    unseen.length > 0
      ? `${known} listed; no launch from ${new Intl.ListFormat('en').format(unseen.slice(0, 5))} yet.`
      : `${known} known from launches.`,
  )
}

const browserChecks = { cookie: 'by cookie', storage: 'by LMS storage', window: 'in a new window' } as const

const cookies: SelfTestChecker = async ({ log }) => {
  const accepted = log.filter(isAcceptedLaunch).slice(0, 50)
  if (unresolvedRefusal(log, ['other_browser']))
    return warning(
      'The last launch was refused: the browser returned no cookie and the LMS’s storage had no entry.',
      'Allow cookies for Assay in that browser, or let the LMS open Assay in a new window.',
    )
  if (accepted.length === 0) return warning('Not known yet: no launch has arrived.', OPEN_ASSAY_ONCE)
  const counts = (Object.keys(browserChecks) as (keyof typeof browserChecks)[]).flatMap((via) => {
    const count = accepted.filter((entry) => entry.via === via).length
    return count > 0 ? [`${count} ${browserChecks[via]}`] : []
  })
  return passed(`How browsers were recognized in recent launches: ${counts.join(', ')}.`)
}

const launches: SelfTestChecker = async ({ log }) => {
  const last = log.slice(0, 10)
  const parts = last.map((entry) => {
    const at = entry.at.toISOString()
    return entry.outcome === 'accepted'
      ? { state: 'ok' as const, message: `Accepted as ${entry.role}.`, at }
      : { state: 'wrong' as const, message: explainRefusal(entry.code)?.message ?? `Refused: ${entry.code}`, at }
  })
  const [newest] = last
  if (!newest) return warning('No launch has arrived yet.', OPEN_ASSAY_ONCE)
  if (newest.outcome === 'accepted') return passed('The last launch was accepted.', parts)
  const why = explainRefusal(newest.code)
  return failed(
    `The last launch was refused: ${why?.message ?? newest.code}${newest.detail ? ` (${newest.detail})` : ''}`,
    why?.fix ?? 'See the launch log below.',
    parts,
  )
}

export const logChecks: SelfTestCheckers = { client, redirect, deployments, cookies, launches }
