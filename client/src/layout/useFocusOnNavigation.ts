import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Keyboards and screen readers begin a new page at its top. */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const how = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // A page that has focused a field of its own knows better.
    if (main.current?.contains(document.activeElement) && document.activeElement !== main.current) return
    if (how !== 'POP' || document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname, how])
  return main
}
