import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { type LinkPurpose, MailedLinkModel } from '../../records/people/mailed-link.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { markInvited, markRegistrationMailed } from '../users/account.service.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { findUserByEmail, usersById } from '../users/user.service.ts'

const HOUR_MS = 60 * 60 * 1000
const lifetimeMs: Record<LinkPurpose, number> = {
  reset: HOUR_MS,
  confirm: 7 * 24 * HOUR_MS,
  invitation: 60 * 24 * HOUR_MS,
}

/** A new reset link revokes earlier ones; others stay valid until one is used. */
async function createMailedLinkToken(user: UserDoc, purpose: LinkPurpose, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  if (purpose === 'reset') await MailedLinkModel.deleteMany({ user_id: user._id, purpose })
  await MailedLinkModel.create({
    _id: hashOf(token),
    purpose,
    user_id: user._id,
    email_key: user.email_key,
    expires_at: new Date(now.getTime() + lifetimeMs[purpose]),
  })
  return token
}

async function countLinksOfLastDay(userIds: number[], now: Date): Promise<Map<number, number>> {
  const links = await MailedLinkModel.find(
    { user_id: { $in: userIds }, purpose: { $in: ['invitation', 'confirm'] } },
    { user_id: 1, purpose: 1, expires_at: 1 },
  ).lean()
  const since = now.getTime() - 24 * HOUR_MS
  const recent = links.filter(({ purpose, expires_at }) => expires_at.getTime() - lifetimeMs[purpose] > since)
  return new Map([...Map.groupBy(recent, (link) => link.user_id)].map(([id, some]) => [id, some.length]))
}

const openLink = (token: string, purposes: LinkPurpose[], now: Date) => ({
  _id: hashOf(token),
  purpose: { $in: purposes },
  expires_at: { $gt: now },
})

export const findMailedLink = (token: string, purposes: LinkPurpose[], now: Date) =>
  MailedLinkModel.findOne(openLink(token, purposes, now)).lean()

/** Of two requests at once, one succeeds. */
export const consumeMailedLink = (token: string, purposes: LinkPurpose[], now: Date) =>
  MailedLinkModel.findOneAndDelete(openLink(token, purposes, now)).lean()

export async function revokeMailedLinks(userId: number): Promise<void> {
  await MailedLinkModel.deleteMany({ user_id: userId })
}

/** Only ids: the token is never stored in the clear. A reset goes by address, to take as long without an account. */
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
/** Invitations come by the thousand and must not delay the mails people wait for to sign in. */
const invitationMailJob = { name: 'mail-invitation', payload: LinkMail }

export const linkMailJobNames = [signInMailJob.name, invitationMailJob.name]

const isInvitation = (mail: LinkMail) =>
  mail.kind === 'invitation' || (mail.kind === 'confirm' && mail.courseId !== undefined)

/** Drops a second request while one is queued. Addresses are hashed because job keys are logged. */
function jobKeyOf(mail: LinkMail): string {
  const subject =
    'email' in mail ? hashOf(mail.email.toLowerCase(), 'base64url') : `${mail.userId}:${mail.courseId ?? ''}`
  return `${mail.kind}:${subject}`
}

