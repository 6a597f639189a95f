import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { fetchRosterPage } from './fetch-roster-page.ts'
import { firstPageUrl } from './first-page-urls.ts'
import type { ListedMember } from './parse-members-page.ts'
import { RosterError } from './roster-error.ts'

/** Somebody is waiting in a browser. */
const TIMEOUT_MS = 8_000
const MAX_PAGES = 5
const INSTRUCTOR = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'

/**
 * The active member of an LMS course with that `sub`, asked for now and among its instructors (NRPS 2.0, 2.1); null when not listed.
 * @throws {RosterError | TokenRequestError | PlatformRequestError} when the list cannot be read, or not to its end in eight seconds
 */
export async function findMemberInRoster(
  platform: LtiPlatformDoc,
  membershipsUrl: string,
  sub: string,
  services: Pick<Services, 'config' | 'clock'>,
): Promise<ListedMember | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const first = new URL(firstPageUrl(membershipsUrl))
  first.searchParams.set('role', INSTRUCTOR)
  let next: string | null = first.href
  for (let page = 0; next !== null; page++) {
    if (page === MAX_PAGES) throw new RosterError('its list of instructors has too many pages.')
    const read = await fetchRosterPage(platform, next, services, signal)
    const member = read.members.find((one) => one.sub === sub && !one.inactive)
    if (member) return member
    next = read.next
  }
  return null
}
