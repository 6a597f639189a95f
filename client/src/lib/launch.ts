import type { Launch } from '@assay/shared/lti.ts'
import { useSyncExternalStore } from 'react'
import { homeOf, ownPath } from './paths.ts'
import { inMemory } from './stored.ts'

const current = inMemory<Launch>()

/** The launch this page was opened by; null until it is known, and for good where nobody launched it. */
export const launchStore = current

export function useLaunch(): Launch | null {
  return useSyncExternalStore(current.subscribe, current.get)
}

/** Where a launch goes: a page of ours, whatever was said. */
export function homeOfLaunch(launch: Launch): string {
  const path = ownPath(launch.path)
  // The launched start leads here.
  return path && path !== '/' ? path : homeOf(launch.role)
}

/** Whether we stand in another page's frame. */
export const inFrame = (): boolean => window.parent !== window
