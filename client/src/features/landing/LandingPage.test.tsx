import { getDemo, signInToDemo } from '@assay/shared/auth.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { errorReply, mockEndpoint, ok, signInAs, student } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

const link = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href')

it('leads in by role, to a trial and to sign-in, without the bar', async () => {
  renderPage('/')
  await screen.findByRole('heading', { level: 1 })
  expect(link('Get Started as Instructor')).toBe('/auth/register?role=instructor')
  expect(link('Join as Student')).toBe('/auth/register?role=student')
  expect(link('Start Free Trial')).toBe('/auth/register?role=instructor')
  expect(link('Sign In')).toBe('/auth/login')
  expect(screen.queryByRole('link', { name: 'Assay, start page' })).toBeNull()
})

it('opens the demo where there is one', async () => {
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [{ role: 'instructor', full_name: 'Demo' }] }))
  const asked = mockEndpoint(signInToDemo, () => errorReply('service_unavailable'))
  renderPage('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Try the demo' }))
  await waitFor(() => expect(asked).toHaveLength(1))
})

it('names its readers, the three steps, and why', async () => {
  renderPage('/')
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
  const { container } = renderPage('/')
  const section = (await screen.findByRole('heading', { name: 'Testimonials' })).closest('section')
  const voices = within(section ?? container).getAllByRole('figure')
  expect(voices).toHaveLength(3)
  for (const voice of voices) expect(within(voice).getByText('Sample')).toBeTruthy()
  expect(container.textContent).not.toMatch(/80\s?%/)
})

it('is still there for who is signed in, with the way to their own start', async () => {
  signInAs(student)
  const app = renderPage('/')
  await screen.findAllByRole('link', { name: 'Go to your dashboard' })
  expect(link('Go to your dashboard')).toBe('/student/dashboard')
  expect(app.address()).toBe('/')
})
