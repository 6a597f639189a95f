import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// The first test of a file loads its page's program, which on a busy machine takes more than the second that is usual.
configure({ asyncUtilTimeout: 12_000 })

// What Mantine asks of a browser and jsdom has not.
Object.defineProperty(window, 'matchMedia', {
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  }),
})

class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = NoResizeObserver
// A text area that grows listens for fonts.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })
window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

afterEach(() => {
  cleanup()
  // Toasts stand outside what is drawn, and only so many at once: those of one test would keep the next one's waiting.
  notifications.clean()
  notifications.cleanQueue()
  localStorage.clear()
  sessionStorage.clear()
})
