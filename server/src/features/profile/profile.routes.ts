import {
  getInstructorProfile,
  getStudentProfile,
  type NotificationChoices,
  type Profile,
  type ProfileChanges,
  updateInstructorProfile,
  updateStudentProfile,
} from '@assay/shared/profile.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { limitRequests } from '../../cluster/redis/rate-limit.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import type { NotificationPreferences, UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { queueLinkMails, revokeMailedLinks } from '../auth/link-mail.ts'
import { reassignPendingEnrollments } from '../roster/reassign-pending-enrollments.ts'
import { updateProfile } from '../users/account.service.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { ALL_NOTIFICATIONS } from '../users/notifications/notify.ts'
import { normalizeLogin, presentUser, requireUser, toDuplicateError } from '../users/user.service.ts'

const MAX_ADDRESS_CHANGES_PER_HOUR = 10

export function profileRoutes(router: Router, services: Services): void {
  // Each change of address sends a mail.
  router.put(
    [updateStudentProfile.path, updateInstructorProfile.path],
    limitRequests(services, { name: 'profile', limit: services.settings.limit('limit_registration') }),
  )
  // A taken address is refused, which reveals that it has an account.
  router.put(
    [updateStudentProfile.path, updateInstructorProfile.path],
    limitRequests(services, {
      name: 'address of a profile',
      limit: MAX_ADDRESS_CHANGES_PER_HOUR,
      only: ({ body }) => body?.email !== undefined,
    }),
  )
  for (const endpoint of [getStudentProfile, getInstructorProfile]) {
    handle(router, endpoint, async ({ actor }) => {
      allow('yes') // Oneself.
      return presentProfile(await requireUser(actor.id))
    })
  }
  for (const endpoint of [updateStudentProfile, updateInstructorProfile]) {
    handle(router, endpoint, async ({ body, actor }) => {
      allow('yes') // Oneself.
      const user = await requireUser(actor.id)
      return presentProfile(await changeProfile(user, body, actor, services))
    })
  }
}

const STORED_NAMES = {
  emailNotifications: 'email',
  gradeNotifications: 'grades',
  courseUpdates: 'courses',
  assignmentReminders: 'reminders',
} as const satisfies Record<keyof NotificationChoices, keyof NotificationPreferences>

const CHOICE_NAMES = Object.keys(STORED_NAMES) as (keyof NotificationChoices)[]

function presentProfile(user: UserDoc): Profile {
  const choices = { ...ALL_NOTIFICATIONS, ...user.notifications }
  return {
    ...presentUser(user),
    notifications: {
      emailNotifications: choices.email,
      gradeNotifications: choices.grades,
      courseUpdates: choices.courses,
      assignmentReminders: choices.reminders,
    },
    has_password: user.password_hash !== null,
  }
}

function mergePreferences(user: UserDoc, changes: Partial<NotificationChoices>): NotificationPreferences {
  const choices = { ...ALL_NOTIFICATIONS, ...user.notifications }
  for (const choice of CHOICE_NAMES) choices[STORED_NAMES[choice]] = changes[choice] ?? choices[STORED_NAMES[choice]]
  return choices
}

function changedFields(user: UserDoc, changes: ProfileChanges): Partial<UserDoc> {
  const { username, email, full_name, institution, notifications } = changes
  const otherAddress = email !== undefined && normalizeLogin(email) !== user.email_key
  return {
    ...(username === undefined ? {} : { username, username_key: normalizeLogin(username) }),
    ...(email === undefined ? {} : { email, email_key: normalizeLogin(email) }),
    ...(otherAddress ? { email_verified_at: null } : {}),
    ...(full_name === undefined ? {} : { full_name: full_name || null }),
    ...(institution === undefined ? {} : { institution: institution || null }),
    ...(notifications === undefined ? {} : { notifications: mergePreferences(user, notifications) }),
  }
}

/** @throws {AppError} `duplicate`, naming the field; `conflict` for what an LMS manages */
async function changeProfile(user: UserDoc, changes: ProfileChanges, actor: Actor, services: Services) {
  assertNotManagedByLms(user, changes)
  assertNotFromLaunch(user, changes, actor)
  const now = services.clock.now()
  const fields = changedFields(user, changes)
  const moved = fields.email_key !== undefined && fields.email_key !== user.email_key
  const changed = await updateProfile(user, fields, now).catch((error: unknown) => {
    throw toDuplicateError(error)
  })
  if (!changed) throw notFound('There is no user with this ID.')
  if (moved) {
    await revokeMailedLinks(user._id)
    await queueLinkMails([{ kind: 'confirm', userId: user._id }], services)
    if (user.email_verified_at != null) await notifyOldAddress(user, changed, services)
    await reassignPendingEnrollments(changed, services)
  }
  const { username, email } = fields
  if (username !== undefined || email !== undefined) {
    const before = { username: user.username, email: user.email }
    const after = { username: changed.username, email: changed.email }
    await recordAudit(actor, 'user.renamed', { user_id: user._id }, now, { before, after })
  }
  return changed
}

/** With an address typed here, an LMS account could be taken over by mail. */
function assertNotManagedByLms(user: UserDoc, { username, email, full_name }: ProfileChanges): void {
  if (!user.from_lms || (username ?? email ?? full_name) === undefined) return
  throw new AppError('conflict', 'Your name and address come from your LMS. Change them there.')
}

/** LMS administrators may launch as anybody, but must not take over an account by changing its address. */
function assertNotFromLaunch(
  user: UserDoc,
  { username, email, full_name }: ProfileChanges,
  { launchId, lmsIssuer }: Actor,
): void {
  const login = (username ?? user.username) !== user.username || (email ?? user.email) !== user.email
  // Other courses show the name too.
  const name = lmsIssuer && (full_name ?? user.full_name) !== user.full_name
  if (!(launchId && login) && !name) return
  throw new AppError(
    'conflict',
    'This page was opened from an LMS. Sign in to Assay with your password to change your username, name or address.',
  )
}

/** So that a user whose session was stolen notices. */
function notifyOldAddress(user: UserDoc, { email }: UserDoc, { mail }: Services): Promise<void> {
  const name = mailedName(user.username)
  const account = name === '' ? 'your Assay account' : `your Assay account “${name}”`
  const text = `The address of ${account} was changed to ${email}.\n\nIf this was not you, contact your administrator.\n\nAssay\n`
  return mail.enqueue([{ to: user.email, subject: 'Your Assay address was changed', text }])
}
