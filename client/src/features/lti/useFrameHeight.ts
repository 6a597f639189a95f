import type { Launch } from '@assay/shared/lti/lti.ts'
import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { isInIframe } from '../../lib/session/launch.ts'

/** In px. Lower, a dialog would have no room. */
const MIN_HEIGHT = 480
/** What browser and LMS have of the window for themselves, about. */
const WINDOW_CHROME_HEIGHT = 220

/**
 * The tallest that a frame should be, in px: what can be seen of it at once, for in a taller one dialogs and toasts would stand where
 * nobody looks. A frame cannot look around itself; it knows how tall the browser's window is, and what the LMS gave it.
 */
export const maxFrameHeight = (given: number, { outerHeight }: Pick<Window, 'outerHeight'>): number =>
  Math.max(MIN_HEIGHT, given, outerHeight - WINDOW_CHROME_HEIGHT)

/** How tall the frame should be, in px: as its content. A screen that fills whatever it is given gets all there is. */
export function frameHeight(content: HTMLElement, most: number): number {
  if (content.querySelector('[data-fills]')) return most
  return Math.min(most, Math.max(MIN_HEIGHT, Math.ceil(content.getBoundingClientRect().height)))
}

/** Sends the LMS around us the height of `content` whenever it changes, and nobody else. */
export function useFrameHeight(content: RefObject<HTMLElement | null>, launch: Launch | null): void {
  const origin = launch?.parent_origin ?? null
  useEffect(() => {
    const element = content.current
    if (!element || !origin || !isInIframe()) return
    const given = window.innerHeight
    let sentHeight = 0
    let due = 0
    const send = () => {
      due = 0
      const height = frameHeight(element, maxFrameHeight(given, window))
      if (height === sentHeight) return
      sentHeight = height
      window.parent.postMessage({ subject: 'lti.frameResize', height }, origin)
    }
    // Once a frame at most: while rows arrive, the height changes with each.
    const soon = () => {
      due ||= requestAnimationFrame(send)
    }
    const observer = new ResizeObserver(soon)
    observer.observe(element)
    soon()
    return () => {
      observer.disconnect()
      cancelAnimationFrame(due)
    }
  }, [content, origin])
}

/** A new page begins at its top; Canvas scrolls its own page there when asked. */
export function useScrollFrameToTop(launch: Launch | null): void {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const last = useRef(pathname)
  const origin = launch?.platform.lms === 'canvas' ? launch.parent_origin : null
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (origin && how !== 'POP' && isInIframe()) window.parent.postMessage({ subject: 'lti.scrollToTop' }, origin)
  }, [pathname, how, origin])
}
