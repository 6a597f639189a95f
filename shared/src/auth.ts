import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { EmailAddress } from './rules/email.ts'
import { registrationPasswordProblem } from './rules/password.ts'
import { lineOfText, Username } from './rules/text.ts'
import { everyone, User } from './users.ts'

export const AccessToken = z.object({ access_token: z.string(), token_type: z.literal('bearer') })

export const signIn = defineEndpoint({
  method: 'post',
  path: '/auth/token',
  summary: 'Sign in by username or e-mail address',
  access: 'public',
  bodyType: 'form',
  body: z.object({ username: z.string().min(1).max(254), password: z.string().min(1).max(1024) }),
  reply: AccessToken,
})

export const getMe = defineEndpoint({
  method: 'get',
  path: '/auth/users/me',
  summary: 'Who is signed in',
  access: everyone,
  reply: User,
})

export const getCsrfToken = defineEndpoint({
  method: 'get',
  path: '/auth/csrf-token',
  summary: 'The token every change by a signed-in caller must carry in X-CSRF-Token',
  access: 'public',
  reply: z.object({ csrf_token: z.string() }),
})

export const signOut = defineEndpoint({
  method: 'post',
  path: '/auth/logout',
  summary: 'End the session; its token is refused from then on',
  access: everyone,
  reply: z.object({ message: z.string() }),
})

const newAccount = {
  username: Username,
  email: EmailAddress,
  password: z.string({ error: 'Password is required' }).superRefine((password, context) => {
    const message = registrationPasswordProblem(password)
    if (message) context.addIssue({ code: 'custom', message })
  }),
  full_name: lineOfText('Full name', 120).optional(),
}

export const registerStudent = defineEndpoint({
  method: 'post',
  path: '/auth/student/register',
  summary: 'Register as a student',
  access: 'public',
  status: 201,
  body: z.object(newAccount),
  reply: User,
})

export const registerInstructor = defineEndpoint({
  method: 'post',
  path: '/auth/register',
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

/** The accounts anyone may try on a machine of their own; none anywhere else. */
export const getDemo = defineEndpoint({
  method: 'get',
  path: '/auth/demo',
  summary: 'Which demo accounts the sign-in page may offer',
  access: 'public',
  reply: z.object({
    accounts: z.array(z.object({ role: z.enum(['instructor', 'student']), full_name: z.string() })),
  }),
})

export const signInToDemo = defineEndpoint({
  method: 'post',
  path: '/auth/demo',
  summary: 'Sign in as a demo instructor or student, on a machine of one’s own',
  access: 'public',
  body: z.object({ role: z.enum(['instructor', 'student']) }),
  reply: AccessToken,
})
