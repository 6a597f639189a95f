import { getMe, signOut } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { csrfStore, sessionEndedStore, tokenStore } from '../../lib/session/browser-store.ts'
import { buildCourseDetail } from '../../testing/build-course.ts'
import { errorReply, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { buildLaunch, LAUNCH_ID, launchTokenReply, renderLaunched } from '../../testing/render-launched.tsx'

const here = () => location.pathname + location.search + location.hash

const endSession = () =>
  act(() => {
    sessionEndedStore.set('yes')
    tokenStore.set(null)
  })

beforeEach(() => {
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch())))
  mockEndpoint(resumeLaunch, () => errorReply('auth_required'))
})

describe('the way in', () => {
  it('trades the code once, strict mode or not, and goes to the launch’s page', async () => {
    const asked = mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch())))
    const before = history.length
    renderLaunched('/enter#one-time')
    expect(here()).toBe(`/l/${LAUNCH_ID}/enter`)
    await screen.findByRole('heading', { name: 'Biology 8b' })
    expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`)
    expect(history.length).toBe(before)
    expect(asked).toHaveLength(1)
    expect(await asked[0]?.json()).toEqual({ code: 'one-time' })
    expect(asked[0]?.url.pathname).toBe(`/api/v1/auth/lti/session/${LAUNCH_ID}`)
    expect(asked[0]?.headers.get('Authorization')).toBeNull()
  })

  it('asks for the same session again after a reload, and stays where it was', async () => {
    const asked = mockEndpoint(resumeLaunch, launchTokenReply(buildLaunch({ path: '/assignments/5/submissions' })))
    const traded = mockEndpoint(openLaunch, () => errorReply('link_invalid'))
    renderLaunched('/courses/7?tab=people')
    await screen.findByRole('heading', { name: 'Biology 8b' })
    expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7?tab=people`)
    expect(asked[0]?.url.pathname).toBe(`/api/v1/auth/lti/resume/${LAUNCH_ID}`)
    expect(traded).toHaveLength(0)
  })

  it('goes to the launch’s page when it is reloaded on the way in', async () => {
    mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(buildLaunch())))
    renderLaunched('/enter')
    await screen.findByRole('heading', { name: 'Biology 8b' })
    expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`)
  })

  it('goes on with a code that was spent by the same page loaded twice', async () => {
    mockEndpoint(openLaunch, () => errorReply('link_invalid'))
    mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(buildLaunch())))
    renderLaunched('/enter#one-time')
    await screen.findByRole('heading', { name: 'Biology 8b' })
  })

  it('sends the secret in the LMS’s storage where the browser stores no cookie', async () => {
    const keeper = {
      postMessage({ subject, message_id }: { subject: string; message_id: string }) {
        const data = { subject: `${subject}.response`, message_id, value: 'secret-1' }
        const event = new MessageEvent('message', { data, origin: 'https://lms.example' })
        Object.defineProperty(event, 'source', { value: keeper })
        window.dispatchEvent(event)
      },
    }
    vi.stubGlobal('parent', { store: keeper, postMessage: () => {} })
    const asked = mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch())))
    renderLaunched('/enter?frame=store&origin=https%3A%2F%2Flms.example&key=assay_1#one-time')
    await screen.findByRole('heading', { name: 'Biology 8b' })
    expect(await asked[0]?.json()).toEqual({ code: 'one-time', storage_secret: 'secret-1' })
    expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`)
  })

  it('goes where a window was opened for, on no other site', async () => {
    renderLaunched('/enter?to=%2Fcourses%2F7%3Ftab%3Dpeople#one-time')
    await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7?tab=people`))
  })

  it.each(['//evil.example/x', 'https://evil.example/x', '/\\evil.example'])('does not go to %s', async (to) => {
    renderLaunched(`/enter?to=${encodeURIComponent(to)}#one-time`)
    await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`))
  })

  it('does not follow a launch to another site', async () => {
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch({ path: '//evil.example/x' }))))
    renderLaunched('/enter#one-time')
    await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/dashboard`))
  })
})

it('what cannot be opened says where to open it again when the code is refused, without a sign-in form', async () => {
  const detail = 'This launch was already used. Open it again from your course in the LMS.'
  mockEndpoint(openLaunch, () => errorReply('auth_required', { detail }))
  renderLaunched('/enter#used')
  await screen.findByRole('heading', { name: 'Open this again from your LMS' })
  expect(screen.getByText(detail)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.queryByLabelText(/password/i)).toBeNull()
})

