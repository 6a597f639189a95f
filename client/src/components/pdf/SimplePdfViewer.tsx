import { Suspense } from 'react'
import { SmartErrorBoundary } from '../../errors/SmartErrorBoundary.tsx'
import { lazyComponent } from '../../lib/loading/lazy-component.tsx'
import type { PdfSource } from './open-pdf.ts'
import { PdfSkeleton } from './PdfSkeleton.tsx'

const PdfPages = lazyComponent(() => import('./PdfPages.tsx').then((part) => part.PdfPages))

const nothing = () => {}

/** A PDF to read, with nothing marked on it; it is loaded when it is first shown. */
export function SimplePdfViewer({ source }: { source: PdfSource }) {
  return (
    <SmartErrorBoundary context="file" beforeRetry={PdfPages.loadAgain}>
      <Suspense fallback={<PdfSkeleton />}>
        <PdfPages
          source={source}
          next={null}
          highlights={[]}
          selected={null}
          hovered={null}
          select={nothing}
          hover={nothing}
          scrollTarget={null}
        />
      </Suspense>
    </SmartErrorBoundary>
  )
}
