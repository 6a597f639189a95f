import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import Toasts, { notifications } from './Toasts.tsx'

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
  await act(() => vi.advanceTimersByTimeAsync(100 + 500))
  expect(screen.queryByText('Grade approved.')).toBeNull()
})

it('tell dialogs how much room they stand over, which is none once they are gone', () => {
  const watchers: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        watchers.push(tell)
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  const room = () => document.documentElement.style.getPropertyValue('--toasts-room')
  const { unmount } = render(
    <MantineProvider env="test">
      <Toasts />
    </MantineProvider>,
  )
  const list = document.querySelector('[data-position="bottom-right"]')
  if (!list) throw new Error('a list of toasts')
  const rect = vi.spyOn(list, 'getBoundingClientRect')
  rect.mockReturnValue(new DOMRect(0, window.innerHeight - 86, 300, 70))
  for (const tell of watchers) tell()
  expect(room()).toBe('94px')
  rect.mockReturnValue(new DOMRect(0, window.innerHeight - 16, 300, 0))
  for (const tell of watchers) tell()
  expect(room()).toBe('0px')
  unmount()
  expect(room()).toBe('')
})
