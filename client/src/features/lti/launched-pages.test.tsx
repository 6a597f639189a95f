import { getMe } from '@assay/shared/auth.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { getLaunch, joinAccount, openInWindow, openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { getStudentProfile } from '@assay/shared/profile.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildCourse } from '../../testing/build-course.ts'
import { buildStudentAssignment } from '../../testing/build-student-work.ts'
import { errorReply, mockEndpoint, ok, student } from '../../testing/mock-api.ts'
import { fillIn } from '../../testing/render.tsx'
import { buildLaunch, LAUNCH_ID, launchTokenReply, renderLaunched } from '../../testing/render-launched.tsx'

const noMail = {
  emailNotifications: false,
  gradeNotifications: false,
  courseUpdates: false,
  assignmentReminders: false,
}

const here = () => location.pathname
const open = buildLaunch({ role: 'student', path: '/student/assignments/5', can_join_account: true })
const early = { ...open, purpose: 'waiting' as const, path: '/lti/waiting' }

beforeEach(() => {
  mockEndpoint(getMe, () => ok(getMe, { ...student, from_lms: true }))
  mockEndpoint(getStudentAssignment, () => ok(getStudentAssignment, buildStudentAssignment()))
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(open)))
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(open)))
})

it('says in an LMS that an account is not deleted from there, and where or by whom it is', async () => {
  const profile = { ...student, notifications: noMail, has_password: true }
  const words: string[] = []
  for (const from_lms of [true, false]) {
    mockEndpoint(getStudentProfile, () => ok(getStudentProfile, { ...profile, from_lms }))
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply({ ...open, path: '/student/profile' })))
    const { unmount } = renderLaunched('/enter#one-time')
    words.push((await screen.findByRole('region', { name: 'Your data' })).textContent)
    expect(screen.getByRole('button', { name: 'Download my data' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Delete my account/ })).toBeNull()
    unmount()
  }
  expect(words[0]).toMatch(/because Lindenhof Canvas created it.*Ask your school, or an administrator of Assay/)
  expect(words[1]).toMatch(/You cannot delete your account from Lindenhof Canvas\. Sign in to Assay with your password/)
})

it('a student who is early waits, and goes on to the assignment once it is open', async () => {
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(early)))
  const asked = mockEndpoint(getLaunch, () => ok(getLaunch, early))
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: '“Quiz 3” is not open yet' })
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(here()).toBe(`/l/${LAUNCH_ID}/lti/waiting`)
  mockEndpoint(getLaunch, () => ok(getLaunch, open))
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByRole('heading', { name: 'Forces quiz' })
  expect(here()).toBe(`/l/${LAUNCH_ID}/student/assignments/5`)
  expect(screen.getByRole('link', { name: 'This assignment' }).getAttribute('aria-current')).toBe('page')
})

it('a student who is early finds the way back from the profile', async () => {
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(early)))
  mockEndpoint(getLaunch, () => ok(getLaunch, early))
  renderLaunched('/enter#one-time')
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Privacy' }))
  await userEvent.click(await screen.findByRole('link', { name: 'Back' }))
  await screen.findByRole('heading', { name: '“Quiz 3” is not open yet' })
  expect(screen.queryByRole('link', { name: 'Back' })).toBeNull()
})

it('a student who is early checks automatically', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(early)))
  mockEndpoint(getLaunch, (_, count) => ok(getLaunch, count === 1 ? early : open))
  renderLaunched('/enter#one-time')
  await screen.findByRole('heading', { name: '“Quiz 3” is not open yet' })
  await vi.advanceTimersByTimeAsync(20_000)
  await screen.findByRole('heading', { name: 'Forces quiz' })
})

describe('whom the LMS gives no role', () => {
  const admin = { ...open, purpose: 'no_role' as const, path: '/lti/no-role', course_id: 7 }

  it('sees their role here, and what to do', async () => {
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(admin)))
    mockEndpoint(listCourses, () => ok(listCourses, [], { 'x-total-count': '0' }))
    renderLaunched('/enter#one-time')
    await screen.findByRole('heading', { name: 'You have no role in “Biology, spring”' })
    expect(screen.getByText(/Lindenhof Canvas lists you as neither.*added to the course.*as a teacher/s)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Lindenhof Canvas' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'My other courses' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    expect(await screen.findByText(/No role in this course/)).toBeTruthy()
  })

  it.each([
    ['not_listed', /You administer Lindenhof Canvas, but you are not a member.*enrol yourself.*as a teacher/s],
    ['list_unreadable', /got no list of the course’s members.*ask a teacher of the course to add you/s],
    ['student_view', /You teach this course.*switch back to your own role in Lindenhof Canvas/s],
  ] as const)('as its administrator, or its teacher in another role, sees what to do (%s)', async (why, words) => {
    const part = why === 'student_view' ? { purpose: why } : { lms_administrator: why }
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply({ ...admin, ...part })))
    mockEndpoint(listCourses, () => ok(listCourses, [], { 'x-total-count': '0' }))
    renderLaunched('/enter#one-time')
    await screen.findByRole('heading', { name: /^You (have no role in|opened) “Biology, spring”/ })
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('finds their courses elsewhere, and the way back', async () => {
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(admin)))
    mockEndpoint(listCourses, () => ok(listCourses, [buildCourse()], { 'x-total-count': '1' }))
    renderLaunched('/enter#one-time')
    expect(await screen.findByRole('link', { name: 'My other courses' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Privacy' }))
    await userEvent.click(await screen.findByRole('link', { name: 'Back' }))
    await screen.findByRole('heading', { name: 'You have no role in “Biology, spring”' })
  })
})

