import { getCsrfToken, getDemo, registerStudent } from '@assay/shared/auth.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorReply, mockApi, mockEndpoint, ok, student } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

mockApi()

beforeEach(() => {
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getPublicSettings, () => errorReply('service_unavailable'))
})

describe('registering', () => {
  it('preserves the target page from sign-in through registration back to sign-in', async () => {
    const user = userEvent.setup()
    const app = renderApp('/auth/login?redirect=%2Fstudent%2Fcourses%2F7')
    await user.click(await screen.findByRole('link', { name: 'Join as student' }))
    await screen.findByRole('heading', { name: 'Create an account' })
    expect(app.address()).toBe('/auth/register?role=student&redirect=%2Fstudent%2Fcourses%2F7')
    mockEndpoint(registerStudent, () => ok(registerStudent, student))
    await user.type(screen.getByLabelText(/Full Name/), 'Ada Mutombo')
    await user.type(screen.getByLabelText(/Email Address/), 'ada@school.example')
    await user.type(screen.getByLabelText(/Username/), 'ada')
    await user.type(screen.getByLabelText(/^Password( \*)?$/), 'Vellum-kite 42 orbit')
    await user.type(screen.getByLabelText(/Confirm Password/), 'Vellum-kite 42 orbit')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(app.address()).toBe('/auth/login?role=student&redirect=%2Fstudent%2Fcourses%2F7'))
  })

  it('does not carry a foreign address along', async () => {
    renderApp('/auth/login?redirect=%2F.%2F%2Fevil.example')
    const link = await screen.findByRole('link', { name: 'Join as student' })
    expect(link.getAttribute('href')).toBe('/auth/register?role=student')
  })

  it('opens terms and privacy beside the form, and says so', async () => {
    renderApp('/auth/register')
    const links = await screen.findAllByRole('link', { name: /(terms|privacy).*\(opens in a new tab\)/i })
    expect(links).toHaveLength(4)
    for (const link of links) expect(link.getAttribute('target')).toBe('_blank')
  })

  it('shows what is wrong with a field that was left by a click only after the click', async () => {
    renderApp('/auth/register')
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
    renderApp('/auth/register')
    const name = await screen.findByLabelText(/Full Name/)
    name.focus()
    fireEvent.blur(name)
    await screen.findByText('Full name is required')
  })
})
