import { signOut } from '@assay/shared/auth.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import type { Role } from '@assay/shared/users.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { errorReply, mockEndpoint, signInAs, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

beforeEach(() => void mockEndpoint(getStudentDashboard, () => errorReply('resource_not_found')))

function openAs(role: Role, path: string) {
  signInAs({ ...teacher, role })
  return renderApp(path)
}

const hrefs = (links: HTMLElement[]) => links.map((link) => [link.textContent, link.getAttribute('href')])

const teaching = [
  ['Dashboard', '/dashboard'],
  ['Courses', '/courses'],
  ['Create Assignment', '/create-assignment'],
]
const itemsOf: [Role, string[][]][] = [
  ['instructor', teaching],
  [
    'student',
    [
      ['Dashboard', '/student/dashboard'],
      ['My Courses', '/student/courses'],
    ],
  ],
  [
    'admin',
    [
      ...teaching,
      ['Admin Dashboard', '/admin/dashboard'],
      ['User Management', '/admin/users'],
      ['System Settings', '/admin/settings'],
      ['LMS', '/admin/lms'],
      ['Audit Log', '/admin/audit'],
    ],
  ],
]

it.each(itemsOf)('the bar leads %s where they may go, from a slide-in menu too', async (role, items) => {
  openAs(role, '/terms')
  const inline = await screen.findByRole('navigation', { name: 'Main' })
  expect(hrefs(within(inline).getAllByRole('link'))).toEqual(items)
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }))
  const menu = await screen.findByRole('dialog', { name: 'Menu' })
  expect(hrefs(within(menu).getAllByRole('link'))).toEqual(items)
})

it('the bar has a logo that leads to the dashboard, or to the start for who is signed out', async () => {
  openAs('instructor', '/terms')
  await screen.findByRole('navigation', { name: 'Main' })
  expect(screen.getByRole('link', { name: 'Assay, start page' }).getAttribute('href')).toBe('/dashboard')
})

it('the bar offers Sign In and Sign Up to who is signed out', async () => {
  renderApp('/terms')
  const ways = await screen.findByRole('navigation', { name: 'Account' })
  expect(hrefs(within(ways).getAllByRole('link'))).toEqual([
    ['Sign In', '/auth/login'],
    ['Sign Up', '/auth/register'],
  ])
  expect(screen.getByRole('link', { name: 'Assay, start page' }).getAttribute('href')).toBe('/')
})

it.each(['/', '/auth/login', '/auth/register', '/auth/forgot-password', '/auth/reset-password', '/login', '/register'])(
  'the bar is not there on %s',
  async (path) => {
    renderApp(path)
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByRole('link', { name: 'Assay, start page' })).toBeNull()
    expect(screen.queryByText('Skip to navigation')).toBeNull()
    expect(screen.queryByRole('contentinfo') !== null).toBe(path === '/')
  },
)

it('the bar is below skip links and above a footer with the year and a tagline', async () => {
  renderApp('/terms')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.getByText('Skip to content').getAttribute('href')).toBe('#main')
  expect(screen.getByText('Skip to navigation').getAttribute('href')).toBe('#bar')
  const footer = within(screen.getByRole('contentinfo'))
  expect(footer.getByText(new RegExp(`${new Date().getFullYear()} Assay. AI-assisted grading`))).toBeTruthy()
})

const profile = ['Profile Settings', '/instructor/profile']
it.each<[Role, string, string[][]]>([
  ['instructor', 'Instructor', [profile]],
  ['student', 'Student', [['Profile Settings', '/student/profile']]],
  ['admin', 'Administrator', [profile, ['Admin Settings', '/admin/settings']]],
])('the user menu shows who is signed in, and the links of a role: %s', async (role, word, links) => {
  openAs(role, '/terms')
  await userEvent.click(await screen.findByRole('button', { name: /Account of/ }))
  const menu = await screen.findByRole('menu')
  for (const words of ['mkeller', new RegExp(`^${word}`), 'm.keller@school.example'])
    expect(within(menu).getByText(words)).toBeTruthy()
  const items = within(menu).getAllByRole('menuitem')
  expect(hrefs(items.filter((item) => item.hasAttribute('href')))).toEqual(links)
})

it('the user menu signs out, whatever the server says to it', async () => {
  const asked = mockEndpoint(signOut, () => errorReply('service_unavailable'))
  const app = openAs('instructor', '/courses')
  await userEvent.click(await screen.findByRole('button', { name: /Account of/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
  await waitFor(() => expect(app.address()).toBe('/auth/login'))
  expect(asked[0]?.headers.get('X-CSRF-Token')).toBe('csrf-1')
  expect(asked[0]?.headers.get('Authorization')).toBe('Bearer token-1')
  expect(tokenStore.get()).toBeNull()
})