describe('bringing in an account', () => {
  async function merge() {
    renderLaunched('/lti/account')
    await fillIn(await screen.findByLabelText(/Username or email/), 'ada')
    await fillIn(screen.getByLabelText(/^Password/), 'Slate-kite 19')
    expect(screen.getByText(/This cannot be undone/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Merge accounts' }))
  }

  it('says what comes of it, signs in to it and goes on as that account', async () => {
    const joined = { ...launchTokenReply({ ...open, can_join_account: false }), access_token: 'token-joined' }
    const asked = mockEndpoint(joinAccount, () => ok(joinAccount, joined))
    await merge()
    await screen.findByRole('heading', { name: 'Forces quiz' })
    expect(await asked[0]?.json()).toEqual({ username: 'ada', password: 'Slate-kite 19' })
    expect(tokenStore.get()).toBe('token-joined')
    expect(localStorage.length + sessionStorage.length).toBe(0)
  })

  it('stays, with the session it has, when the password is wrong', async () => {
    mockEndpoint(joinAccount, () => errorReply('invalid_credentials'))
    await merge()
    await screen.findByText('Login failed. Please check your credentials.')
    expect(tokenStore.get()).toBe('token-of-launch')
    expect(here()).toBe(`/l/${LAUNCH_ID}/lti/account`)
  })

  it('asks for the password of an account merged earlier, to see more than this LMS’s courses', async () => {
    const limited = { ...open, can_join_account: false, limited_to_lms: true, path: '/student/courses' }
    mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(limited)))
    mockEndpoint(listCourses, () => ok(listCourses, []))
    renderLaunched('/enter#one-time')
    await userEvent.click(await screen.findByRole('link', { name: 'sign in with your password' }))
    await fillIn(await screen.findByLabelText(/Username or email/), 'ada')
    await fillIn(screen.getByLabelText(/^Password/), 'Slate-kite 19')
    expect(screen.queryByText(/cannot be undone/)).toBeNull()
    mockEndpoint(joinAccount, () => ok(joinAccount, launchTokenReply({ ...limited, limited_to_lms: false })))
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText('You now see all your courses')
    expect(screen.queryByRole('link', { name: 'sign in with your password' })).toBeNull()
  })

  it('is for accounts that the LMS made', async () => {
    mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply({ ...open, can_join_account: false })))
    renderLaunched('/lti/account')
    await screen.findByRole('heading', { name: 'Forces quiz' })
  })
})

const menuItem = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  return screen.findByRole('menuitem', { name })
}

it('the slim line opens the page one is at in a window that comes in by itself', async () => {
  vi.stubGlobal('parent', { postMessage: vi.fn() })
  const opened = { location: { replace: vi.fn() }, close: vi.fn() }
  const open = vi.fn(() => opened)
  vi.stubGlobal('open', open)
  mockEndpoint(openInWindow, () => ok(openInWindow, { path: '/l/launch-0002/enter#second' }))
  try {
    renderLaunched('/enter#one-time')
    await userEvent.click(await menuItem('Open in a new window'))
    // Before the server has answered: later the browser would refuse.
    expect(open).toHaveBeenCalledWith('', '_blank')
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalled())
    expect(String(opened.location.replace.mock.calls[0]?.[0])).toBe(
      `${location.origin}/l/launch-0002/enter?to=%2Fstudent%2Fassignments%2F5#second`,
    )
    mockEndpoint(openInWindow, () => errorReply('conflict', { detail: 'Make your choice here.' }))
    await userEvent.click(await menuItem('Open in a new window'))
    await screen.findByText('Make your choice here.')
    expect(opened.close).toHaveBeenCalled()
    open.mockReturnValueOnce(null as never)
    await userEvent.click(await menuItem('Open in a new window'))
    await screen.findByText(/Your browser blocked the window/)
  } finally {
    vi.unstubAllGlobals()
  }
})

it('the slim line says who one is, and has a way out: logging out of the LMS is none', async () => {
  renderLaunched('/enter#one-time')
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  const menu = await screen.findByRole('menu')
  await waitFor(() => expect(menu.textContent).toContain('Ada Mutombo'))
  expect(menu.textContent).toContain('Student · Lindenhof Canvas')
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Profile Settings',
    'Display settings',
    'Privacy',
    'Sign Out',
  ])
})