export async function queueLinkMails(mails: LinkMail[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rowsOf = (some: LinkMail[]) => some.map((mail) => ({ key: jobKeyOf(mail), group: 'mail', payload: mail }))
  await jobs.trigger(signInMailJob, rowsOf(mails.filter((mail) => !isInvitation(mail))))
  await jobs.trigger(invitationMailJob, rowsOf(mails.filter(isInvitation)))
  await markInvited(mails.flatMap((mail) => (mail.kind === 'invitation' ? [mail.userId] : [])))
}

const MAX_LINKS_PER_DAY = 5

export async function findFullMailboxes(userIds: number[], now: Date): Promise<Set<number>> {
  const counts = await countLinksOfLastDay(userIds, now)
  return new Set(userIds.filter((id) => (counts.get(id) ?? 0) >= MAX_LINKS_PER_DAY))
}

const isMailboxFull = async (userId: number, now: Date) => (await findFullMailboxes([userId], now)).has(userId)

const REGISTRATION_MAIL_PAUSE_MS = 60 * 60 * 1000

async function composeLinkMail(mail: LinkMail, now: Date): Promise<(LinkMailMessage & { user: UserDoc }) | null> {
  if (mail.kind === 'registered') return composeRegisteredMail(mail.email, now)
  if (mail.kind === 'reset') {
    const user = await findUserByEmail(mail.email)
    if (!user || user.account === 'deactivated') return null
    // An invited account has no password to reset.
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
      // Afterwards, so that a failed mail is tried again.
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

interface LinkMailMessage {
  purpose: LinkPurpose | null
  subject: string
  path: string
  query?: Record<string, string>
  renderText: (link: string) => string
}

type MailMessage = Omit<LinkMailMessage, 'purpose'>

const SIGNATURE = 'Assay'

const paragraphs = (...parts: (string | false | undefined)[]) => `${parts.filter(Boolean).join('\n\n')}\n`

/** No username while the address is unconfirmed: a stranger may have chosen a link as one. */
const howToSignIn = (user: UserDoc) =>
  user.email_verified_at == null ? 'You can sign in with this email address.' : `Your username is ${user.username}.`

const courseName = (course: CourseDoc) => mailedName(course.name, 'a course')

function passwordResetMessage(user: UserDoc): MailMessage {
  return {
    subject: 'Set a new password for Assay',
    path: '/auth/reset-password',
    query: { email: user.email },
    renderText: (link) =>
      paragraphs(
        'Someone, probably you, requested a new password for the account with this address.',
        `${howToSignIn(user)} Use this link within an hour. It works once:`,
        link,
        'Setting a new password signs you out everywhere. If you did not request this, ignore this email; your password will not change.',
        SIGNATURE,
      ),
  }
}

function registeredMessage(user: UserDoc): MailMessage {
  return {
    subject: 'You already have an Assay account',
    path: '/auth/login',
    renderText: (link) =>
      paragraphs(
        'Someone, probably you, tried to register an Assay account with this address. It already has one, so no other was created.',
        `${howToSignIn(user)} Sign in here:`,
        link,
        'If you do not know the password, or did not register this account yourself, choose “Forgot password?” there: the account is yours, because the address is.',
        'If it was not you, ignore this email: nothing has changed.',
        SIGNATURE,
      ),
  }
}

function confirmationMessage(user: UserDoc, course?: CourseDoc): MailMessage {
  const username = mailedName(user.username)
  const account = username === '' ? 'An Assay account' : `The Assay account “${username}”`
  return {
    subject: course ? `Confirm your address for ${courseName(course)}` : 'Confirm your email address for Assay',
    path: '/auth/confirm-email',
    renderText: (link) =>
      paragraphs(
        `${account} was registered with this address.`,
        course &&
          `A teacher has added this address to the course “${courseName(course)}”. You will be enrolled once you confirm it.`,
        'If the account is yours, follow this link within seven days:',
        link,
        'If it is not, ignore this email: that account will not receive anything meant for you. You can also use the link to take over the account, because the address is yours.',
        SIGNATURE,
      ),
  }
}

function invitationMessage({ course, teacher }: { course?: CourseDoc; teacher?: UserDoc }): MailMessage {
  const who = teacher ? mailedName(teacher.full_name ?? '', mailedName(teacher.username)) : 'Someone at your school'
  const what = course
    ? `${who} has added you to the course “${courseName(course)}” on Assay, where you can see your grades and feedback.`
    : `${who} has created an account for you on Assay.`
  return {
    subject: course ? `You are invited to ${courseName(course)}` : 'You are invited to Assay',
    path: '/auth/accept-invitation',
    renderText: (link) =>
      paragraphs(
        what,
        'Follow this link within 60 days to choose a password and claim your account:',
        link,
        'If you did not expect this, ignore this email: nobody can use the account without this link.',
        SIGNATURE,
      ),
  }
}
