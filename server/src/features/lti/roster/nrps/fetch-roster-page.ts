import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { callPlatform } from '../../platform-client/call-platform.ts'
import type { PlatformResponse } from '../../platform-client/platform-request.ts'
import { resolveSameOrigin } from '../../platform-client/resolve-same-origin.ts'
import { scopes } from '../../scopes.ts'
import { nextPageUrl } from './next-page-url.ts'
import { type ListedMember, parseMembersPage, type UnreadableEntry } from './parse-members-page.ts'
import { RosterError } from './roster-error.ts'

export interface RosterPage {
  members: ListedMember[]
  unreadable: UnreadableEntry[]
  next: string | null
}

/** An LMS may build a list of thousands again for each page. */
const TIMEOUT_MS = 30_000
/** An LMS that ignores the page size sends tens of thousands at once. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024

const Accept = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'

/** @throws {RosterError | TokenRequestError | PlatformRequestError} */
export async function fetchRosterPage(
  platform: LtiPlatformDoc,
  address: string,
  services: Pick<Services, 'config' | 'clock'>,
  { signal, maxBytes = MAX_PAGE_BYTES }: { signal: AbortSignal; maxBytes?: number },
): Promise<RosterPage> {
  const call = { headers: { Accept }, timeoutMs: TIMEOUT_MS, maxBytes, signal }
  const reply = await callPlatform(platform, [scopes.members], address, call, services)
  if (reply.status !== 200) throw rosterErrorFor(reply, new URL(address).host)
  return { ...(await parseMembersPage(reply.body, signal)), next: sameOriginNextPage(reply, address) }
}

function rosterErrorFor({ status, statusText, body }: PlatformResponse, host: string): RosterError {
  // Canvas answers 403 when its rate limit is exceeded.
  const busy = status === 429 || (status === 403 && /rate limit/i.test(body.slice(0, 1000)))
  const statusLine = [status, statusText.slice(0, 100)].filter(Boolean).join(' ')
  if (status >= 500 || busy) return new RosterError(`${host} answered ${statusLine}.`, { transient: true, status })
  const advice =
    status === 401 || status === 403
      ? ' It does not share its roster with Assay. Its administrator can allow “Names and Role Provisioning Services”.'
      : ''
  return new RosterError(`${host} answered ${statusLine}.${advice}`, { status })
}

/** Our token is sent only to the origin of the first page. */
function sameOriginNextPage({ headers }: PlatformResponse, current: string): string | null {
  const next = nextPageUrl(headers.link, current)
  if (next === null) return null
  const address = resolveSameOrigin(current, next)
  if (address !== null) return address
  const named = URL.parse(next)?.host
  const where = named ? `at ${named}` : 'at no address'
  throw new RosterError(`its next page is ${where} instead of ${new URL(current).host}, which Assay does not follow.`)
}
