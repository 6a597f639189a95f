import { type RefObject, useEffect } from 'react'

/** Between the buttons and the toasts above them, in pixels. */
const GAP = 12
/** From the window's lower edge up to here there may be toasts, in pixels. */
const TOASTS = 200

/**
 * Toasts stand above the element while it is where they would be, whatever its height: they never lie over its buttons. Out of the
 * window, or higher up, it is not in their way.
 */
export function useToastsAbove(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element
    if (!current) return
    const root = document.documentElement
    const place = () => {
      const { top, bottom, height } = current.getBoundingClientRect()
      const inTheWay = height > 0 && top < window.innerHeight && bottom > window.innerHeight - TOASTS
      if (inTheWay) root.style.setProperty('--toasts-bottom', `${Math.ceil(window.innerHeight - top) + GAP}px`)
      else root.style.removeProperty('--toasts-bottom')
    }
    const observer = new ResizeObserver(place)
    observer.observe(current)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, { passive: true })
    // It may come up with a sheet that it is part of.
    document.addEventListener('transitionend', place)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place)
      document.removeEventListener('transitionend', place)
      root.style.removeProperty('--toasts-bottom')
    }
  }, [element])
}
