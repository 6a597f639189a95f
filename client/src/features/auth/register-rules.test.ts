import { registerStudent } from '@assay/shared/auth.ts'
import { describe, expect, it } from 'vitest'
import { formErrors } from '../../lib/forms/useContractForm.ts'
import { accountFieldErrors, type RegisterValues, registerForm } from './register-rules.ts'

const good: RegisterValues = {
  role: 'instructor',
  full_name: 'Martin Keller',
  email: 'm.keller@school.example',
  username: 'mkeller',
  institution: 'Lindenhof School',
  password: 'Vellum-kite 42 orbit',
  confirm: 'Vellum-kite 42 orbit',
  terms: true,
}
const problemsOf = (changes: Partial<RegisterValues>) =>
  formErrors(registerStudent, registerForm('instructor'), { ...good, ...changes })

describe('registering', () => {
  it('has nothing against a proper account', () => {
    expect(problemsOf({})).toEqual({})
  })

  it.each<[Partial<RegisterValues>, Partial<Record<keyof RegisterValues, string>>]>([
    [{ full_name: ' ' }, { full_name: 'Full name is required' }],
    [{ username: '' }, { username: 'Username is required' }],
    [{ username: 'ab' }, { username: 'Username must be at least 3 characters' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{ email: 'nobody' }, { email: 'Please enter a valid email address' }],
    [{ institution: '' }, { institution: 'Institution is required for instructors' }],
    [{ role: 'student', institution: '' }, {}],
    [{ password: '', confirm: '' }, { password: 'Password is required' }],
    [{ password: 'Short-1', confirm: 'Short-1' }, { password: 'Password must be at least 12 characters' }],
    [{ confirm: 'other' }, { confirm: 'Passwords do not match' }],
    [{ terms: false }, { terms: 'Please accept the terms and conditions' }],
  ])('%j', (changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems)
  })

  it('puts what the server refuses at its field', () => {
    expect(accountFieldErrors({ status: 422, fields: { email: 'Email address too long' }, message: '' })).toEqual({
      email: 'Email address too long',
    })
    expect(accountFieldErrors({ status: 409, fields: {}, message: 'This email address is taken.' })).toEqual({
      email: 'This email address is taken.',
    })
    expect(accountFieldErrors({ status: 409, fields: {}, message: 'This username is taken.' })).toEqual({
      username: 'This username is taken.',
    })
    expect(accountFieldErrors({ status: 500, fields: {}, message: 'A server error occurred' })).toEqual({})
  })
})
