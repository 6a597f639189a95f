import { getMe, signIn } from '@assay/shared/auth.ts'
import { getCourse, listCourses } from '@assay/shared/courses.ts'
import { openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StringStore } from './lib/session/browser-store.ts'
import { buildCourseDetail } from './testing/build-course.ts'
import { errorReply, mockEndpoint, ok, teacher } from './testing/mock-api.ts'
import { fillIn } from './testing/render.tsx'
import { buildLaunch, launchTokenReply } from './testing/render-launched.tsx'

/** Unmounted after a test: a document that goes on keeps sending requests. */
const drawn = vi.hoisted((): { unmount(): void }[] => [])
vi.mock('react-dom/client', async (original) => {
  const real = await original<typeof import('react-dom/client')>()
  return {
    ...real,
    createRoot: (...input: Parameters<typeof real.createRoot>) => {
      const root = real.createRoot(...input)
      drawn.push(root)
      return root
    },
  }
})

/** Starts the app again at an address, with state of its own. */
async function openDocument(
  address: string,
): Promise<{ tokenStore: StringStore; sessionEndedStore: StringStore; root: HTMLElement }> {
  history.replaceState(null, '', address)
  for (const root of document.querySelectorAll('#root')) root.removeAttribute('id')
  const root = document.createElement('div')
  root.id = 'root'
  document.body.append(root)
  vi.resetModules()
  const { tokenStore, sessionEndedStore } = await import('./lib/session/browser-store.ts')
  await import('./main.tsx')
  return { tokenStore, sessionEndedStore, root }
}

/** In another site's frame even reading storage throws. */
function refuseStorage() {
  const own = (['localStorage', 'sessionStorage'] as const).map((name) => {
    const before = Object.getOwnPropertyDescriptor(window, name)
    Object.defineProperty(window, name, {
      configurable: true,
      get() {
        throw new DOMException(`Access to ${name} is denied for this document.`, 'SecurityError')
      },
    })
    return () => before && Object.defineProperty(window, name, before)
  })
  restore = () => {
    for (const back of own) back()
    restore = () => {}
  }
}
let restore = () => {}

const mode = () => document.documentElement.dataset.mode
const uncaught = vi.fn()

beforeEach(() => {
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch())))
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(buildLaunch())))
  window.addEventListener('error', uncaught)
  window.addEventListener('unhandledrejection', uncaught)
})
afterEach(() => {
  restore()
  window.removeEventListener('error', uncaught)
  window.removeEventListener('unhandledrejection', uncaught)
  act(() => {
    for (const root of drawn.splice(0)) root.unmount()
  })
  document.body.replaceChildren()
  expect(uncaught).not.toHaveBeenCalled()
  history.replaceState(null, '', '/')
})

it('where the browser refuses storage signs in on its own, for as long as the page lives', async () => {
  refuseStorage()
  expect(() => localStorage).toThrow('denied')
  mockEndpoint(signIn, () => ok(signIn, { access_token: 'token-1', token_type: 'bearer' }))
  const { tokenStore } = await openDocument('/auth/login?redirect=%2Fcourses&display=embedded')
  await fillIn(await screen.findByLabelText('Username or email'), 'mkeller')
  await fillIn(screen.getByLabelText('Password'), 'right')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'My Courses' })
  await screen.findByRole('button', { name: /Account of/ })
  expect(tokenStore.get()).toBe('token-1')
  expect(mode()).toBe('lti-embedded')
})

it('where the browser refuses storage opens a launch, chooses a look, and goes from page to page', async () => {
  refuseStorage()
  const { tokenStore } = await openDocument('/l/launch-0001/enter#one-time')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  expect(tokenStore.get()).toBe('token-of-launch')
  expect(mode()).toBe('lti-embedded')
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByText('Display settings'))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Large text' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }))
  expect(document.documentElement.dataset.flags).toContain('largeText')
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new StorageEvent('storage', { key: 'assay.token', newValue: 'x' }))
  expect(tokenStore.get()).toBe('token-of-launch')
})

describe('several documents of one browser', () => {
  it('are two people in two launches, and a third on their own, and none disturbs another', async () => {
    const person = (name: string) => {
      const user = { ...teacher, username: name }
      const opened = { ...launchTokenReply(buildLaunch()), user, access_token: `token-${name}` }
      mockEndpoint(openLaunch, () => ok(openLaunch, opened))
      mockEndpoint(getMe, () => ok(getMe, user))
      const courses = mockEndpoint(listCourses, () => ok(listCourses, []))
      const course = mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
      return { tokens: () => [...courses, ...course].map(({ headers }) => headers.get('Authorization')) }
    }
    localStorage.setItem('assay.token', 'token-own')
    const asOwn = person('own')
    const own = await openDocument('/courses')
    // Waits for everything: what loads later would show up in the next document.
    await waitFor(() => expect(own.root.textContent).toMatch(/Account ofown.*My Courses/))

    const asAda = person('ada')
    const ada = await openDocument('/l/launch-0001/enter#for-ada')
    await waitFor(() => expect(ada.root.textContent).toContain('Biology 8b'))
    const asBen = person('ben')
    const ben = await openDocument('/l/launch-0002/enter#for-ben')
    await waitFor(() => expect(ben.root.textContent).toContain('Biology 8b'))

    const bearers = [asOwn, asAda, asBen].map(({ tokens }) => [...new Set(tokens())])
    expect(bearers).toEqual([['Bearer token-own'], ['Bearer token-ada'], ['Bearer token-ben']])
    expect(localStorage.getItem('assay.token')).toBe('token-own')

    // A 401 ends one session; the others go on.
    mockEndpoint(resumeLaunch, () => errorReply('auth_required'))
    ada.sessionEndedStore.set('yes')
    ada.tokenStore.set(null)
    await waitFor(() => expect(ada.root.textContent).toContain('Open this again from Lindenhof Canvas'))
    expect(ben.root.textContent).toContain('Biology 8b')
    expect([own.tokenStore.get(), ben.tokenStore.get()]).toEqual(['token-own', 'token-ben'])
    expect([own.sessionEndedStore.get(), ben.sessionEndedStore.get()]).toEqual([null, null])
    expect(sessionStorage.getItem('assay.ended')).toBeNull()
    own.tokenStore.set(null)
    expect([localStorage.getItem('assay.token'), ben.tokenStore.get()]).toEqual([null, 'token-ben'])
  })
})
