import type { acceptInvitation, registerStudent } from '@assay/shared/auth.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { ApiError } from '../../lib/api/api-error.ts'

const emptyValues = (role: 'instructor' | 'student') => ({
  role,
  full_name: '',
  email: '',
  username: '',
  institution: '',
  password: '',
  confirm: '',
  terms: false,
})
export type RegisterValues = ReturnType<typeof emptyValues>
type InvitationValues = Pick<RegisterValues, 'full_name' | 'username' | 'password' | 'confirm' | 'terms'>

function accountErrors({ full_name, confirm, password, terms }: InvitationValues) {
  return {
    ...(full_name.trim() === '' ? { full_name: 'Full name is required' } : {}),
    ...(confirm === password ? {} : { confirm: 'Passwords do not match' }),
    ...(terms ? {} : { terms: 'Please accept the terms and conditions' }),
  }
}

export const registerForm = (role: RegisterValues['role']) => ({
  initialValues: emptyValues(role),
  toBody: ({ username, email, full_name, password }: RegisterValues): BodyOf<typeof registerStudent> => ({
    username,
    email,
    full_name,
    password,
  }),
  check: (values: RegisterValues) => ({
    ...accountErrors(values),
    ...(values.role === 'instructor' && values.institution.trim() === ''
      ? { institution: 'Institution is required for instructors' }
      : {}),
  }),
  fieldErrors: accountFieldErrors,
})

export const invitationForm = (token: string, username: string, full_name: string) => ({
  initialValues: { full_name, username, password: '', confirm: '', terms: false } as InvitationValues,
  toBody: ({ username, full_name, password }: InvitationValues): BodyOf<typeof acceptInvitation> => ({
    token,
    username,
    full_name,
    password,
  }),
  check: accountErrors,
  fieldErrors: accountFieldErrors,
})

/** A conflict names its field only in its message. */
export function accountFieldErrors({ status, fields, message }: Pick<ApiError, 'status' | 'fields' | 'message'>) {
  if (status !== 409 || Object.keys(fields).length > 0) return fields
  if (/e-?mail/i.test(message)) return { email: message }
  return /user ?name/i.test(message) ? { username: message } : fields
}
