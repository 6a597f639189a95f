import { useMemo, useSyncExternalStore } from 'react'
import { tokenStore } from '../../lib/session/browser-store.ts'
import type { PdfSource } from './open-pdf.ts'

export function usePdfSource(url: string): PdfSource
export function usePdfSource(url: string | null): PdfSource | null
export function usePdfSource(url: string | null): PdfSource | null {
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  return useMemo(() => (url ? { url, headers: { Authorization: `Bearer ${token ?? ''}` } } : null), [url, token])
}
