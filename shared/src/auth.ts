import { z } from 'zod'
import { allRoles, defineEndpoint, Timestamp } from './http/endpoint.ts'
import { EmailAddress } from './rules/email.ts'
import { newPasswordProblem, registrationPasswordProblem } from './rules/password.ts'
import { lineOfText, Username } from './rules/text.ts'
import { User } from './users.ts'

export const AccessToken = z.object({ access_token: z.string(), token_type: z.literal('bearer') })

export const signIn = defineEndpoint('post', '/auth/token', {
  summary: 'Sign in by username or e-mail address',
  access: 'public',
  bodyType: 'form',
  body: z.object({ username: z.string().min(1).max(254), password: z.string().min(1).max(1024) }),
  reply: AccessToken,
})

export const getMe = defineEndpoint('get', '/auth/users/me', {
  summary: 'The signed-in user',
  access: allRoles,
  reply: User,
})

export const getCsrfToken = defineEndpoint('get', '/auth/csrf-token', {
  summary: 'The token every change by a signed-in caller must carry in X-CSRF-Token',
  access: 'public',
  reply: z.object({ csrf_token: z.string() }),
})

export const signOut = defineEndpoint('post', '/auth/logout', {
  summary: 'End the session; its token is rejected from then on',
  access: allRoles,
  reply: z.object({ message: z.string() }),
})

const FirstPassword = z.string({ error: 'Password is required' }).superRefine((password, context) => {
  const message = registrationPasswordProblem(password)
  if (message) context.addIssue({ code: 'custom', message })
})

const NewPassword = z.string({ error: 'New password is required' }).superRefine((password, context) => {
  const message = newPasswordProblem(password, 'New password')
  if (message) context.addIssue({ code: 'custom', message })
})

const newAccount = {
  username: Username,
  email: EmailAddress,
  password: FirstPassword,
  full_name: lineOfText('Full name', 120).optional(),
}

export const registerStudent = defineEndpoint('post', '/auth/student/register', {
  summary: 'Register as a student',
  access: 'public',
  status: 201,
  body: z.object(newAccount),
  reply: User,
})

export const registerInstructor = defineEndpoint('post', '/auth/register', {
  summary: 'Register as an instructor',
  access: 'public',
  status: 201,
  body: z.object({
    ...newAccount,
    role: z.literal('instructor'),
    institution: lineOfText('Institution', 160).optional(),
  }),
  reply: User,
})

export const getDemo = defineEndpoint('get', '/auth/demo', {
  summary: 'The demo accounts available on the sign-in page',
  access: 'public',
  reply: z.object({ accounts: z.array(z.object({ role: z.enum(['instructor', 'student']), full_name: z.string() })) }),
})

export const signInToDemo = defineEndpoint('post', '/auth/demo', {
  summary: 'Sign in as a demo instructor or student; only on a local demo',
  access: 'public',
  body: z.object({ role: z.enum(['instructor', 'student']) }),
  reply: AccessToken,
})

const Message = z.object({ message: z.string() })

const MailedToken = z.string().min(1).max(200)

export const forgotPassword = defineEndpoint('post', '/auth/forgot-password', {
  summary: 'Ask for a link to set a new password; the answer is the same whether or not there is such an account',
  access: 'public',
  body: z.object({ email: EmailAddress }),
  reply: Message,
})

export const resetPassword = defineEndpoint('post', '/auth/reset-password', {
  summary: 'Set a new password by the mailed link; signs the account out everywhere and confirms its address',
  access: 'public',
  body: z.object({ token: MailedToken, new_password: NewPassword }),
  reply: Message,
})

export const changePassword = defineEndpoint('post', '/auth/change-password', {
  summary: 'Change one’s own password; ends one’s other sessions',
  access: allRoles,
  body: z.object({
    current_password: z
      .string({ error: 'Current password is required' })
      .min(1, 'Current password is required')
      .max(1024),
    new_password: NewPassword,
  }),
  reply: Message,
})

export const MailedLink = z.object({
  purpose: z.enum(['reset', 'confirm', 'invitation']),
  username: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  registered_at: Timestamp,
})
export type MailedLink = z.infer<typeof MailedLink>

export const getMailedLink = defineEndpoint('post', '/auth/mailed-link', {
  summary: 'What a mailed link is for; this does not invalidate it',
  access: 'public',
  body: z.object({ token: MailedToken }),
  reply: MailedLink,
})

export const confirmEmail = defineEndpoint('post', '/auth/confirm-email', {
  summary: 'Confirm one’s own address by the mailed link, signed in to the account it was mailed for',
  access: allRoles,
  body: z.object({ token: MailedToken }),
  reply: User,
})

export const resendConfirmation = defineEndpoint('post', '/auth/confirm-email/resend', {
  summary: 'Mail the link that confirms one’s address again',
  access: allRoles,
  reply: Message,
})

export const acceptInvitation = defineEndpoint('post', '/auth/accept-invitation', {
  summary: 'Claim the account a teacher created for one’s address, and sign in',
  access: 'public',
  body: z.object({
    token: MailedToken,
    username: Username.optional(),
    full_name: lineOfText('Full name', 120).optional(),
    password: FirstPassword,
  }),
  reply: AccessToken,
})
