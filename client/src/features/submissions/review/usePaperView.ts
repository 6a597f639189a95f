import { useSyncExternalStore } from 'react'
import { browserStore } from '../../../lib/session/browser-store.ts'

export type PaperView = 'paper' | 'key' | 'both'

/** Papers are reviewed one after the other with the same things in sight. */
export const paperViewStore = browserStore(() => sessionStorage, 'assay.paper-view')

/** What is shown beside the grade. */
export function usePaperView(): [PaperView, (view: string) => void] {
  const stored = useSyncExternalStore(paperViewStore.subscribe, paperViewStore.get)
  return [stored === 'key' || stored === 'both' ? stored : 'paper', paperViewStore.set]
}
