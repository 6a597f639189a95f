import { type RefObject, useEffect } from 'react'

/** In pixels. */
const GAP = 12
/** Toasts may reach this far up from the window's lower edge, in pixels. */
const TOASTS = 200

/** Toasts never cover the element's buttons while it is near the window's lower edge. */
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
