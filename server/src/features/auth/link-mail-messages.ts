import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { LinkPurpose } from '../../records/people/mailed-link.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { mailedName } from '../notifications/mailed-name.ts'

/** A mail without its link, which is made when it is sent. */
export interface LinkMailMessage {
  /** Null for a link to a page that anybody may open. */
  purpose: LinkPurpose | null
  subject: string
  /** The screen the link opens, and its query besides the token. */
  path: string
  query?: Record<string, string>
  renderText: (link: string) => string
}

type MailMessage = Omit<LinkMailMessage, 'purpose'>

const SIGNATURE = 'Assay'

const paragraphs = (...parts: (string | false | undefined)[]) => `${parts.filter(Boolean).join('\n\n')}\n`

const displayName = (user: UserDoc) => mailedName(user.full_name ?? '', mailedName(user.username))

/** A stranger may have chosen the username of an account whose address is unconfirmed: it may be a link. */
const howToSignIn = (user: UserDoc) =>
  user.email_verified_at == null ? 'You can sign in with this email address.' : `Your username is ${user.username}.`

const courseName = (course: CourseDoc) => mailedName(course.name, 'a course')

export function passwordResetMessage(user: UserDoc): MailMessage {
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

export function registeredMessage(user: UserDoc): MailMessage {
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

export function confirmationMessage(user: UserDoc, course?: CourseDoc): MailMessage {
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

export function invitationMessage({ course, teacher }: { course?: CourseDoc; teacher?: UserDoc }): MailMessage {
  const who = teacher ? displayName(teacher) : 'Someone at your school'
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
