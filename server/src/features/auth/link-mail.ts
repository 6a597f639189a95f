import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { markInvited, markRegistrationMailed } from '../users/account.service.ts'
import { findUserByEmail, usersById } from '../users/user.service.ts'
import {
  confirmationMessage,
  invitationMessage,
  type LinkMailMessage,
  passwordResetMessage,
  registeredMessage,
} from './link-mail-messages.ts'
import { countLinksOfLastDay, createMailedLinkToken } from './mailed-link.ts'

/**
 * A mail with a secret link. The payload has only ids: the token is made when the job runs and goes straight to the mail
 * server, so that it is never stored in the clear. A reset is requested by address, whether or not an account has it:
 * queueing takes as long either way, and only the mailbox learns whether there is an account. `registered` is for an address
 * that somebody registered although it has one.
 */
const LinkMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset'), email: z.string() }),
  z.object({ kind: z.literal('registered'), email: z.string() }),
  z.object({ kind: z.literal('confirm'), userId: z.number(), courseId: z.number().optional() }),
  z.object({
    kind: z.literal('invitation'),
    userId: z.number(),
    courseId: z.number().optional(),
    invitedBy: z.number().optional(),
  }),
])
export type LinkMail = z.infer<typeof LinkMail>

const signInMailJob = { name: 'mail-link', payload: LinkMail }
/** What a teacher causes, by the thousand perhaps: it must not delay what somebody waits for to sign in. */
const invitationMailJob = { name: 'mail-invitation', payload: LinkMail }

export const linkMailJobNames = [signInMailJob.name, invitationMailJob.name]

const isInvitation = (mail: LinkMail) =>
  mail.kind === 'invitation' || (mail.kind === 'confirm' && mail.courseId !== undefined)

/** A second request while the first is queued is dropped; while the first is being sent, another mail follows. Addresses are hashed because job keys are logged. */
function jobKeyOf(mail: LinkMail): string {
  const subject =
    'email' in mail ? hashOf(mail.email.toLowerCase(), 'base64url') : `${mail.userId}:${mail.courseId ?? ''}`
  return `${mail.kind}:${subject}`
}

export async function queueLinkMails(mails: LinkMail[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rowsOf = (some: LinkMail[]) => some.map((mail) => ({ key: jobKeyOf(mail), group: 'mail', payload: mail }))
  await jobs.trigger(signInMailJob, rowsOf(mails.filter((mail) => !isInvitation(mail))))
  await jobs.trigger(invitationMailJob, rowsOf(mails.filter(isInvitation)))
  // Afterwards: whoever is marked is mailed.
  await markInvited(mails.flatMap((mail) => (mail.kind === 'invitation' ? [mail.userId] : [])))
}

/** A day's invitations and links to confirm for one address, whoever asks. */
const MAX_LINKS_PER_DAY = 5

/** Those of some accounts that were mailed so many links today that no teacher may have another sent. */
export async function findFullMailboxes(userIds: number[], now: Date): Promise<Set<number>> {
  const counts = await countLinksOfLastDay(userIds, now)
  return new Set(userIds.filter((id) => (counts.get(id) ?? 0) >= MAX_LINKS_PER_DAY))
}

const isMailboxFull = async (userId: number, now: Date) => (await findFullMailboxes([userId], now)).has(userId)

/** At most one an hour says that somebody registered an address that has an account. */
const REGISTRATION_MAIL_PAUSE_MS = 60 * 60 * 1000

/** Null for users who may not be mailed, or no longer need to be. */
async function composeLinkMail(mail: LinkMail, now: Date): Promise<(LinkMailMessage & { user: UserDoc }) | null> {
  if (mail.kind === 'registered') return composeRegisteredMail(mail.email, now)
  if (mail.kind === 'reset') {
    const user = await findUserByEmail(mail.email)
    if (!user || user.account === 'deactivated') return null
    // An invited account has no password to reset; what its owner needs is the invitation.
    if (user.account === 'invited') return { ...invitationMessage({}), purpose: 'invitation', user }
    return { ...passwordResetMessage(user), purpose: 'reset', user }
  }
  const [users, courses] = await Promise.all([
    usersById([mail.userId, ...(mail.kind === 'invitation' && mail.invitedBy ? [mail.invitedBy] : [])]),
    coursesById(mail.courseId === undefined ? [] : [mail.courseId]),
  ])
  const user = users.get(mail.userId)
  const course = mail.courseId === undefined ? undefined : courses.get(mail.courseId)
  // LMS accounts cannot be claimed by mail; those from rosters may have no address.
  if (!user || user.from_lms || !user.email) return null
  if (mail.kind === 'invitation') {
    if (user.account !== 'invited') return null
    const teacher = mail.invitedBy === undefined ? undefined : users.get(mail.invitedBy)
    return { ...invitationMessage({ course, teacher }), purpose: 'invitation', user }
  }
  if (user.email_verified_at != null || user.account === 'deactivated') return null
  return { ...confirmationMessage(user, course), purpose: 'confirm', user }
}

async function composeRegisteredMail(email: string, now: Date): Promise<(LinkMailMessage & { user: UserDoc }) | null> {
  const user = await findUserByEmail(email)
  if (!user || user.account === 'deactivated') return null
  const since = now.getTime() - (user.registration_mailed_at?.getTime() ?? 0)
  if (since < REGISTRATION_MAIL_PAUSE_MS) return null
  // Nobody is in it yet: the link is all its owner needs.
  if (user.account === 'invited') return { ...invitationMessage({}), purpose: 'invitation', user }
  return { ...registeredMessage(user), purpose: null, user }
}

export function createLinkMailJobs({ mail, config, clock, log }: Services): Job[] {
  const sending = {
    attempts: 5,
    async run(payload: LinkMail) {
      const message = await composeLinkMail(payload, clock.now())
      if (!message) return
      if (isInvitation(payload) && (await isMailboxFull(message.user._id, clock.now()))) return
      const { user, purpose, subject, path, renderText } = message
      const token = purpose && (await createMailedLinkToken(user, purpose, clock.now()))
      const query = token ? `?${new URLSearchParams({ token, ...message.query })}` : ''
      await mail.sendNow({ to: user.email, subject, text: renderText(`${config.publicUrl}${path}${query}`) })
      // Afterwards, so that a mail that failed is tried again.
      if (payload.kind === 'registered') await markRegistrationMailed(user._id, clock.now())
    },
    onFailed: async ({ kind }: LinkMail, error: unknown) =>
      log.error({ err: error, kind }, 'a mail with a link failed'),
  }
  return [
    defineJob({ ...signInMailJob, ...sending, pool: 'sign-in-mail' }),
    defineJob({ ...invitationMailJob, ...sending, pool: 'mail' }),
  ]
}
