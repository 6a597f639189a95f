import type { AuditActor } from '../../../audit/audit.service.ts'
import { insertLean } from '../../../lib/database/database.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { type DeepLinkSettings, type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { findInstructors } from '../../courses/course.service.ts'
import { findOrCreateLmsAccounts, type LmsAccount, type LmsPerson } from '../accounts/lms-account.service.ts'
import { reconcileEnrolments, upsertMember } from '../contexts/member.service.ts'
import { customAssignmentId, customPath, upsertContext, upsertResourceLink } from '../contexts/resource-link.service.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import type { PlatformStorageEntry } from '../launch-endpoints/launch-dependencies.ts'
import type { LmsServices } from '../platform-client/access-token.ts'
import { LtiRefusal } from '../refusals.ts'
import { isLmsAdministrator, isTestUser, roleInContext } from '../roles.ts'
import { type ListedMember, RosterError, toRosterError } from '../roster/nrps/parse-members-page.ts'
import { fetchRosterPage, firstPageUrl } from '../roster/nrps/roster-page-reader.ts'
import { queueRosterSync } from '../roster/roster-sync.ts'
import { createBrowserBoundHandoff, probablePage, withPage } from './launch-handoff.ts'

const messages = {
  LtiResourceLinkRequest: 'resource_link',
  LtiDeepLinkingRequest: 'deep_link',
  LtiSubmissionReviewRequest: 'submission_review',
} as const satisfies Record<LaunchFacts['messageType'], LtiLaunchDoc['message']>

/** Signed by the platform, no replay, and from the browser that logged in. */
interface VerifiedLaunch {
  platform: LtiPlatformDoc
  facts: LaunchFacts
  via: LtiLaunchDoc['via']
  storage: PlatformStorageEntry | null
}

/**
 * Everything here is signed by the LMS; nothing comes from the browser. @returns `location`, the path to redirect to:
 * `/l/{launch}/enter?page={page}#{code}`. @throws {LtiRefusal}
 */
export async function handOffLaunch({ platform, facts, via, storage }: VerifiedLaunch, services: Services) {
  const now = services.clock.now()
  const deepLink = requireDeepLinkSettings(facts)
  const deployment = { platform_id: platform._id, deployment_id: facts.deploymentId }
  const context = await upsertContext(deployment, facts, now)
  const { role: contextRole, lms_administrator } = await launchingRole(platform, context, facts, services)
  // Somebody with an unknown role gets a student's view, not enrolled.
  const role = contextRole ?? 'student'
  const { sub, name, email, roles } = facts
  const person = { sub, name, email, role: contextRole, test_user: isTestUser(roles) }
  const { identity, user } = await launchingPerson(platform, person, now)

  const { location, stored, cookie } = createBrowserBoundHandoff(storage, now)
  const by = { id: user._id, role, sessionId: stored._id, launchId: stored._id }
  const keepsRole = context && (await keepsTeaching(platform, context, facts, services))
  const [link] = await Promise.all([
    upsertResourceLink({ ...deployment, context }, facts, now),
    context && !keepsRole && enrolLaunchingPerson(context, person, by, now),
  ])
  if (contextRole === 'instructor' && context && !context.roster) await queueRosterSync(context._id, services)

  const launch: LtiLaunchDoc = {
    ...stored,
    message: messages[facts.messageType],
    ...deployment,
    identity: identity._id,
    user_id: user._id,
    lms_issuer: user.from_lms ? null : platform.identity_issuer,
    role,
    no_role: contextRole === null,
    lms_administrator,
    context: context?._id ?? null,
    link: link?._id ?? null,
    wanted_path: targetPath(facts, role, services.config.publicUrl),
    for_user_id: role === 'instructor' ? await reviewedUserId(platform, facts) : null,
    named_assignment_id: customAssignmentId(facts.custom),
    deep_link: role === 'instructor' ? deepLink : null,
    return_url: facts.presentation?.return_url ?? null,
    via,
  }
  await insertLean(LtiLaunchModel, launch)
  return { location: withPage(location, probablePage(launch, { context, link })), launch, cookie }
}

