import { joinAccount } from '@assay/shared/lti/lti.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError, invalidField } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { reassignAssignments, reassignExtensions } from '../../assignments/assignment-queries.ts'
import { assertAccountUsable, type CheckPassword, DEVICE_COOKIE } from '../../auth/check-password.ts'
import { endSessions, endSessionsOfUser, newSessionId } from '../../auth/session.service.ts'
import { reassignCourses, reassignEnrollment } from '../../courses/enrollment.service.ts'
import { enrollmentsOfUser } from '../../courses/enrollment-queries.ts'
import { reassignRelease } from '../../grades/release.service.ts'
import { reassignDrafts } from '../../intake/photo-drafts/photo-draft.service.ts'
import { reassignRegrades } from '../../regrades/regrade.service.ts'
import { reassignSubmissions } from '../../submissions/submission-owners.ts'
import { deactivateAccount, reserveAccountJoin } from '../../users/account.service.ts'
import { requireUser } from '../../users/user.service.ts'
import {
  canJoinAccount,
  type LaunchDetails,
  type LaunchSession,
  platformOffError,
  presentLaunchSession,
  requireLaunch,
  startLaunchSession,
} from '../launches/launch.service.ts'

export function joinAccountRoutes(router: Router, services: Services, checkPassword: CheckPassword): void {
  handle(router, joinAccount, async ({ body, actor, address, cookie }) => {
    const launch = await requireLaunch(actor)
    const user = await requireUser(actor.id)
    allow(actor.lmsIssuer || canJoinAccount(user) ? 'yes' : 'forbidden')
    const target = await checkPassword({ address, device: cookie(DEVICE_COOKIE) }, body)
    // Not `auth_required`: the caller's session stays valid.
    if (!target) throw invalidField('password', WRONG_PASSWORD, 'wrong_password', WRONG_PASSWORD)
    assertAccountUsable(target)
    if (actor.lmsIssuer && target._id !== user._id) throw otherAccount(user)
    if (actor.lmsIssuer) return presentLaunchSession(await openWithPassword(target, launch, services), services)
    await requireJoinable(user, target, launch)
    return presentLaunchSession(await joinAccounts(user, target, launch, actor, services), services)
  })
}

const WRONG_PASSWORD = 'Incorrect username or password.'

const otherAccount = ({ username }: UserDoc) =>
  new AppError('conflict', `This page was opened for the account ${username}. Enter its password.`)

/** An instructor's courses need an account that may teach. @throws {AppError} `conflict` */
async function requireJoinable(user: UserDoc, target: UserDoc, { launch, platform }: LaunchDetails): Promise<void> {
  if (target.role === 'admin')
    throw new AppError(
      'conflict',
      'Administrator accounts cannot be merged with an LMS account. Use the account you teach or learn with.',
    )
  const teaches = user.role === 'instructor' || launch.role === 'instructor'
  if (teaches && target.role !== 'instructor')
    throw new AppError('conflict', 'This is a student account. Use the account you teach with.')
  // Two people of one LMS stay two, except those of a half-finished join.
  const another = { user_id: target._id, issuer: platform.identity_issuer, _id: { $ne: launch.identity } }
  if (await LtiIdentityModel.exists(another))
    throw new AppError(
      'conflict',
      `This account is already merged with another person’s account from ${platform.name}.`,
    )
}

/** Idempotent. @throws {AppError} `conflict` when joining with another account */
async function joinAccounts(user: UserDoc, target: UserDoc, at: LaunchDetails, actor: Actor, services: Services) {
  const now = services.clock.now()
  // Only one of two concurrent joins may succeed, or the work would be split.
  if (!(await reserveAccountJoin(user._id, target._id)))
    throw new AppError('conflict', 'This account is being merged with another one. Sign in with that one.')
  await mergeAccount(user, target)
  await LtiIdentityModel.updateMany({ user_id: user._id }, { $set: { user_id: target._id } })
  await deactivateAccount(user._id, now)
  const subject = { user_id: target._id, platform_id: at.platform._id }
  const names = { before: { lms_account: user.username }, after: { account: target.username } }
  await recordAudit(actor, 'user.joined_with_lms', subject, now, names)
  const opened = await openWithPassword(target, at, services).finally(() => endSessionsOfUser(user._id, services))
  // Another tab may have handed something in.
  await mergeAccount(user, target)
  return opened
}

async function openWithPassword(target: UserDoc, at: LaunchDetails, services: Services): Promise<LaunchSession> {
  const session = { user_id: target._id, session_id: newSessionId(), lms_issuer: null }
  await LtiLaunchModel.updateOne({ _id: at.launch._id }, { $set: session })
  const opened = await startLaunchSession({ ...at.launch, ...session }, services)
  if (at.launch.session_id !== null) await endSessions([at.launch.session_id], services)
  if (!opened) throw platformOffError(at.platform)
  return opened
}

/** History stays with the old account: who graded, who ran, the audit log. */
export async function mergeAccount(from: UserDoc, to: UserDoc): Promise<void> {
  await reassignCourses(from._id, to._id)
  await reassignAssignments(from._id, to._id)
  for (const enrollment of await enrollmentsOfUser({ id: from._id })) {
    await reassignEnrollment(enrollment, to._id)
    await reassignExtensions(enrollment.course_id, from._id, to._id)
  }
  // Without a submission until it has moved, or the paper would seem reassigned and the score be cleared.
  await LtiScoreModel.updateMany({ user_id: from._id }, { $set: { user_id: to._id, submission_id: null } })
  await LtiMemberModel.updateMany({ user_id: from._id }, { $set: { user_id: to._id } })
  await reassignSubmissions(from, to, reassignRelease)
  await reassignRegrades(from._id, to._id)
  await reassignDrafts(from._id, to._id, new Date())
  for (const context of await LtiMemberModel.distinct('context', { user_id: to._id }))
    await markContextScoresChanged(context)
}
