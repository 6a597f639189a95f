import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** A new page begins at its top for keyboards and screen readers too: focus moves to the page's main part. */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const how = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // A page that has put the focus somewhere itself (a form's first field) knows better.
    if (main.current?.contains(document.activeElement) && document.activeElement !== main.current) return
    if (how !== 'POP' || document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname, how])
  return main
}
