import { signIn } from '@assay/shared/auth.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { fillIn } from '../../testing/fill-in.ts'
import { mockEndpoint } from '../../testing/mock-api.ts'
import { renderApp, renderPage } from '../../testing/render.tsx'

const hrefOf = (name: string | RegExp) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

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

it('LoginPage: says that a reply held no token', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  mockEndpoint(signIn, () => Response.json({ token_type: 'bearer' }))
  renderPage('/auth/login')
  await fillIn(await screen.findByLabelText('Username or email'), 'mkeller')
  await fillIn(screen.getByLabelText(/^Password( \*)?$/), 'right')
  await press('Sign in')
  await screen.findAllByText('Login failed: No token received')
  expect(tokenStore.get()).toBeNull()
})
