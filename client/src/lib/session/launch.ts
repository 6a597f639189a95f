import type { Launch } from '@assay/shared/lti/lti.ts'
import { useSyncExternalStore } from 'react'
import { memoryStore } from './browser-store.ts'
import { homePathOf, safeRedirectPath } from './redirect-paths.ts'

const current = memoryStore<Launch>()

/** Null until it is known, and outside launches. */
export const launchStore = current

export function useLaunch(): Launch | null {
  return useSyncExternalStore(current.subscribe, current.get)
}

/** Always a page of ours. */
export function launchHomePath(launch: Launch): string {
  const path = safeRedirectPath(launch.path)
  // The launched start page leads here.
  return path && path !== '/' ? path : homePathOf(launch.role)
}

export const isInIframe = (): boolean => window.parent !== window
