import { newPasswordProblem } from '@assay/shared/rules/password.ts'

/** A password set anew, typed twice. */
export interface NewPasswordValues {
  password: string
  confirm: string
}

export const emptyNewPassword: NewPasswordValues = { password: '', confirm: '' }

/** What is wrong, by field. `what` is what the password's field is called. */
export function newPasswordProblems(
  { password, confirm }: NewPasswordValues,
  what = 'Password',
): Partial<Record<keyof NewPasswordValues, string>> {
  const problem = newPasswordProblem(password, what)
  return {
    ...(problem ? { password: problem } : {}),
    ...(confirm === password ? {} : { confirm: 'Passwords do not match' }),
  }
}
