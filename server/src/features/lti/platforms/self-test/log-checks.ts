import { type LtiDoorLogDoc, LtiDoorLogModel, newestFirst } from '../../door/door-log.model.ts'
import { LtiLoginModel } from '../../door/login.model.ts'
import { explainRefusal } from '../../refusals.ts'
import type { LtiPlatformDoc } from '../platform.model.ts'
import { findPlatform } from '../platform.service.ts'
import { toolValues } from '../tool.ts'
import { type Check, type Checks, counted, ok, warn, wrong } from './check.ts'

const OPEN_ONCE = 'Open Assay from a course in the LMS, then run this again.'

const isLetIn = ({ step, outcome }: LtiDoorLogDoc) => step === 'launch' && outcome === 'let_in'

/** The last refusal of these kinds that no launch has put right since. */
function open(log: LtiDoorLogDoc[], codes: string[]): LtiDoorLogDoc | undefined {
  const last = log.find(isLetIn)
  return log.find((entry) => codes.includes(entry.code ?? '') && (!last || entry.at > last.at))
}

/** The same site, written another way: with a slash more, or www. */
function alike(one: string | null, other: string): boolean {
  const [a, b] = [URL.parse(one ?? '')?.host, URL.parse(other)?.host]
  return a !== undefined && a.replace(/^www\./, '') === b?.replace(/^www\./, '')
}

/** The last login under a name that belongs to no LMS: often this one, with a value copied wrong. */
async function strangerLike({ issuer, client_id }: LtiPlatformDoc): Promise<LtiDoorLogDoc | null> {
  const recent = await LtiDoorLogModel.find({ platform_id: null, code: 'platform_unknown' })
    .sort(newestFirst)
    .limit(200)
    .lean()
  for (const entry of recent) {
    const close =
      entry.issuer === issuer
        ? entry.client_id !== client_id
        : entry.client_id === client_id || alike(entry.issuer, issuer)
    // One that was registered since is no stranger any more.
    if (close && !(await findPlatform(entry.issuer ?? '', entry.client_id))) return entry
  }
  return null
}

const client: Check = async ({ platform, log }) => {
  const stranger = await strangerLike(platform)
  const last = log.find(isLetIn)
  if (!stranger || (last && last.at > stranger.at))
    return last
      ? ok('Launches come with this issuer and client ID.')
      : warn('No launch has come with this issuer and client ID yet.', OPEN_ONCE)
  const field = stranger.issuer !== platform.issuer ? 'issuer' : 'client ID'
  const came = field === 'issuer' ? stranger.issuer : stranger.client_id
  return wrong(
    `A launch came with the ${field} ${came ?? '(none)'}, which belongs to no LMS in Assay. Is that this one?`,
    `If so, put it into the field “${field === 'issuer' ? 'Issuer' : 'Client ID'}” on this page, to the letter.`,
  )
}

const redirect: Check = async ({ platform, log, services: { config, clock } }) => {
  const { launch_url } = toolValues(config.publicUrl)
  const mend = `Register exactly ${launch_url} as redirect URI (tool URL, launch URL) in the LMS.`
  const declined = open(log, ['lms_declined'])
  if (declined)
    return wrong(
      `The LMS sent somebody back without saying who they are (${declined.detail ?? 'no reason given'}).`,
      mend,
    )
  const lost = await LtiLoginModel.countDocuments({
    platform_id: platform._id,
    used_at: null,
    expires_at: { $gt: clock.now() },
  })
  const last = log.find((entry) => entry.step === 'launch')
  const justNow = last && last.at.getTime() > clock.now().getTime() - 10 * 60_000
  if (lost > 0 && !justNow)
    return wrong(
      `${counted(lost, 'login')} began in the last ten minutes, and the LMS sent nobody back.`,
      `${mend} What the LMS showed there says more.`,
    )
  if (!log.some(isLetIn)) return warn('No launch has come back from the LMS yet.', mend)
  return ok(`The LMS sends people back to ${launch_url}.`)
}

const deployments: Check = async ({ platform, log }) => {
  const { deployments: listed, deployments_fixed: fixed } = platform
  if (fixed && listed.length === 0)
    return wrong(
      'Only listed deployments may launch, and none is listed.',
      'Add the deployment ID that the LMS shows, or let launches add theirs.',
    )
  const refused = fixed ? open(log, ['deployment_unknown']) : undefined
  const id = refused?.deployment_id
  if (refused && !listed.some((one) => one.id === id))
    return wrong(
      `A launch of ${id ? `the deployment ${id}` : refused.detail} was refused: it is not in the list.`,
      'Add it to the deployments on this page, or let launches add theirs.',
    )
  if (listed.length === 0) return warn('None is known yet: the first launch tells it.', OPEN_ONCE)
  const known = counted(listed.length, 'deployment')
  const unseen = listed.filter(({ first_seen_at }) => first_seen_at === null).map((one) => one.id)
  return ok(
    unseen.length > 0
      ? `${known} listed; no launch of ${new Intl.ListFormat('en').format(unseen.slice(0, 5))} has come yet.`
      : `${known} known by launches.`,
  )
}

const ways = {
  cookie: 'by a cookie',
  storage: 'by the LMS’s storage',
  window: 'in a new window',
} as const

const cookies: Check = async ({ log }) => {
  const let_in = log.filter(isLetIn).slice(0, 50)
  const lost = open(log, ['other_browser'])
  if (lost)
    return warn(
      'The last try was refused, since the browser gave no cookie back and the LMS kept nothing for it.',
      'Allow cookies for Assay in that browser, or let the LMS open Assay in a new window.',
    )
  if (let_in.length === 0) return warn('No launch has told yet how browsers keep their cookies.', OPEN_ONCE)
  const told = (Object.keys(ways) as (keyof typeof ways)[]).flatMap((via) => {
    const count = let_in.filter((entry) => entry.via === via).length
    return count > 0 ? [`${count} ${ways[via]}`] : []
  })
  return ok(`How browsers were known in the last launches: ${told.join(', ')}.`)
}

const launches: Check = async ({ log }) => {
  const last = log.slice(0, 10)
  const parts = last.map((entry) => {
    const at = entry.at.toISOString()
    return entry.outcome === 'let_in'
      ? { state: 'ok' as const, said: `Let in as ${entry.role}.`, at }
      : { state: 'wrong' as const, said: explainRefusal(entry.code)?.said ?? `Refused: ${entry.code}`, at }
  })
  const [newest] = last
  if (!newest) return warn('None has come yet.', OPEN_ONCE)
  if (newest.outcome === 'let_in') return ok('The last one was let in.', parts)
  const why = explainRefusal(newest.code)
  return wrong(
    `The last one was refused: ${why?.said ?? newest.code}${newest.detail ? ` (${newest.detail})` : ''}`,
    why?.mend ?? 'See the door’s log below.',
    parts,
  )
}

/** What the door has seen of late. */
export const logChecks: Checks = { client, redirect, deployments, cookies, launches }
