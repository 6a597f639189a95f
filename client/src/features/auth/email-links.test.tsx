import {
  acceptInvitation,
  confirmEmail,
  forgotPassword,
  getMailedLink,
  getMe,
  resetPassword,
} from '@assay/shared/auth.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, student } from '../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../testing/render.tsx'

const message = { message: 'Done.' }

beforeEach(() => void mockEndpoint(getStudentDashboard, () => errorReply('resource_not_found')))

function linkFor(purpose: 'reset' | 'confirm' | 'invitation') {
  mockEndpoint(getMailedLink, {
    purpose,
    username: 'ada',
    email: 'ada@school.example',
    full_name: null,
    registered_at: '2026-01-01T00:00:00Z',
  })
}

const type = (label: RegExp, text: string) => fillIn(screen.getByLabelText(label), text)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a forgotten password', () => {
  it('is asked for from the sign-in page, by an address that looks like one', async () => {
    const heard = mockEndpoint(forgotPassword, () => ok(forgotPassword, message))
    const app = renderPage('/auth/login')
    await userEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }))
    await screen.findByRole('heading', { name: 'Forgot your password?' })
    expect(app.address()).toBe('/auth/forgot-password')
    await press('Send reset link')
    await screen.findByText('Email is required')
    await type(/Email Address/, 'nobody')
    await press('Send reset link')
    await screen.findByText('Please enter a valid email address')
    expect(heard).toHaveLength(0)
    await type(/Email Address/, '@school.example ')
    await press('Send reset link')
    await screen.findByRole('heading', { name: 'Check your email' })
    await screen.findByText('Password reset email sent!')
    await press('Try again with different email')
    expect(screen.getByLabelText(/Email Address/)).toHaveProperty('value', 'nobody@school.example')
  })

  it('says what went wrong and keeps the address', async () => {
    mockEndpoint(forgotPassword, () => errorReply('unexpected_error'))
    renderPage('/auth/forgot-password')
    await screen.findByLabelText(/Email Address/)
    await type(/Email Address/, 'ada@school.example')
    await press('Send reset link')
    await screen.findAllByText('Failed to send reset email. Please try again.')
    expect(screen.getByLabelText(/Email Address/)).toHaveProperty('value', 'ada@school.example')
  })

  it('is reset by the link, under the rules, and leads to the sign-in page after three seconds', async () => {
    linkFor('reset')
    const heard = mockEndpoint(resetPassword, () => ok(resetPassword, message))
    const app = renderPage('/auth/reset-password?token=t-1&email=ada%40school.example')
    await screen.findByLabelText(/^New password/)
    await press('Reset password')
    await screen.findByText('Password is required')
    await type(/^New password/, 'alllowercase')
    await type(/Confirm new password/, 'other')
    await press('Reset password')
    await screen.findByText('Password is too weak. Please use a stronger password.')
    await screen.findByText('Passwords do not match')
    await userEvent.clear(screen.getByLabelText(/^New password/))
    await userEvent.clear(screen.getByLabelText(/Confirm new password/))
    await type(/^New password/, 'Slate-kite 19')
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('Strong')
    await type(/Confirm new password/, 'Slate-kite 19')
    await screen.findByText('Passwords match')
    expect(heard).toHaveLength(0)
    mockEndpoint(resetPassword, emptyErrorReply)
    await press('Reset password')
    await screen.findAllByText('Failed to reset password. Please try again.')
    mockEndpoint(resetPassword, () => ok(resetPassword, message))
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await press('Reset password')
    await screen.findByRole('heading', { name: 'Password reset successfully!' })
    expect(app.address()).toContain('/auth/reset-password')
    await vi.advanceTimersByTimeAsync(3000)
    await waitFor(() => expect(app.address()).toBe('/auth/login'))
  })

  it.each(['', '?token=old'])('says that the link is invalid: %j', async (query) => {
    mockEndpoint(getMailedLink, () => errorReply('link_invalid'))
    renderPage(`/auth/reset-password${query}`)
    await screen.findByText('Invalid reset link. Please request a new password reset.')
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to login' })).toBeTruthy()
  })
})

describe('confirming an address', () => {
  it('takes one press from who is signed in to the account', async () => {
    tokenStore.set('token-1')
    linkFor('confirm')
    mockEndpoint(getMe, () => ok(getMe, student))
    const heard = mockEndpoint(confirmEmail, () => ok(confirmEmail, student))
    renderPage('/auth/confirm-email?token=t-1')
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, confirm it' }))
    await screen.findByRole('heading', { name: 'Your address is confirmed' })
    expect(heard).toHaveLength(1)
  })

  it('shows anybody else which account it is, and offers to sign in or to take it over by a new password', async () => {
    linkFor('confirm')
    const confirmed = mockEndpoint(confirmEmail, () => ok(confirmEmail, student))
    const asked = mockEndpoint(forgotPassword, () => ok(forgotPassword, message))
    renderPage('/auth/confirm-email?token=t-1')
    const signIn = await screen.findByRole('link', { name: 'This is my account: sign in to confirm' })
    expect(signIn.getAttribute('href')).toBe('/auth/login?redirect=%2Fauth%2Fconfirm-email%3Ftoken%3Dt-1')
    await press('Email me a password reset link')
    await screen.findByText('Check your email.')
    expect([asked.length, confirmed.length]).toEqual([1, 0])
  })

  it('does not confirm for another account that is signed in here', async () => {
    tokenStore.set('token-1')
    linkFor('confirm')
    mockEndpoint(getMe, () => ok(getMe, { ...student, id: 7, username: 'ben' }))
    renderPage('/auth/confirm-email?token=t-1')
    await screen.findByRole('button', { name: 'Sign out of ben' })
    expect(screen.queryByRole('button', { name: 'Yes, confirm it' })).toBeNull()
  })
})

async function claim() {
  await screen.findByLabelText(/Full Name/)
  await type(/Full Name/, 'Ada Mutombo')
  await type(/^Password( \*)?$/, 'Vellum-kite 42 orbit')
  await type(/Confirm Password/, 'Vellum-kite 42 orbit')
  await userEvent.click(screen.getByRole('checkbox'))
  await press('Claim account')
}

it('an invitation is claimed with a password, and leads straight in', async () => {
  linkFor('invitation')
  mockEndpoint(acceptInvitation, () => ok(acceptInvitation, { access_token: 'token-2', token_type: 'bearer' }))
  mockEndpoint(getMe, () => ok(getMe, student))
  const app = renderPage('/auth/accept-invitation?token=t-1')
  await screen.findByLabelText(/Username/)
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ada')
  await claim()
  await screen.findByText('Welcome to Assay!')
  await waitFor(() => expect(app.address()).toBe('/student/dashboard'))
  expect(tokenStore.get()).toBe('token-2')
})

it('an invitation says at the field that the name is taken, and keeps what was typed', async () => {
  linkFor('invitation')
  mockEndpoint(acceptInvitation, () => errorReply('duplicate', { detail: 'This username is already taken.' }))
  renderPage('/auth/accept-invitation?token=t-1')
  await claim()
  await screen.findByText('This username is already taken.')
  expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', 'Ada Mutombo')
})