/** @throws {LtiRefusal} when the message lacks a required claim */
function requireDeepLinkSettings({ messageType, resourceLink, deepLinking }: LaunchFacts): DeepLinkSettings | null {
  if (messageType === 'LtiResourceLinkRequest' && !resourceLink) throw new LtiRefusal('claims_missing', 'resource_link')
  if (messageType !== 'LtiDeepLinkingRequest') return null
  if (!deepLinking) throw new LtiRefusal('claims_missing', 'deep_linking_settings')
  return {
    return_url: deepLinking.deep_link_return_url,
    data: deepLinking.data ?? null,
    accept_multiple: deepLinking.accept_multiple ?? false,
    // Canvas leaves it out although it accepts line items.
    accept_lineitem: deepLinking.accept_lineitem ?? true,
    accept_types: deepLinking.accept_types,
    document_targets: deepLinking.accept_presentation_document_targets ?? null,
  }
}

async function launchingPerson(platform: LtiPlatformDoc, person: LmsPerson, now: Date): Promise<LmsAccount> {
  const known = (await findOrCreateLmsAccounts(platform, [person], now)).get(person.sub)
  if (!known) throw new Error('the launching user has no account')
  const { identity, user } = known
  if (user.account === 'deactivated') throw new LtiRefusal('account_off')
  if (person.test_user && !identity.test_user)
    await LtiIdentityModel.updateOne({ _id: identity._id }, { $set: { test_user: true } })
  return known
}

const dayOf = (date: Date) => Math.floor(date.getTime() / (24 * 60 * 60 * 1000))
/** Days on which a teacher came with a lesser role only, and days from the first to the last of them. */
const [LESSER_DAYS, LESSER_SPAN] = [3, 7]

/**
 * A lesser role (“Switch role to…”) counts for one launch, unless the LMS's list has it or, unreadable, it lasts a
 * week.
 */
async function keepsTeaching(platform: LtiPlatformDoc, context: LtiContextDoc, facts: LaunchFacts, services: Services) {
  if (roleInContext(facts.roles) === 'instructor') return false
  const teacher = { _id: `${context._id}/${facts.sub}`, role: 'instructor' as const, status: 'active' as const }
  if (!(await LtiMemberModel.exists(teacher))) return false
  const listed = await listedRole(platform, facts, services)
  if (listed !== 'list_unreadable') return listed === 'instructor'
  const today = dayOf(services.clock.now())
  const member = await LtiMemberModel.findOneAndUpdate(teacher, { $addToSet: { lesser_days: today } }).lean()
  const { lesser_days = [], synced_at } = member ?? {}
  const days = lesser_days.filter((day) => !synced_at || day > dayOf(synced_at))
  return days.length < LESSER_DAYS || today - Math.min(...days) < LESSER_SPAN
}

async function enrolLaunchingPerson(context: LtiContextDoc, person: LmsPerson, actor: AuditActor, now: Date) {
  const people = await upsertMember(context._id, person, actor.id, now)
  if (context.course_id !== null) await reconcileEnrolments(context.course_id, people, actor, now)
}

async function reviewedUserId({ identity_issuer: issuer }: LtiPlatformDoc, { forUser }: LaunchFacts) {
  if (!forUser) return null
  return (await LtiIdentityModel.findOne({ issuer, sub: forUser.user_id }).lean())?.user_id ?? null
}

const allowedPages = {
  student: [
    /^\/student\/(dashboard|courses|grades)$/,
    /^\/student\/assignments\/\d{1,15}$/,
    /^\/student\/courses\/\d{1,15}(\/grades)?$/,
  ],
  instructor: [
    /^\/(dashboard|courses)$/,
    /^\/courses\/\d{1,15}(\/(analytics|edit|gradebook|roster))?$/,
    /^\/assignments\/\d{1,15}\/(settings|submissions(\/match|\/\d{1,15})?)$/,
  ],
}

