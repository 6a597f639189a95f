import { configure, getConfig } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import './fake-timers.ts'
import { mockApi } from './mock-api.ts'
import './no-owner-stacks.ts'
import { resetState } from './reset-state.ts'

/** Retried queries need not print the document: a thirtieth of the CPU. */
const isTriedAgain = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true

configure(({ getElementError }) => ({
  // The first test to show a page loads its code, which on a busy machine takes more than a second.
  asyncUtilTimeout: 30_000,
  getElementError: (message, container) =>
    isTriedAgain() ? new Error(message ?? undefined) : getElementError(message, container),
}))

// What Mantine asks of a browser and jsdom has not. Files of a worker share one document, and this runs for each.
Object.defineProperty(window, 'matchMedia', {
  configurable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  }),
})

class NothingSeen {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(window, { ResizeObserver: NothingSeen, IntersectionObserver: NothingSeen })
// A text area that grows listens for fonts.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

// jsdom can neither draw a PDF nor stay connected to a server.
vi.mock('../components/pdf/PdfPages.tsx', () => import('./pdf-pages.tsx'))
vi.mock('../lib/api/realtime.ts', () => import('./realtime.ts'))

mockApi()
afterEach(resetState)
