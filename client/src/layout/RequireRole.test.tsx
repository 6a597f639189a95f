import { getCsrfToken, getDemo, getMe, signIn } from '@assay/shared/auth.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../lib/session/browser-store.ts'
import { errorReply, mockEndpoint, ok, student, teacher } from '../testing/mock-api.ts'
import { renderApp } from '../testing/render.tsx'

beforeEach(() => {
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
})

it('the guard sends the unknown to the sign-in page, with where they wanted to go', async () => {
  const app = renderApp('/courses/create?from=mail')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(app.address()).toBe('/auth/login?redirect=%2Fcourses%2Fcreate%3Ffrom%3Dmail')
})

it('the guard says it is finding out who is signed in, then opens the page', async () => {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => ok(getMe, teacher))
  renderApp('/courses')
  await screen.findByText('Loading authentication...')
  await screen.findByRole('heading', { name: 'My Courses' })
})

it('the guard sends a student from a teacher’s page to their own start, never showing it', async () => {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => ok(getMe, student))
  const app = renderApp('/courses/create')
  await waitFor(() => expect(app.address()).toBe('/student/dashboard'))
  expect(screen.queryByLabelText(/Course Name/)).toBeNull()
})

it('the guard forgets a token the server does not know', async () => {
  tokenStore.set('token-old')
  mockEndpoint(getMe, () => errorReply('auth_required'))
  const app = renderApp('/courses')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(app.address()).toBe('/auth/login?redirect=%2Fcourses')
  expect(tokenStore.get()).toBeNull()
  await screen.findByText('Your session has ended. Please sign in again.')
})

it('the guard speaks of no session to who never had one', async () => {
  renderApp('/courses')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(screen.queryByText(/session has ended/)).toBeNull()
})

it('the guard retains the token while the server cannot be reached, and continues when it can', async () => {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => errorReply('starting_up'))
  renderApp('/courses')
  const again = await screen.findByRole('button', { name: 'Try Again' })
  expect(tokenStore.get()).toBe('token-1')
  mockEndpoint(getMe, () => ok(getMe, teacher))
  await userEvent.click(again)
  await screen.findByRole('heading', { name: 'My Courses' })
})

describe('signing in', () => {
  async function fillIn(password: string) {
    await userEvent.type(await screen.findByLabelText('Username or email'), 'mkeller')
    await userEvent.type(screen.getByLabelText('Password'), password)
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  }

  beforeEach(() => {
    mockEndpoint(signIn, () => ok(signIn, { access_token: 'token-9', token_type: 'bearer' }))
    mockEndpoint(getMe, () => ok(getMe, teacher))
  })

  it('leads to where one wanted to go, leaving no way back to the sign-in page', async () => {
    const app = renderApp('/auth/login?redirect=%2Fcourses')
    await fillIn('right')
    expect(await screen.findByText('Welcome back!')).toBeTruthy()
    await screen.findByRole('heading', { name: 'My Courses' })
    expect(app.address()).toBe('/courses')
    expect(app.router.state.historyAction).toBe('REPLACE')
  })

  it('goes on 100 ms after the greeting', async () => {
    const app = renderApp('/auth/login')
    await screen.findByLabelText('Username or email')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const waits: unknown[] = []
    // Not a spy: restoring it would bring back the fake clock's function.
    globalThis.setTimeout = new Proxy(setTimeout, {
      apply(wait, self, input) {
        waits.push(input[1])
        return Reflect.apply(wait, self, input)
      },
    })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.type(screen.getByLabelText('Username or email'), 'mkeller')
    await user.type(screen.getByLabelText('Password'), 'right')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText('Welcome back!')
    expect(waits).toContain(100)
    await vi.advanceTimersByTimeAsync(100)
    await waitFor(() => expect(app.address()).toBe('/dashboard'))
  })

  it('does not follow a redirect to another site', async () => {
    const app = renderApp('/auth/login?redirect=%2F%2Fevil.example')
    await fillIn('right')
    await waitFor(() => expect(app.address()).toBe('/dashboard'))
  })

  it('shows at the form that the password is wrong, and stores no token', async () => {
    mockEndpoint(signIn, () => errorReply('invalid_credentials'))
    renderApp('/auth/login')
    await fillIn('wrong')
    const messages = await screen.findAllByText('Login failed. Please check your credentials.')
    expect(messages.length).toBeGreaterThan(0)
    expect(tokenStore.get()).toBeNull()
  })

  it('stores no token when the user cannot be loaded', async () => {
    mockEndpoint(getMe, () => errorReply('auth_insufficient_permissions'))
    renderApp('/auth/login')
    await fillIn('right')
    await screen.findAllByText('Login succeeded but failed to verify user.')
    expect(tokenStore.get()).toBeNull()
  })

  it('offers the demo only where there is one', async () => {
    mockEndpoint(getDemo, () => ok(getDemo, { accounts: [{ role: 'student', full_name: 'Ada Mutombo' }] }))
    renderApp('/auth/login')
    await screen.findByRole('button', { name: 'Try the demo as student' })
    expect(screen.queryByRole('button', { name: 'Try the demo as instructor' })).toBeNull()
  })
})
