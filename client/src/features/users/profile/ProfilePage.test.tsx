import { changePassword, resendConfirmation } from '@assay/shared/auth.ts'
import { getStudentProfile, updateStudentProfile } from '@assay/shared/profile.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  emptyErrorReply,
  errorReply,
  mockEndpoint,
  ok,
  signInAs,
  student,
  studentProfile,
} from '../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs(student)
  mockEndpoint(getStudentProfile, () => ok(getStudentProfile, studentProfile))
})

async function open() {
  const app = renderPage('/student/profile')
  await screen.findByRole('heading', { name: 'Basic Information' })
  return app
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
async function retype(label: RegExp, text: string) {
  await userEvent.clear(screen.getByLabelText(label))
  if (text) await fillIn(screen.getByLabelText(label), text)
}

it('basic information says what is not saved, saves it, and says so', async () => {
  await open()
  expect(screen.queryByText('You have unsaved changes')).toBeNull()
  await retype(/Full Name/, 'Ada M. Mutombo')
  await screen.findByText('You have unsaved changes')
  const changed = { ...studentProfile, full_name: 'Ada M. Mutombo' }
  const heard = mockEndpoint(updateStudentProfile, () => ok(updateStudentProfile, changed))
  await press('Save Changes')
  await screen.findByText('Profile updated successfully!')
  expect(heard).toHaveLength(1)
  await waitFor(() => expect(screen.queryByText('You have unsaved changes')).toBeNull())
})

it('basic information says so when nothing was changed, and asks the server nothing', async () => {
  const heard = mockEndpoint(updateStudentProfile, () => ok(updateStudentProfile, studentProfile))
  await open()
  await press('Save Changes')
  await screen.findByText('No changes to save')
  expect(heard).toHaveLength(0)
})

it.each([
  [/Username/, '', 'Username is required'],
  [/Username/, 'ab', 'Username must be at least 3 characters'],
  [/^Email( \*)?$/, '', 'Email is required'],
  [/^Email( \*)?$/, 'nobody', 'Please enter a valid email address'],
])('basic information refuses %s “%s” in the specification’s words', async (label, text, message) => {
  await open()
  await retype(label, text)
  await press('Save Changes')
  await screen.findByText(message)
  expect((await screen.findAllByText('Please fix the errors below')).length).toBeGreaterThan(0)
})

it('basic information puts what the server refuses at its field, and keeps what was typed', async () => {
  mockEndpoint(updateStudentProfile, () => errorReply('duplicate', { detail: 'This username is already taken.' }))
  await open()
  await retype(/Username/, 'ben')
  await press('Save Changes')
  await screen.findByText('This username is already taken.')
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ben')
  mockEndpoint(updateStudentProfile, emptyErrorReply)
  await press('Save Changes')
  await screen.findByText('Failed to update profile. Please try again.')
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ben')
})

it('basic information asks before what is not saved is left, and Cancel takes it back', async () => {
  const app = await open()
  await retype(/Full Name/, 'Somebody')
  void app.router.navigate('/student/dashboard')
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
  expect(app.address()).toBe('/student/profile')
  await press('Cancel')
  expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', 'Ada Mutombo')
})

it('basic information shows what was changed elsewhere meanwhile, but in a field that somebody types in', async () => {
  const elsewhere = { ...studentProfile, full_name: 'Ada M. Mutombo', username: 'ada-m' }
  mockEndpoint(updateStudentProfile, () => ok(updateStudentProfile, elsewhere))
  await open()
  await retype(/Username/, 'mine')
  await userEvent.click(screen.getByRole('switch', { name: /^Grade notifications/ }))
  await waitFor(() => expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', 'Ada M. Mutombo'))
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'mine')
  await press('Cancel')
  expect(screen.queryByText('You have unsaved changes')).toBeNull()
  expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ada-m')
})

it('basic information offers the link again while the address is not confirmed', async () => {
  mockEndpoint(getStudentProfile, () => ok(getStudentProfile, { ...studentProfile, email_verified: false }))
  mockEndpoint(resendConfirmation, () => ok(resendConfirmation, { message: 'It is on its way.' }))
  await open()
  await press('Resend the link')
  await screen.findByText(/It is on its way\./)
})

it('the password is changed, and the form empty afterwards', async () => {
  mockEndpoint(changePassword, () => ok(changePassword, { message: 'Your password has been changed.' }))
  await open()
  await fillIn(screen.getByLabelText(/Current password/), 'Old-one-1')
  await fillIn(screen.getByLabelText(/^New password/), 'Slate-kite 19')
  await fillIn(screen.getByLabelText(/Confirm new password/), 'Slate-kite 19')
  await press('Change Password')
  await screen.findByText('Your password has been changed.')
  expect(screen.getByLabelText(/Current password/)).toHaveProperty('value', '')
})

it('the password says at the field that the current one is wrong', async () => {
  const wrong = { field: 'current_password', message: 'Current password is incorrect', constraint: 'password' }
  mockEndpoint(changePassword, () => errorReply('validation_failed', { validation_errors: [wrong] }))
  await open()
  await press('Change Password')
  await screen.findByText('Current password is required')
  await screen.findByText('New password is required')
  await fillIn(screen.getByLabelText(/Current password/), 'Old-one-1')
  await fillIn(screen.getByLabelText(/^New password/), 'Slate-kite 19')
  await fillIn(screen.getByLabelText(/Confirm new password/), 'Slate-kite 19')
  await press('Change Password')
  await screen.findByText('Current password is incorrect')
})

it('notification preferences are stored as they are made, and go back when they could not be', async () => {
  await open()
  mockEndpoint(updateStudentProfile, () => errorReply('service_unavailable'))
  const grades = () => screen.getByRole('switch', { name: /^Grade notifications/ })
  await userEvent.click(grades())
  await screen.findByText(/A server error occurred/)
  expect(grades()).toHaveProperty('checked', true)
  const off = { ...studentProfile, notifications: { ...studentProfile.notifications, gradeNotifications: false } }
  mockEndpoint(updateStudentProfile, () => ok(updateStudentProfile, off))
  await userEvent.click(grades())
  await waitFor(() => expect(grades()).toHaveProperty('checked', false))
})

describe('an account that an LMS made', () => {
  const fromLms = { ...studentProfile, from_lms: true, has_password: false, email_verified: false }

  it('has nothing to change: neither name, nor password, nor mails it is never sent', async () => {
    mockEndpoint(getStudentProfile, () => ok(getStudentProfile, fromLms))
    await open()
    const card = screen.getByRole('region', { name: 'Basic Information' })
    expect(card.textContent).toMatch(/Ada Mutombo.*m\.keller@school\.example.*created by your LMS/s)
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('heading', { name: /Password/ })).toBeNull()
    expect(screen.queryByText(/Confirm your email address/)).toBeNull()
    expect(screen.getByRole('region', { name: 'Account Security' }).textContent).not.toContain('Not confirmed')
    expect(screen.queryByRole('switch')).toBeNull()
  })
})

it('says that the profile could not be loaded', async () => {
  mockEndpoint(getStudentProfile, emptyErrorReply)
  renderPage('/student/profile')
  await screen.findByText('Failed to load profile data.')
})

it('shows the account: since when, and its ID', async () => {
  await open()
  const card = screen.getByRole('region', { name: 'Account Security' })
  expect(card.textContent).toMatch(/Active.*Confirmed.*Member Since.*Never.*User ID2/s)
})
