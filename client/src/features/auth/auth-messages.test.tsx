import {
  getCsrfToken,
  getDemo,
  getMailedLink,
  registerInstructor,
  registerStudent,
  resetPassword,
  signIn,
} from '@assay/shared/auth.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { emptyErrorReply, errorReply, mockApi, mockEndpoint, ok, student, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

mockApi()

beforeEach(() => {
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getPublicSettings, () => errorReply('service_unavailable'))
})

const hrefOf = (name: string | RegExp) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const type = (label: RegExp, text: string) => userEvent.type(screen.getByLabelText(label), text)

describe('the sign-in page', () => {
  it('has its fields, shows and hides the password, and leads on', async () => {
    renderApp('/auth/login')
    await screen.findByLabelText('Username or email')
    const password = screen.getByLabelText('Password')
    expect(password.getAttribute('type')).toBe('password')
    await press('Show password')
    expect(password.getAttribute('type')).toBe('text')
    await press('Hide password')
    expect(password.getAttribute('type')).toBe('password')
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
    expect(screen.queryByText(/Check your email/)).toBeNull()
    expect(hrefOf('Forgot password?')).toEqual(['/auth/forgot-password'])
    expect(hrefOf('Join as instructor')).toEqual(['/auth/register?role=instructor'])
    expect(hrefOf('Join as student')).toEqual(['/auth/register?role=student'])
    expect(hrefOf(/^Terms/)).toContain('/terms')
    expect(hrefOf(/^Privacy/)).toContain('/privacy')
  })

  it('says that no token came', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    mockEndpoint(signIn, () => Response.json({ token_type: 'bearer' }))
    renderApp('/auth/login')
    await userEvent.type(await screen.findByLabelText('Username or email'), 'mkeller')
    await type(/^Password( \*)?$/, 'right')
    await press('Sign in')
    await screen.findAllByText('Login failed: No token received')
    expect(tokenStore.get()).toBeNull()
  })
})

describe('the registration', () => {
  it('begins as the address says, as an instructor where it says nothing', async () => {
    const app = renderApp('/auth/register')
    await screen.findByRole('heading', { name: 'Create an account' })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Instructor' }).checked).toBe(true)
    for (const label of [
      /Full Name/,
      /Email Address/,
      /Username/,
      /Institution/,
      /^Password( \*)?$/,
      /Confirm Password/,
    ])
      expect(screen.getByLabelText(label)).toBeTruthy()
    await type(/^Password( \*)?$/, 'Vellum-kite 42 orbit')
    expect(screen.getByRole('meter')).toBeTruthy()
    app.unmount()
    renderApp('/auth/register?role=student')
    await screen.findByRole('heading', { name: 'Create an account' })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Student' }).checked).toBe(true)
    expect(screen.queryByLabelText(/Institution/)).toBeNull()
  })

  it('says what is wrong at each field', async () => {
    renderApp('/auth/register')
    const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create account' })
    expect(create.disabled).toBe(true)
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(create)
    await screen.findByText('Please fix the errors below')
    for (const words of [
      'Full name is required',
      'Email is required',
      'Username is required',
      'Institution is required for instructors',
      'Password is required',
    ])
      expect(screen.getByText(words)).toBeTruthy()
    await type(/Username/, 'ab')
    await type(/Confirm Password/, 'other')
    await userEvent.click(create)
    expect(screen.getByText('Username must be at least 3 characters')).toBeTruthy()
    expect(screen.getByText('Passwords do not match')).toBeTruthy()
  })

  async function fillIn(role: 'instructor' | 'student') {
    const app = renderApp(`/auth/register?role=${role}`)
    await screen.findByRole('heading', { name: 'Create an account' })
    await type(/Full Name/, 'Ada Mutombo')
    await type(/Email Address/, 'ada@school.example')
    await type(/Username/, 'ada')
    if (role === 'instructor') await type(/Institution/, 'Lindenhof School')
    await type(/^Password( \*)?$/, 'Vellum-kite 42 orbit')
    await type(/Confirm Password/, 'Vellum-kite 42 orbit')
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Create account')
    return app
  }

  it.each([
    ['student', 'Student account created successfully! Please log in.'],
    ['instructor', 'Instructor account created successfully! Please log in.'],
  ] as const)('says that the account is made and leads to sign-in: %s', async (role, words) => {
    mockEndpoint(registerStudent, () => ok(registerStudent, student))
    mockEndpoint(registerInstructor, () => ok(registerInstructor, teacher))
    const { address } = await fillIn(role)
    await screen.findByText(words)
    await waitFor(() => expect(address()).toBe(`/auth/login?role=${role}`))
    expect((await screen.findByText(/Check your email to confirm your account/)).textContent).toBe(
      'Check your email to confirm your account. If your address has an account already, the email says how to sign in to it.',
    )
  })

  it('says that the registration failed, and keeps what was typed', async () => {
    mockEndpoint(registerStudent, emptyErrorReply)
    await fillIn('student')
    await screen.findByText('Registration failed. Please try again.')
    expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ada')
  })
})

it('says that the password could not be reset', async () => {
  mockEndpoint(getMailedLink, () => errorReply('service_unavailable'))
  mockEndpoint(resetPassword, emptyErrorReply)
  renderApp('/auth/reset-password?token=t-1&email=ada%40school.example')
  await screen.findByLabelText(/^New password/)
  await type(/^New password/, 'Slate-kite 19')
  await type(/Confirm new password/, 'Slate-kite 19')
  await press('Reset password')
  await screen.findAllByText('Failed to reset password. Please try again.')
})
