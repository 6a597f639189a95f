import type { Launch } from '@assay/shared/lti/lti.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import {
  createCsrfToken,
  createSession,
  endSessions,
  issueSessionToken,
  newSessionId,
} from '../../auth/session.service.ts'
import { requireCourse } from '../../courses/course.service.ts'
import { presentUser, requireUser } from '../../users/user.service.ts'
import { unbindIfCourseDeleted } from '../contexts/resource-link.service.ts'
import { platformOrigins } from '../platforms/platform.service.ts'
import { hashSecret, launchTargetOf, newSecret } from './launch-handoff.ts'

export interface LaunchDetails {
  launch: LtiLaunchDoc
  platform: LtiPlatformDoc
  context: LtiContextDoc | null
  link: LtiResourceLinkDoc | null
}

export interface LaunchSession extends LaunchDetails {
  token: string
  user: UserDoc
}

/** A launch's id is not secret, and reveals only this. */
export async function platformOfLaunch(launchId: string): Promise<Pick<LtiPlatformDoc, 'name' | 'status'> | null> {
  const launch = await LtiLaunchModel.findById(launchId, { platform_id: 1 }).lean()
  return launch && LtiPlatformModel.findById(launch.platform_id, { name: 1, status: 1 }).lean()
}

async function relaunchError(launchId: string, why: string): Promise<AppError> {
  const platform = await platformOfLaunch(launchId)
  if (platform && platform.status !== 'active') return platformOffError(platform)
  return new AppError('auth_required', `${why} Open it again from your course in ${platform?.name ?? 'the LMS'}.`, {
    ...(platform ? { fields: { lms: platform.name } } : {}),
  })
}

export const platformOffError = ({ name }: { name: string }) =>
  new AppError(
    'lms_deactivated',
    `${name} has been deactivated in Assay, so nothing can be opened from it. Your saved work is safe. Ask your LMS administrator about it.`,
    { fields: { lms: name } },
  )

/** No request can name another course. @throws {AppError} 404 for a session that was not launched */
export async function requireLaunch(actor: Actor): Promise<LaunchDetails> {
  const launch = actor.launchId ? await LtiLaunchModel.findById(actor.launchId).lean() : null
  if (launch?.session_id !== actor.sessionId || launch.user_id !== actor.id) throw notLaunchedError()
  const found = await loadLaunchDetails(launch)
  if (!found) throw notLaunchedError()
  return found
}

/**
 * The heading of the page that a launch leads to, told before it is opened only to the browser that launched: by the
 * entry cookie. Null where that page has none of its own.
 */
export async function headingOnTheWayIn(launchId: string, entry: string | null): Promise<string | null> {
  const launch = entry && (await LtiLaunchModel.findOne({ _id: launchId, entry_hash: hashSecret(entry) }).lean())
  const found = launch && (await loadLaunchDetails(launch))
  if (!found) return null
  const { path, course_id, assignment_id } = await launchTargetOf(launch, found)
  if (assignment_id !== null && new RegExp(`^(/student)?/assignments/${assignment_id}(/submissions)?$`).test(path))
    return (await findAssignment(assignment_id))?.title ?? null
  if (course_id !== null && path.endsWith(`/courses/${course_id}`)) return (await requireCourse(course_id)).name
  return null
}

/** Null when the launch has expired or its LMS is deactivated. */
export async function findLaunch(id: string): Promise<LaunchDetails | null> {
  const launch = await LtiLaunchModel.findById(id).lean()
  return launch && loadLaunchDetails(launch)
}

const notLaunchedError = () => notFound('This page was not opened from an LMS.')

/** Null when its LMS is deactivated or deleted. */
async function loadLaunchDetails(launch: LtiLaunchDoc): Promise<LaunchDetails | null> {
  const [platform, context, link] = await Promise.all([
    LtiPlatformModel.findOne({ _id: launch.platform_id, status: 'active' }).lean(),
    launch.context === null ? null : LtiContextModel.findById(launch.context).lean(),
    launch.link === null ? null : LtiResourceLinkModel.findById(launch.link).lean(),
  ])
  return platform && { launch, platform, context: context && (await unbindIfCourseDeleted(context)), link }
}

/**
 * Of two concurrent requests with the same code, one succeeds. @param shown the browser's cookie and storage entry
 * @throws {AppError} `auth_required` for a wrong, used, expired or other browser's code; `lms_deactivated`;
 * `account_deactivated`
 */
