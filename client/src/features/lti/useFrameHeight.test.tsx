import { render } from '@testing-library/react'
import { useRef } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildLaunch } from '../../testing/render-launched.tsx'
import { frameHeight, maxFrameHeight, useFrameHeight, useScrollFrameToTop } from './LaunchedLayout.tsx'

const observers = new Set<() => void>()
class Observer {
  private readonly heard: () => void
  constructor(heard: () => void) {
    this.heard = heard
  }
  observe() {
    observers.add(this.heard)
  }
  disconnect() {
    observers.delete(this.heard)
  }
}

let height = 0
const post = vi.fn()

beforeEach(() => {
  height = 700
  vi.stubGlobal('ResizeObserver', Observer)
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] })
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, 0, 0, height))
  vi.stubGlobal('outerHeight', 1020)
  vi.stubGlobal('innerHeight', 600)
})
afterEach(() => {
  post.mockReset()
  observers.clear()
})

const framed = () => vi.stubGlobal('parent', { postMessage: post })
const nextFrame = () => vi.advanceTimersToNextFrame()
const grow = (to: number) => {
  height = to
  for (const heard of observers) heard()
}

function Page({ launch }: { launch: ReturnType<typeof buildLaunch> | null }) {
  const root = useRef<HTMLDivElement>(null)
  useFrameHeight(root, launch)
  useScrollFrameToTop(launch)
  return <div ref={root} />
}

function show(launch: ReturnType<typeof buildLaunch> | null = buildLaunch()) {
  const router = createMemoryRouter([{ path: '*', element: <Page launch={launch} /> }])
  const view = render(<RouterProvider router={router} />)
  nextFrame()
  return { ...view, router }
}

it('sends the page’s height to the LMS’s origin alone, once a frame and only when that changes', () => {
  framed()
  show()
  expect(post.mock.calls).toEqual([[{ subject: 'lti.frameResize', height: 700 }, 'https://lms.example']])
  for (const to of [710, 720, 730.2]) grow(to)
  nextFrame()
  grow(730.4)
  nextFrame()
  expect(post.mock.calls.slice(1).map(([message]) => message.height)).toEqual([731])
})

it('says nothing outside a frame, or where the LMS’s origin is not known', () => {
  const stayed = vi.spyOn(window, 'postMessage')
  show()
  framed()
  show(buildLaunch({ parent_origin: null }))
  show(null)
  expect(observers.size).toBe(0)
  expect(post).not.toHaveBeenCalled()
  expect(stayed).not.toHaveBeenCalled()
})

it('asks for no frame taller than what is seen at once, nor one too low for a dialog', () => {
  framed()
  show()
  grow(5000)
  nextFrame()
  grow(90)
  nextFrame()
  expect(post.mock.calls.map(([message]) => message.height)).toEqual([700, 800, 480])
})

it('takes no less than the LMS gave of its own accord, in however low a window', () => {
  expect(maxFrameHeight(720, { outerHeight: 700 })).toBe(720)
  expect(maxFrameHeight(150, { outerHeight: 500 })).toBe(480)
  expect(maxFrameHeight(150, { outerHeight: 1020 })).toBe(800)
})

it('gives a screen that fills its frame one height, so that neither follows the other', () => {
  const page = document.createElement('div')
  page.innerHTML = '<div data-fills></div>'
  for (const now of [300, 800, 2000]) {
    height = now
    expect(frameHeight(page, 800)).toBe(800)
  }
})

it('asks Canvas, which listens, to scroll to the top of a new page', async () => {
  framed()
  const { router } = show()
  post.mockReset()
  await router.navigate('/other')
  await expect.poll(() => post).toHaveBeenCalledWith({ subject: 'lti.scrollToTop' }, 'https://lms.example')
})

it('does not ask others, nor on the way back', async () => {
  framed()
  const { router } = show(buildLaunch({ platform: { name: 'Moodle', lms: 'moodle' } }))
  post.mockReset()
  await router.navigate('/other')
  await router.navigate(-1)
  expect(post).not.toHaveBeenCalled()
})

it('stops when the page is left', () => {
  framed()
  const { unmount } = show()
  grow(790)
  unmount()
  nextFrame()
  expect(post).toHaveBeenCalledTimes(1)
})
