import { registerInstructor, registerStudent, signIn } from '@assay/shared/auth.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, student, teacher } from '../../testing/mock-api.ts'
import { fillIn, renderApp, renderPage } from '../../testing/render.tsx'

const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const fill = (label: RegExp, text: string) => fillIn(screen.getByLabelText(label), text)
const PASSWORD = /^Password( \*)?$/
const opened = () => screen.findByRole('heading', { name: 'Create an account' })

async function register(role: 'instructor' | 'student') {
  await opened()
  await fill(/Full Name/, 'Ada Mutombo')
  await fill(/Email Address/, 'ada@school.example')
  await fill(/Username/, 'ada')
  if (role === 'instructor') await fill(/Institution/, 'Lindenhof School')
  await fill(PASSWORD, 'Vellum-kite 42 orbit')
  await fill(/Confirm Password/, 'Vellum-kite 42 orbit')
  await userEvent.click(screen.getByRole('checkbox'))
  await press('Create account')
}

describe('RegisterPage', () => {
  it('begins with the role that the address names, with the instructor where it names none', async () => {
    const app = renderPage('/auth/register')
    await opened()
    expect(radio('Instructor').checked).toBe(true)
    for (const label of [/Full Name/, /Email Address/, /Username/, /Institution/, PASSWORD, /Confirm Password/])
      expect(screen.getByLabelText(label)).toBeTruthy()
    const links = screen.getAllByRole('link', { name: /(terms|privacy).*\(opens in a new tab\)/i })
    expect(links.map((link) => link.getAttribute('target'))).toEqual(Array(4).fill('_blank'))
    await fill(PASSWORD, 'Vellum-kite 42 orbit')
    expect(screen.getByRole('meter')).toBeTruthy()
    app.unmount()
    renderPage('/auth/register?role=student')
    await opened()
    expect(radio('Student').checked).toBe(true)
    expect(screen.queryByLabelText(/Institution/)).toBeNull()
  })

  it('says what is wrong at each field', async () => {
    renderPage('/auth/register')
    const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create account' })
    expect(create.disabled).toBe(true)
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(create)
    await screen.findByText('Please fix the errors below')
    const required = ['Full name', 'Email', 'Username', 'Password'].map((field) => `${field} is required`)
    for (const words of [...required, 'Institution is required for instructors'])
      expect(screen.getByText(words)).toBeTruthy()
    await fill(/Username/, 'ab')
    await fill(/Confirm Password/, 'other')
    await userEvent.click(create)
    expect(screen.getByText('Username must be at least 3 characters')).toBeTruthy()
    expect(screen.getByText('Passwords do not match')).toBeTruthy()
  })

  it.each([
    ['student', 'Student account created successfully! Please log in.', '/auth/login?role=student'],
    ['instructor', 'Instructor account created successfully! Please log in.', '/auth/login?role=instructor'],
  ] as const)('says that the account of a new %s is made, and leads to sign-in', async (role, words, to) => {
    mockEndpoint(registerStudent, () => ok(registerStudent, student))
    mockEndpoint(registerInstructor, () => ok(registerInstructor, teacher))
    const { address } = renderPage(`/auth/register?role=${role}`)
    await register(role)
    await screen.findByText(words)
    await waitFor(() => expect(address()).toBe(to))
    expect((await screen.findByText(/Check your email to confirm your account/)).textContent).toBe(
      'Check your email to confirm your account. If your address has an account already, or a teacher has added you to a course, the email says how to sign in.',
    )
  })

  it('says that the registration failed, keeps what was typed, and then returns to the page that sign-in was for', async () => {
    const app = renderPage('/auth/login?redirect=%2Fstudent%2Fcourses%2F7')
    await userEvent.click(await screen.findByRole('link', { name: 'as a student' }))
    await waitFor(() => expect(app.address()).toBe('/auth/register?role=student&redirect=%2Fstudent%2Fcourses%2F7'))
    mockEndpoint(registerStudent, emptyErrorReply)
    await register('student')
    await screen.findByText('Registration failed. Please try again.')
    expect(screen.getByLabelText(/Username/)).toHaveProperty('value', 'ada')
    mockEndpoint(registerStudent, () => ok(registerStudent, student))
    await press('Create account')
    await waitFor(() => expect(app.address()).toBe('/auth/login?role=student&redirect=%2Fstudent%2Fcourses%2F7'))
  })

  it('does not carry a foreign address along', async () => {
    renderPage('/auth/login?redirect=%2F.%2F%2Fevil.example')
    const link = await screen.findByRole('link', { name: 'as a student' })
    expect(link.getAttribute('href')).toBe('/auth/register?role=student')
  })

  it('shows what is wrong with a field that was left by a click only after the click', async () => {
    renderPage('/auth/register')
    const name = await screen.findByLabelText(/Full Name/)
    name.focus()
    const button = screen.getByRole('button', { name: 'Create account' })
    fireEvent.mouseDown(button)
    fireEvent.blur(name)
    expect(screen.queryByText('Full name is required')).toBeNull()
    fireEvent.mouseUp(button)
    await screen.findByText('Full name is required')
  })

  it('shows it at once when the field was left by keyboard', async () => {
    renderPage('/auth/register')
    const name = await screen.findByLabelText(/Full Name/)
    name.focus()
    fireEvent.blur(name)
    await screen.findByText('Full name is required')
  })
})

async function signInWith(password: string) {
  await fillIn(await screen.findByLabelText('Username or email'), 'mkeller')
  await fillIn(screen.getByLabelText(PASSWORD), password)
  await press('Sign in')
}

const hrefOf = (name: string | RegExp) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))

it('LoginPage: has its fields, shows and hides the password, and leads on', async () => {
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
  expect(hrefOf('as an instructor')).toEqual(['/auth/register?role=instructor'])
  expect(hrefOf('as a student')).toEqual(['/auth/register?role=student'])
  expect(hrefOf(/^Terms/)).toContain('/terms')
  expect(hrefOf(/^Privacy/)).toContain('/privacy')
})

it('LoginPage: says what to do first where a teacher has added somebody, and says so to everybody', async () => {
  mockEndpoint(signIn, () => errorReply('invalid_credentials'))
  renderPage('/auth/register?role=student')
  expect(await screen.findByText(/^Added to a course by a teacher\?/)).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Sign in' }))
  await signInWith('wrong')
  await screen.findAllByText('Login failed. Please check your credentials.')
  expect(screen.getByText(/Open the link in your invitation email/)).toBeTruthy()
})

it('LoginPage: says that a reply held no token', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  mockEndpoint(signIn, () => Response.json({ token_type: 'bearer' }))
  renderPage('/auth/login')
  await signInWith('right')
  await screen.findAllByText('Login failed: No token received')
  expect(tokenStore.get()).toBeNull()
})
