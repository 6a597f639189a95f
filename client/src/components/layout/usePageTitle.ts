import { useEffect } from 'react'

/** The browser tab's title; the most telling word first. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Assay` : 'Assay'
  }, [title])
}
