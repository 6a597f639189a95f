import type { Launch } from '@assay/shared/lti/lti.ts'
import { useSyncExternalStore } from 'react'
import { memoryStore } from './browser-store.ts'
import { homePathOf, safeRedirectPath } from './redirect-paths.ts'

const current = memoryStore<Launch>()

/** The launch this page was opened by; null until it is known, and for good where nobody launched it. */
export const launchStore = current

export function useLaunch(): Launch | null {
  return useSyncExternalStore(current.subscribe, current.get)
}

/** Where a launch goes: a page of ours, whatever was said. */
export function launchHomePath(launch: Launch): string {
  const path = safeRedirectPath(launch.path)
  // The launched start leads here.
  return path && path !== '/' ? path : homePathOf(launch.role)
}

export const isInIframe = (): boolean => window.parent !== window