export async function openLaunchByCode(
  launchId: string,
  { code, shown }: { code: string; shown: (string | null | undefined)[] },
  requestId: string,
  services: Services,
): Promise<LaunchSession & { resume: string }> {
  const resume = newSecret()
  // Stored first: deactivating the LMS ends sessions by their launch.
  const session_id = newSessionId()
  const launch = await LtiLaunchModel.findOneAndUpdate(
    {
      _id: launchId,
      code_hash: hashSecret(code),
      code_expires_at: { $gt: services.clock.now() },
      entry_hash: { $in: [null, ...shown.flatMap((secret) => (secret ? hashSecret(secret) : []))] },
    },
    { $set: { code_hash: null, resume_hash: hashSecret(resume), session_id } },
  ).lean()
  const opened = launch && (await startLaunchSession({ ...launch, session_id }, services))
  if (!opened) {
    services.log.warn({ requestId, launch: launchId }, 'a launch’s code was refused')
    throw await relaunchError(launchId, 'This launch was already used, took too long or started in another browser.')
  }
  return { ...opened, resume }
}

/** Checks the LMS last, as deactivating ends existing sessions: null then. @throws {AppError} `account_deactivated` */
export async function startLaunchSession(
  launch: LtiLaunchDoc & { session_id: string },
  services: Services,
): Promise<LaunchSession | null> {
  const { _id: launch_id, session_id, user_id, role, lms_issuer = null } = launch
  const token = await createSession({ _id: session_id, user_id, role, launch_id, lms_issuer }, services)
  const [found, user] = await Promise.all([loadLaunchDetails(launch), requireUser(user_id)])
  if (found && user.account !== 'deactivated') return { ...found, token, user }
  await endSessions([session_id], services)
  if (found) throw new AppError('account_deactivated')
  return null
}

/** @throws {AppError} `auth_required` without cookie or session; `lms_deactivated`; `account_deactivated` */
export async function resumeLaunchByCookie(
  launchId: string,
  cookie: string | null,
  services: Services,
): Promise<LaunchSession> {
  const launch =
    cookie === null ? null : await LtiLaunchModel.findOne({ _id: launchId, resume_hash: hashSecret(cookie) }).lean()
  const found = launch && (await loadLaunchDetails(launch))
  const token = launch?.session_id ? await issueSessionToken(launch.session_id, services) : null
  const user = found && (await requireUser(found.launch.user_id))
  if (user?.account === 'deactivated') throw new AppError('account_deactivated')
  if (!user || !token) throw await relaunchError(launchId, 'This page has lost its connection to the LMS.')
  return { ...found, token, user }
}

/** Also invalidates its codes. */
export async function endSessionsOfPlatform(platformId: number, services: Pick<Services, 'events'>): Promise<void> {
  await LtiLaunchModel.updateMany({ platform_id: platformId, code_hash: { $ne: null } }, { $set: { code_hash: null } })
  const ids: (string | null)[] = await LtiLaunchModel.distinct('session_id', { platform_id: platformId })
  await endSessions(
    ids.filter((id) => id !== null),
    services,
  )
}

export const canJoinAccount = (user: UserDoc) => user.from_lms === true && user.test_user !== true

export async function presentLaunch(
  { launch, platform, context, link }: LaunchDetails,
  user: UserDoc,
): Promise<Launch> {
  return {
    id: launch._id,
    platform: { name: platform.name, lms: platform.lms },
    role: launch.role,
    ...(await launchTargetOf(launch, { context, link })),
    lms_administrator: launch.lms_administrator ?? null,
    context_title: context?.title ?? null,
    link_title: link?.title ?? null,
    parent_origin: parentOrigin({ launch, platform }),
    return_url: launch.return_url,
    limited_to_lms: launch.lms_issuer != null,
    can_join_account: canJoinAccount(user),
  }
}

function parentOrigin({ launch, platform }: Pick<LaunchDetails, 'launch' | 'platform'>): string | null {
  const returnUrl = launch.return_url ?? launch.deep_link?.return_url
  const origins = platformOrigins(platform)
  return (
    (returnUrl && URL.parse(returnUrl)?.origin) ??
    platform.origins[0] ??
    (origins.length === 1 ? origins[0] : null) ??
    null
  )
}

export async function presentLaunchSession(opened: LaunchSession, { config, clock }: Services) {
  const { token, user, launch } = opened
  return {
    access_token: token,
    token_type: 'bearer' as const,
    launch: await presentLaunch(opened, user),
    // The launch's role may differ from the account's.
    user: { ...presentUser(user), role: launch.role },
    csrf_token: createCsrfToken(launch.session_id, config.secretKey, clock.now()),
    first_replies: [],
  }
}
