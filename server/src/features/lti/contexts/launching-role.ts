import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import type { LtiLaunchDoc } from '../../../records/lti/launch.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { findInstructors } from '../../courses/lms-instructors.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { TokenRequestError } from '../platform-client/access-token.ts'
import { PlatformRequestError } from '../platform-client/platform-request.ts'
import { isLmsAdministrator, roleInContext } from '../roles.ts'
import { fetchRosterPage } from '../roster/nrps/fetch-roster-page.ts'
import { firstPageUrl } from '../roster/nrps/first-page-urls.ts'
import type { ListedMember } from '../roster/nrps/parse-members-page.ts'
import { RosterError } from '../roster/nrps/roster-error.ts'

type LaunchingRole = Pick<LtiLaunchDoc, 'lms_administrator'> & { role: 'instructor' | 'student' | null }

/**
 * Moodle calls site administrators instructors of every course (`lti_get_ims_role`): there the member list decides. In
 * Canvas a course's roles come from enrolments alone.
 */
export async function launchingRole(
  platform: LtiPlatformDoc,
  facts: LaunchFacts,
  services: Pick<Services, 'config' | 'clock' | 'log'>,
): Promise<LaunchingRole> {
  const role = roleInContext(facts.roles)
  const doubtful = role === 'instructor' && isLmsAdministrator(facts.roles) && platform.lms !== 'canvas'
  if (!doubtful) return { role, lms_administrator: null }
  const listed = await listedRole(platform, facts, services)
  if (await wasAddedByTeacher(platform, facts)) return { role, lms_administrator: null }
  if (listed === 'instructor' || listed === 'student') return { role: listed, lms_administrator: null }
  return { role: null, lms_administrator: listed }
}

async function listedRole(
  platform: LtiPlatformDoc,
  { sub, namesAndRoles, ...facts }: LaunchFacts,
  services: Pick<Services, 'config' | 'clock' | 'log'>,
): Promise<'instructor' | 'student' | 'not_listed' | 'list_unreadable'> {
  if (!namesAndRoles) return 'list_unreadable'
  try {
    const member = await findMemberInRoster(platform, namesAndRoles.context_memberships_url, sub, services)
    return member?.role ?? 'not_listed'
  } catch (error) {
    const ofLms =
      error instanceof RosterError || error instanceof TokenRequestError || error instanceof PlatformRequestError
    if (!ofLms) throw error
    services.log.warn(
      { err: error, platform: platform._id },
      'the members of an administrator’s course were not listed',
    )
    // As of the last roster sync: a busy LMS must not turn a teacher away.
    const context = await storedContext(platform, facts)
    const known = context && (await LtiMemberModel.findById(`${context._id}/${sub}`).lean())
    return (known?.synced_at && known.status === 'active' && known.role) || 'list_unreadable'
  }
}

/** Into our course, not by the LMS. */
async function wasAddedByTeacher(platform: LtiPlatformDoc, facts: LaunchFacts): Promise<boolean> {
  const context = await storedContext(platform, facts)
  const courseId = context?.course_id ?? null
  if (courseId === null) return false
  const key = { issuer: platform.identity_issuer, sub: facts.sub }
  const [identity, course] = await Promise.all([LtiIdentityModel.findOne(key).lean(), findInstructors(courseId)])
  if (!identity || !course?.instructor_ids.includes(identity.user_id)) return false
  return !course.lms_instructor_ids?.includes(identity.user_id)
}

function storedContext(
  platform: LtiPlatformDoc,
  { deploymentId, context }: Pick<LaunchFacts, 'deploymentId' | 'context'>,
) {
  if (!context) return null
  const key = { platform_id: platform._id, deployment_id: deploymentId, context_id: context.id }
  return LtiContextModel.findOne(key).lean()
}

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
async function findMemberInRoster(
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
