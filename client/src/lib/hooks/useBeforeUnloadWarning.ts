import { useEffect } from 'react'

/** The browser asks before the page is closed or reloaded while something is under way. */
export function useBeforeUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])
}
