import { use, useEffect, useState } from 'react'
import { closePdfsExcept, type OpenPdf, openPdf, type PdfLoadError, type PdfSource, pageSize } from './open-pdf.ts'
import type { PageSize } from './page-geometry.ts'

/** The open PDF, or why it cannot be opened; suspends until one of them is known. */
export function useOpenPdf(source: PdfSource): OpenPdf | PdfLoadError {
  const open = openPdf(source)
  return open instanceof Promise ? use(open) : open
}

/** What each viewer on the screen holds open: there may be several, such as a paper and the key beside it. */
const held = new Set<PdfSource[]>()
const closeUnheld = () => closePdfsExcept([...held].flat())

/** Holds the current PDF and the next one open, as long as the viewer is there. */
export function usePdfPreloading(current: PdfSource, next: PdfSource | null): void {
  useEffect(() => {
    const own = next ? [current, next] : [current]
    held.add(own)
    if (next) void openPdf(next)
    closeUnheld()
    return () => {
      held.delete(own)
      // Later, because React's strict mode leaves and comes back at once.
      setTimeout(closeUnheld, 0)
    }
  }, [current, next])
}

const BATCH_SIZE = 25

/** Every page's size, as they become known. */
export function usePageSizes({ document, first }: OpenPdf): PageSize[] {
  const [sizes, setSizes] = useState(() => Array.from({ length: document.numPages }, () => first))
  useEffect(() => {
    let over = false
    async function measure() {
      for (let start = 1; start < document.numPages && !over; start += BATCH_SIZE) {
        const count = Math.min(BATCH_SIZE, document.numPages - start)
        const some = await Promise.all(
          // A page that cannot be read shows its error in its place; until it is read, it is assumed to be as large as the first.
          Array.from({ length: count }, (_, i) => pageSize(document, start + i + 1).catch(() => first)),
        )
        if (!over) setSizes((all) => all.toSpliced(start, count, ...some))
      }
    }
    void measure()
    return () => {
      over = true
    }
  }, [document, first])
  return sizes
}
