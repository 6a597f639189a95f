import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { useBeforeUnloadWarning } from './useBeforeUnloadWarning.ts'

export interface NavigationGuard {
  /** Someone wants to leave although there is something unsaved. */
  isBlocked: boolean
  stay: () => void
  proceed: () => void
  /** Lets the next navigation pass: what was unsaved has just been saved. */
  allowNextNavigation: () => void
}

/** Holds back going to another page, and asks before the tab is closed, while there are unsaved changes. */
export function useUnsavedChanges(unsaved: boolean): NavigationGuard {
  const released = useRef(false)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const free = released.current
    released.current = false
    return unsaved && !free && currentLocation.pathname !== nextLocation.pathname
  })
  useBeforeUnloadWarning(unsaved)
  // Saved while the question stood, there is nothing left to ask.
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
