import { getCsrfToken, getMe } from '@assay/shared/auth.ts'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { mockApi, mockEndpoint, ok, student } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

mockApi()

beforeEach(() => {
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
})

const link = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href')

it('leads in by role, to a trial and to sign-in, without the bar', async () => {
  renderApp('/')
  await screen.findByRole('heading', { level: 1 })
  expect(link('Get Started as Instructor')).toBe('/auth/register?role=instructor')
  expect(link('Join as Student')).toBe('/auth/register?role=student')
  expect(link('Start Free Trial')).toBe('/auth/register?role=instructor')
  expect(link('Sign In')).toBe('/auth/login')
  expect(screen.queryByRole('link', { name: 'Assay, start page' })).toBeNull()
})

it('names its readers, the three steps, and why', async () => {
  renderApp('/')
  await screen.findByRole('heading', { level: 1 })
  const headings = screen.getAllByRole('heading').map((heading) => heading.textContent)
  for (const title of ['For Instructors', 'For Students', 'For Institutions', 'How It Works'])
    expect(headings).toContain(title)
  expect(headings.filter((text) => /^[123] /.test(text ?? ''))).toEqual([
    '1 Create Assignment',
    '2 AI Grades Instantly',
    '3 Review & Refine',
  ])
})

it('marks every testimonial as a sample, and promises no share of time saved', async () => {
  const { container } = renderApp('/')
  const section = (await screen.findByRole('heading', { name: 'Testimonials' })).closest('section')
  const voices = within(section ?? container).getAllByRole('figure')
  expect(voices).toHaveLength(3)
  for (const voice of voices) expect(within(voice).getByText('Sample')).toBeTruthy()
  expect(container.textContent).not.toMatch(/80\s?%/)
})

it('is still there for who is signed in, with the way to their own start', async () => {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => ok(getMe, student))
  const app = renderApp('/')
  await screen.findAllByRole('link', { name: 'Go to your dashboard' })
  expect(link('Go to your dashboard')).toBe('/student/dashboard')
  expect(app.address()).toBe('/')
})
