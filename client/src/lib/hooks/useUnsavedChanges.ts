import { useEffect, useRef } from 'react'
import { useBlocker, useLocation } from 'react-router-dom'

export interface NavigationGuard {
  isBlocked: boolean
  stay: () => void
  proceed: () => void
  /** What was unsaved has just been saved. */
  allowNextNavigation: () => void
}

/** Holds back going to another page, and asks before the tab is closed, while there are unsaved changes. */
export function useUnsavedChanges(unsaved: boolean): NavigationGuard {
  const released = useRef(false)
  const { pathname } = useLocation()
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const free = released.current
    released.current = false
    // A screen that was just left holds nothing back, though its guard goes only some time after the next one is seen.
    const left = currentLocation.pathname !== pathname
    return unsaved && !free && !left && nextLocation.pathname !== pathname
  })
  useBeforeUnloadWarning(unsaved)
  // Saved while the dialog was open: nothing left to ask.
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

/** The browser asks before the page is closed or reloaded while something is under way. */
export function useBeforeUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [active])
}
