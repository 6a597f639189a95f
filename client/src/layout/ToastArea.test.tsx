import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { toast } from '../lib/toast.ts'
import { ToastArea } from './ToastArea.tsx'

vi.mock('../components/feedback/Toasts.tsx', () => {
  throw new Error('offline')
})

it('says what went wrong even when the part that draws toasts cannot be loaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  render(
    <MantineProvider env="test">
      <ToastArea />
    </MantineProvider>,
  )
  toast.error('Failed to refresh submissions.')
  await screen.findByText('Failed to refresh submissions.', { selector: '[aria-live="assertive"] p' })
  toast.success('Grade approved.')
  await screen.findByText('Grade approved.', { selector: '[aria-live="polite"] p' })
  await act(() => vi.advanceTimersByTimeAsync(8000))
  expect(screen.queryByText('Grade approved.')).toBeNull()
})