/** A path on our origin among those above, else null. Same rule as the client's `safeRedirectPath`. */
export function targetPath(
  { custom, targetLinkUri }: Pick<LaunchFacts, 'custom' | 'targetLinkUri'>,
  role: 'instructor' | 'student',
  publicUrl: string,
): string | null {
  for (const target of [customPath(custom), targetLinkUri]) {
    const page = target && allowedPath(target, role, publicUrl)
    if (page) return page
  }
  return null
}

function allowedPath(target: string, role: 'instructor' | 'student', publicUrl: string): string | null {
  const base = URL.parse(publicUrl)
  // Parsing resolves `/a/../b` and `\` as browsers do, so the path checked is the path opened.
  const url = base && URL.parse(target, base.href)
  if (!base || !url || url.origin !== base.origin || url.username !== '' || url.password !== '') return null
  return allowedPages[role].some((page) => page.test(url.pathname)) ? url.pathname : null
}

/** Moodle calls site administrators instructors of every course (`lti_get_ims_role`), so its member list decides. */
async function launchingRole(
  platform: LtiPlatformDoc,
  context: LtiContextDoc | null,
  facts: LaunchFacts,
  services: Services,
): Promise<Pick<LtiLaunchDoc, 'lms_administrator'> & Pick<LmsPerson, 'role'>> {
  const role = roleInContext(facts.roles)
  const doubtful = role === 'instructor' && isLmsAdministrator(facts.roles) && platform.lms !== 'canvas'
  if (!doubtful) return { role, lms_administrator: null }
  const listed = await listedRole(platform, facts, services)
  if (await wasAddedByTeacher(platform, context, facts)) return { role, lms_administrator: null }
  // A busy LMS must not turn a teacher away.
  const unread = listed === 'list_unreadable' && context
  const known = unread ? await LtiMemberModel.findById(`${context._id}/${facts.sub}`).lean() : null
  const last = known?.synced_at && known.status === 'active' ? known.role : listed
  if (last === 'instructor' || last === 'student') return { role: last, lms_administrator: null }
  return { role: null, lms_administrator: listed === 'not_listed' ? listed : 'list_unreadable' }
}

async function listedRole(
  platform: LtiPlatformDoc,
  { sub, namesAndRoles }: LaunchFacts,
  services: Services,
): Promise<'instructor' | 'student' | 'not_listed' | 'list_unreadable'> {
  if (!namesAndRoles) return 'list_unreadable'
  try {
    const member = await findMemberInRoster(platform, namesAndRoles.context_memberships_url, sub, services)
    return member?.role ?? 'not_listed'
  } catch (error) {
    if (!(toRosterError(error, 1) instanceof RosterError)) throw error
    services.log.warn({ err: error, platform: platform._id }, 'the members of a course were not listed at a launch')
    return 'list_unreadable'
  }
}

async function wasAddedByTeacher(
  { identity_issuer: issuer }: LtiPlatformDoc,
  context: LtiContextDoc | null,
  { sub }: LaunchFacts,
): Promise<boolean> {
  const courseId = context?.course_id ?? null
  if (courseId === null) return false
  const key = { issuer, sub }
  const [identity, course] = await Promise.all([LtiIdentityModel.findOne(key).lean(), findInstructors(courseId)])
  if (!identity || !course?.instructor_ids.includes(identity.user_id)) return false
  return !course.lms_instructor_ids?.includes(identity.user_id)
}

/** Somebody is waiting in a browser. */
const TIMEOUT_MS = 8_000
const MAX_PAGES = 5
const MAX_PAGE_BYTES = 2 * 1024 * 1024
const INSTRUCTOR = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'

/** Instructors (NRPS 2.0, 2.1), then everybody. @throws {RosterError | TokenRequestError | PlatformRequestError} */
async function findMemberInRoster(
  platform: LtiPlatformDoc,
  membershipsUrl: string,
  sub: string,
  services: LmsServices,
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
