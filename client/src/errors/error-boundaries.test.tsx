import { getPublicSettings } from '@assay/shared/settings.ts'
import { MantineProvider } from '@mantine/core'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mockEndpoint } from '../testing/mock-api.ts'
import { PageErrorBoundary } from './PageErrorBoundary.tsx'
import { automaticRetryDelay, smartBoundaryMaxRetries } from './retry-policy.ts'
import { ComponentErrorBoundary, SmartErrorBoundary } from './SmartErrorBoundary.tsx'

let broken = true
function Broken() {
  if (broken) throw new Error('a bug')
  return <p>Mended</p>
}

const show = (element: ReactElement) =>
  render(
    <MantineProvider env="test">
      <MemoryRouter>{element}</MemoryRouter>
    </MantineProvider>,
  )

const LIMIT = 'Maximum retry attempts reached. Please reload the page or contact support.'

beforeEach(() => {
  broken = true
  mockEndpoint(getPublicSettings, {
    support_email: 'help@school.example',
    instructor_registration: 'open',
    test_pages: false,
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  delete window.assayErrorReporter
})

async function retryUntilTheEnd(): Promise<string[]> {
  const user = userEvent.setup()
  const labels: string[] = []
  for (;;) {
    const button = screen.queryByRole('button', { name: /^Retry/ })
    if (!button) return labels
    labels.push(button.textContent ?? '')
    await user.click(button)
  }
}

it('a boundary says what happened with its code’s suggestions, and who to write to', async () => {
  show(
    <PageErrorBoundary>
      <Broken />
    </PageErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'System Error' })).toBeTruthy()
  expect(screen.getByText('An unexpected error occurred in the application.')).toBeTruthy()
  expect(screen.getAllByRole('listitem').length).toBe(3)
  expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeTruthy()
  const mail = () =>
    decodeURIComponent(screen.getByRole('link', { name: 'Contact Support' }).getAttribute('href') ?? '')
  await waitFor(() => expect(mail()).toMatch(/^mailto:help@school\.example\?.*Error ID.*component_error/s))
})

it('a boundary tries three times around a page and twice around a part of it', async () => {
  const page = show(
    <PageErrorBoundary>
      <Broken />
    </PageErrorBoundary>,
  )
  expect(await retryUntilTheEnd()).toEqual(['Retry 0/3', 'Retry 1/3', 'Retry 2/3'])
  expect(screen.getByText(LIMIT)).toBeTruthy()
  page.unmount()
  show(
    <ComponentErrorBoundary>
      <Broken />
    </ComponentErrorBoundary>,
  )
  expect(await retryUntilTheEnd()).toEqual(['Retry 0/2', 'Retry 1/2'])
})

it('a boundary shows what it wraps once that works again', async () => {
  show(
    <ComponentErrorBoundary>
      <Broken />
    </ComponentErrorBoundary>,
  )
  broken = false
  await retryUntilTheEnd()
  expect(screen.getByText('Mended')).toBeTruthy()
})

it('a boundary reports to a reporting service where there is one, and survives one that fails', () => {
  const report = vi.fn(() => {
    throw new Error('the service is down')
  })
  window.assayErrorReporter = { report }
  show(
    <SmartErrorBoundary context="file">
      <Broken />
    </SmartErrorBoundary>,
  )
  const where = { boundary: 'file', cause: expect.any(Error), componentStack: expect.any(String) }
  expect(report).toHaveBeenCalledWith(expect.objectContaining({ error_code: 'component_error' }), where)
  expect(screen.getByRole('heading', { name: 'File Processing Error' })).toBeTruthy()
})

describe('the smart boundary', () => {
  it.each([
    ['auth', 'Authentication Error', 3],
    ['data', 'Data Loading Error', 5],
    ['api', 'Service Error', 5],
    ['file', 'File Processing Error', 3],
    ['component', 'Component Error', 3],
  ] as const)('around %s says %s and tries %i times', async (context, title, times) => {
    show(
      <SmartErrorBoundary context={context}>
        <Broken />
      </SmartErrorBoundary>,
    )
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
    const login = screen.queryByRole('link', { name: 'Go to Login' })
    expect(login?.getAttribute('href')).toBe(context === 'auth' ? '/auth/login' : undefined)
    expect((await retryUntilTheEnd()).length).toBe(times)
    expect(screen.getByText(LIMIT)).toBeTruthy()
  })

  it('tries what is critical once, or as often as configured', () => {
    expect(smartBoundaryMaxRetries('file', 'critical')).toBe(1)
    expect(smartBoundaryMaxRetries('data', 'critical')).toBe(5)
    expect(smartBoundaryMaxRetries('component', 'low')).toBe(3)
    expect(smartBoundaryMaxRetries('component', 'critical', 4)).toBe(4)
  })

  it('tries again by itself after 1 s, twice as long each time, and shows no button meanwhile', () => {
    vi.useFakeTimers()
    show(
      <SmartErrorBoundary context="file" strategy="exponential">
        <Broken />
      </SmartErrorBoundary>,
    )
    const waiting = () => screen.queryByText(/automatic retry will happen/)
    expect([0, 1, 2, 3, 4].map((tries) => automaticRetryDelay('exponential', tries))).toEqual([
      1000, 2000, 4000, 8000, 10_000,
    ])
    expect(screen.queryByRole('button', { name: /Retry/ })).toBeNull()
    act(() => void vi.advanceTimersByTime(1000))
    act(() => void vi.advanceTimersByTime(1999))
    expect(waiting()).toBeTruthy()
    broken = false
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.getByText('Mended')).toBeTruthy()
  })

  it('tries the first time at once where configured, and then by button', () => {
    vi.useFakeTimers()
    show(
      <SmartErrorBoundary context="component" strategy="immediate">
        <Broken />
      </SmartErrorBoundary>,
    )
    act(() => void vi.advanceTimersByTime(0))
    expect(screen.getByRole('button', { name: 'Retry 1/3' })).toBeTruthy()
  })
})
