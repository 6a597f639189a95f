import { errorKinds } from '@assay/shared/http/errors.ts'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ToastArea } from '../layout/ToastArea.tsx'
import { ApiError } from '../lib/api/api-error.ts'
import { GLOBAL_ERROR, installGlobalErrorHandlers } from './global-errors.ts'

let stop = () => {}
const heard: unknown[] = []
const hear = (event: Event) => heard.push(event instanceof CustomEvent && event.detail)
beforeEach(() => {
  heard.length = 0
  stop = installGlobalErrorHandlers()
  window.addEventListener(GLOBAL_ERROR, hear)
  render(
    <MantineProvider env="test">
      <ToastArea />
    </MantineProvider>,
  )
})
afterEach(() => {
  window.removeEventListener(GLOBAL_ERROR, hear)
  stop()
})

/** jsdom has no PromiseRejectionEvent. */
function reject(reason: unknown) {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
}

const SCRIPT = 'An unexpected error occurred in the application. Please refresh the page and try again.'

it('shows a script error once, however often it happens, with what can be done', async () => {
  for (let i = 0; i < 3; i++) window.dispatchEvent(new ErrorEvent('error', { message: 'x is undefined' }))
  expect(heard).toMatchObject(Array(3).fill({ error_code: 'javascript_error', message: SCRIPT }))
  const toasts = await screen.findAllByText(SCRIPT)
  expect(toasts.length).toBe(1)
  expect(screen.getByRole('alert').textContent).toContain('System Error')
  expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeTruthy()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Dismiss' }))
})

it('shows a rejection nobody caught where it says what happened, and no other', async () => {
  reject(new Error('of no known shape'))
  window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }))
  expect(heard).toEqual([])
  const error = ApiError.of('rate_limit_exceeded')
  reject({ ...error.reply, request_id: 'r-7' })
  reject(error)
  expect(heard).toMatchObject(Array(2).fill({ error_code: 'rate_limit_exceeded' }))
  expect(await screen.findAllByText(errorKinds.rate_limit_exceeded.message)).toHaveLength(1)
})
