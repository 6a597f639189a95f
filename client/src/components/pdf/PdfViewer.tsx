import { type ComponentProps, Suspense } from 'react'
import { SmartErrorBoundary } from '../../errors/SmartErrorBoundary.tsx'
import { useAfterFirstPaint } from '../../lib/hooks/useAfterFirstPaint.ts'
import { lazyComponent } from '../../lib/loading/lazy-component.tsx'
import { PdfSkeleton } from './PdfSkeleton.tsx'

const PdfPages = lazyComponent(() => import('./PdfPages.tsx').then((part) => part.PdfPages))

type PagesProps = ComponentProps<typeof PdfPages>
type Props = Pick<PagesProps, 'source'> & Partial<PagesProps>

const nothing = () => {}

/** Loaded when it is first shown, and not before a screen's first data. */
export function PdfViewer(props: Props) {
  const mayLoad = useAfterFirstPaint()
  return (
    <SmartErrorBoundary context="file" beforeRetry={PdfPages.loadAgain}>
      <Suspense fallback={<PdfSkeleton />}>
        {mayLoad ? (
          <PdfPages
            next={null}
            highlights={[]}
            selected={null}
            hovered={null}
            select={nothing}
            hover={nothing}
            scrollTarget={null}
            {...props}
          />
        ) : (
          <PdfSkeleton />
        )}
      </Suspense>
    </SmartErrorBoundary>
  )
}
