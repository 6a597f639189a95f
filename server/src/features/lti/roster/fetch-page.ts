import type { Services } from '../../../services.ts'
import { callPlatform } from '../outgoing/call-platform.ts'
import type { OutgoingReply } from '../outgoing/request.ts'
import { addressAt } from '../outgoing/same-place.ts'
import type { LtiPlatformDoc } from '../platforms/platform.model.ts'
import { scopes } from '../scopes.ts'
import { type ListedMember, readMembersPage, type Unreadable } from './members-page.ts'
import { nextPage } from './next-page.ts'
import { RosterProblem } from './roster-problem.ts'

export interface RosterPage {
  members: ListedMember[]
  unreadable: Unreadable[]
  /** Where the next one is; null after the last. */
  next: string | null
}

/** Half a minute, as an LMS puts a course of thousands together afresh for each page. */
const WITHIN_MS = 30_000
/** An LMS that heeds no limit sends everybody at once: some tens of thousands. */
const MAX_BYTES = 16 * 1024 * 1024

const Accept = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'

/** @throws {RosterProblem | TokenRefused | OutgoingError} */
export async function fetchRosterPage(
  platform: LtiPlatformDoc,
  address: string,
  services: Pick<Services, 'config' | 'clock'>,
  signal: AbortSignal,
): Promise<RosterPage> {
  const call = { headers: { Accept }, withinMs: WITHIN_MS, maxBytes: MAX_BYTES, signal }
  const reply = await callPlatform(platform, [scopes.members], address, call, services)
  if (reply.status !== 200) throw refused(reply, new URL(address).host)
  return { ...readMembersPage(reply.body), next: checkedNext(reply, address) }
}

function refused({ status, statusText, body }: OutgoingReply, host: string): RosterProblem {
  // Canvas says 403 to whoever asks too much.
  const busy = status === 429 || (status === 403 && /rate limit/i.test(body.slice(0, 1000)))
  const said = [status, statusText.slice(0, 100)].filter(Boolean).join(' ')
  if (status >= 500 || busy) return new RosterProblem(`${host} answered ${said}.`, { passing: true, status })
  const advice =
    status === 401 || status === 403
      ? ' It does not let Assay see who is in the course. Its administrator can allow it: “Names and Role Provisioning Services”.'
      : ''
  return new RosterProblem(`${host} answered ${said}.${advice}`, { status })
}

/** Our token goes to nobody but who the roster was asked of. */
function checkedNext({ headers }: OutgoingReply, current: string): string | null {
  const next = nextPage(headers.link, current)
  if (next === null) return null
  const address = addressAt(current, next)
  if (address !== null) return address
  const named = URL.parse(next)?.host
  const where = named ? `at ${named}` : 'at no address'
  throw new RosterProblem(
    `its next page is ${where} and not at ${new URL(current).host}, where Assay does not follow.`,
  )
}
