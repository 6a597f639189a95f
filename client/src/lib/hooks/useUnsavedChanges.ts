import { useEffect, useRef } from 'react'
import { useBlocker, useLocation } from 'react-router-dom'

export type NavigationGuard = ReturnType<typeof useUnsavedChanges>

/** Asks before another page is opened or the tab is closed. */
export function useUnsavedChanges(unsaved: boolean) {
  const released = useRef(false)
  const { pathname } = useLocation()
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const free = released.current
    released.current = false
    // A screen just left holds nothing back, though its guard goes only after the next one is shown.
    const left = currentLocation.pathname !== pathname
    return unsaved && !free && !left && nextLocation.pathname !== pathname
  })
  useBeforeUnloadWarning(unsaved)
  useEffect(() => {
    if (!unsaved && blocker.state === 'blocked') blocker.reset()
  }, [unsaved, blocker])
  return {
    isBlocked: unsaved && blocker.state === 'blocked',
    stay: () => blocker.reset?.(),
    proceed: () => blocker.proceed?.(),
    allowNextNavigation: () => {
      released.current = true
    },
  }
}

export function useBeforeUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])
}
