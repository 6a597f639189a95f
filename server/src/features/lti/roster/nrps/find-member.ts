import type { LtiPlatformDoc } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { fetchRosterPage } from './fetch-roster-page.ts'
import { firstPageUrl } from './first-page-urls.ts'
import type { ListedMember } from './parse-members-page.ts'
import { RosterError } from './roster-error.ts'

/** Somebody is waiting in a browser. */
const TIMEOUT_MS = 8_000
const MAX_PAGES = 5
/** Thousands of people. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
const INSTRUCTOR = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'

/**
 * First among instructors (NRPS 2.0, 2.1), a short list, then everybody, as assistants may not count.
 * @throws {RosterError | TokenRequestError | PlatformRequestError} for a list not read to its end in eight seconds
 */
export async function findMemberInRoster(
  platform: LtiPlatformDoc,
  membershipsUrl: string,
  sub: string,
  services: Pick<Services, 'config' | 'clock'>,
): Promise<ListedMember | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const everybody = firstPageUrl(membershipsUrl)
  const instructors = new URL(everybody)
  instructors.searchParams.set('role', INSTRUCTOR)
  for (const first of [instructors.href, everybody]) {
    let next: string | null = first
    for (let page = 0; next !== null; page++) {
      if (page === MAX_PAGES) throw new RosterError('its list of members has too many pages.')
      const read = await fetchRosterPage(platform, next, services, { signal, maxBytes: MAX_PAGE_BYTES })
      const member = read.members.find((one) => one.sub === sub && !one.inactive)
      if (member) return member
      next = read.next
    }
  }
  return null
}
