import { acceptInvitation, registerStudent } from '@assay/shared/auth.ts'

export interface RegisterValues {
  role: 'instructor' | 'student'
  full_name: string
  email: string
  username: string
  institution: string
  password: string
  confirm: string
  terms: boolean
}

export const emptyRegisterValues: Omit<RegisterValues, 'role'> = {
  full_name: '',
  email: '',
  username: '',
  institution: '',
  password: '',
  confirm: '',
  terms: false,
}

/** What is wrong, by field: the contract's rules, and those that concern the form alone. */
export function registerProblems(values: RegisterValues): Partial<Record<keyof RegisterValues, string>> {
  const problems: Partial<Record<keyof RegisterValues, string>> = {}
  const account = registerStudent.body?.safeParse(values)
  for (const issue of account?.error?.issues ?? []) {
    const field = issue.path[0]
    if (field === 'full_name' || field === 'email' || field === 'username' || field === 'password') {
      problems[field] ??= issue.message
    }
  }
  if (values.full_name.trim() === '') problems.full_name = 'Full name is required'
  if (values.role === 'instructor' && values.institution.trim() === '') {
    problems.institution = 'Institution is required for instructors'
  }
  if (values.confirm !== values.password) problems.confirm = 'Passwords do not match'
  if (!values.terms) problems.terms = 'Please accept the terms and conditions'
  return problems
}

export type InvitationValues = Pick<RegisterValues, 'full_name' | 'username' | 'password' | 'confirm' | 'terms'>

/** The same for an account that a teacher has made: only the address is settled. */
export function invitationProblems(
  values: InvitationValues,
  token: string,
): Partial<Record<keyof InvitationValues, string>> {
  const problems: Partial<Record<keyof InvitationValues, string>> = {}
  const claim = acceptInvitation.body?.safeParse({ ...values, token })
  for (const issue of claim?.error?.issues ?? []) {
    const field = issue.path[0]
    if (field === 'full_name' || field === 'username' || field === 'password') problems[field] ??= issue.message
  }
  if (values.full_name.trim() === '') problems.full_name = 'Full name is required'
  if (values.confirm !== values.password) problems.confirm = 'Passwords do not match'
  if (!values.terms) problems.terms = 'Please accept the terms and conditions'
  return problems
}

const fieldNames = ['full_name', 'email', 'username', 'institution', 'password'] as const

/** Where the server's refusal belongs; what fits no field is told above the form. */
export function errorsByField(
  status: number,
  fields: Record<string, string>,
  message: string,
): Partial<Record<keyof RegisterValues, string>> {
  const found: Partial<Record<keyof RegisterValues, string>> = {}
  for (const name of fieldNames) if (fields[name]) found[name] = fields[name]
  if (status === 409 && Object.keys(found).length === 0) {
    if (/e-?mail/i.test(message)) found.email = message
    else if (/user ?name/i.test(message)) found.username = message
  }
  return found
}