it('what cannot be opened names the LMS after a reload that was refused, as far as the server knows it', async () => {
  const detail = 'This page has lost its connection to the LMS. Open it again from your course in School Moodle.'
  mockEndpoint(resumeLaunch, () => errorReply('auth_required', { detail, lms: 'School Moodle' }))
  renderLaunched('/courses/7')
  await screen.findByRole('heading', { name: 'Open this again from School Moodle' })
  expect(screen.getByText(detail)).toBeTruthy()
  expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`)
})

it('what cannot be opened does not send to the LMS who would be refused again', async () => {
  mockEndpoint(openLaunch, () => errorReply('account_deactivated'))
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Assay could not be opened' })
  expect(screen.getByText(/This account has been deactivated/)).toBeTruthy()
})

it('what cannot be opened retries with the same code while the server cannot be reached', async () => {
  mockEndpoint(openLaunch, () => HttpResponse.error())
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Assay could not be opened' })
  const asked = mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch())))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Biology 8b' })
  expect(await asked[0]?.json()).toEqual({ code: 'one-time' })
})

it('what cannot be opened leads back to the LMS once the server has ended the session', async () => {
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  endSession()
  await screen.findByRole('heading', { name: 'Open this again from Lindenhof Canvas' })
  expect(screen.getByText(/Your session has expired/)).toBeTruthy()
  const back = screen.getByRole('link', { name: 'Back to Lindenhof Canvas' })
  expect([back.getAttribute('href'), back.getAttribute('target')]).toEqual(['https://lms.example/courses/1', '_top'])
  expect(here()).not.toContain('/auth/login')
})

it('what cannot be opened says that the LMS was deactivated meanwhile, and not to open it again', async () => {
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  const detail = 'Lindenhof Canvas has been deactivated in Assay, so nothing can be opened from it.'
  mockEndpoint(resumeLaunch, () => errorReply('lms_deactivated', { detail, lms: 'Lindenhof Canvas' }))
  endSession()
  await screen.findByRole('heading', { name: 'Assay could not be opened' })
  expect(screen.getByText(detail)).toBeTruthy()
  expect(document.body.textContent).not.toMatch(/open (this|it) again|session has expired/i)
  expect(screen.getByRole('link', { name: 'Back to Lindenhof Canvas' })).toBeTruthy()
})

it('what cannot be opened says so after a reload too', async () => {
  mockEndpoint(resumeLaunch, () => errorReply('lms_deactivated', { lms: 'Lindenhof Canvas' }))
  renderLaunched('/courses/7')
  await screen.findByRole('heading', { name: 'Assay could not be opened' })
  expect(screen.getByText(/This LMS has been deactivated in Assay/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('what cannot be opened signs out, and is not resumed by its cookie then', async () => {
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  const signedOut = mockEndpoint(signOut, () => ok(signOut, { message: 'Signed out' }))
  const resumed = mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(buildLaunch())))
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  await screen.findByRole('heading', { name: 'You have signed out' })
  expect(document.body.textContent).toContain('To come back, go to your course in Lindenhof Canvas')
  expect([signedOut.length, resumed.length, tokenStore.get()]).toEqual([1, 0, null])
})

it('what cannot be opened links to no address that is no web page', async () => {
  const launch = buildLaunch({ return_url: 'javascript:alert(document.domain)' })
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(launch)))
  mockEndpoint(getCourse, () => errorReply('auth_required'))
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Open this again from Lindenhof Canvas' })
  expect(screen.queryByRole('link')).toBeNull()
})

it('a launched session touches no storage and hears no other tab', async () => {
  localStorage.setItem('assay.token', 'of-somebody-else')
  const writes = vi.spyOn(Storage.prototype, 'setItem')
  const reads = vi.spyOn(Storage.prototype, 'getItem')
  const person = mockEndpoint(getMe, () => ok(getMe, teacher))
  const asked = mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  await waitFor(() => expect(csrfStore.get()).toBe('csrf-of-launch'))
  expect(person).toHaveLength(0)
  expect(asked[0]?.headers.get('Authorization')).toBe('Bearer token-of-launch')
  expect(writes).not.toHaveBeenCalled()
  expect(reads.mock.calls.flat()).not.toContain('assay.token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'assay.token', newValue: 'of-a-third' }))
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(tokenStore.get()).toBe('token-of-launch')
  expect(localStorage.getItem('assay.token')).toBe('of-somebody-else')
  writes.mockRestore()
  reads.mockRestore()
})

it('a launched session leads from an unknown page to where the launch goes, never to the landing page', async () => {
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(buildLaunch())))
  renderLaunched('/auth/login')
  await screen.findByRole('heading', { name: 'Page not found' })
  await userEvent.click(screen.getByRole('link', { name: 'Go to the start page' }))
  await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`))
})
