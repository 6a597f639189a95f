/** A new password, typed twice. */
export interface NewPasswordValues extends Record<string, unknown> {
  password: string
  confirm: string
}

export const emptyNewPassword = { password: '', confirm: '' }

/** What the contract does not say: `what` the password's field is called, and that both are the same. */
export function newPasswordErrors({ password, confirm }: NewPasswordValues, what = 'Password') {
  return {
    ...(password === '' ? { password: `${what} is required` } : {}),
    ...(confirm === password ? {} : { confirm: 'Passwords do not match' }),
  }
}
