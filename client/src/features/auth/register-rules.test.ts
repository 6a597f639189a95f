import { expect, it } from 'vitest'
import { accountFieldErrors } from './register-rules.ts'

it.each([
  [{ status: 422, fields: { email: 'Email address too long' }, message: '' }, { email: 'Email address too long' }],
  [{ status: 409, fields: {}, message: 'This email address is taken.' }, { email: 'This email address is taken.' }],
  [{ status: 409, fields: {}, message: 'This username is taken.' }, { username: 'This username is taken.' }],
  [{ status: 500, fields: {}, message: 'A server error occurred' }, {}],
])('puts what the server refuses at its field: %j', (refused, errors) => {
  expect(accountFieldErrors(refused)).toEqual(errors)
})
