import { type RefObject, useEffect } from 'react'

/** Between the buttons and the toasts above them, in pixels. */
const GAP = 12
/** From the window's lower edge up to here there may be toasts, in pixels. */
const TOASTS = 200

/** Keeps toasts above the element while it is near the window's lower edge, so that they never cover its buttons. */
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
