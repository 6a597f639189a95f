import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import Toasts, { notifications } from './Toasts.tsx'

afterEach(() => {
  vi.useRealTimers()
})

it('stand at the bottom right and go by themselves after 5000 ms', async () => {
  vi.useFakeTimers()
  render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  )
  act(() => void notifications.show({ message: 'Grade approved.' }))
  const words = screen.getByText('Grade approved.')
  expect(words.closest('[data-position]')?.getAttribute('data-position')).toBe('bottom-right')
  await act(() => vi.advanceTimersByTimeAsync(4900))
  expect(screen.queryByText('Grade approved.')).toBeTruthy()
  // And the time it takes to fade.
  await act(() => vi.advanceTimersByTimeAsync(100 + 500))
  expect(screen.queryByText('Grade approved.')).toBeNull()
})
