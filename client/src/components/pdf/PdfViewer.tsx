import { type ComponentProps, Suspense, useEffect, useState } from 'react'
import { SmartErrorBoundary } from '../../errors/SmartErrorBoundary.tsx'
import { afterPaint } from '../../lib/hooks/after-paint.ts'
import { lazyComponent } from '../../lib/loading/lazy-component.tsx'
import { PdfSkeleton } from './PdfSkeleton.tsx'

const PdfPages = lazyComponent(() => import('./PdfPages.tsx').then((part) => part.PdfPages))

type PagesProps = ComponentProps<typeof PdfPages>
type Props = Pick<PagesProps, 'source'> & Partial<PagesProps>

const nothing = () => {}

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

let isPainted = false

/** The viewer must not delay a screen's first data. */
function useAfterFirstPaint(): boolean {
  const [isAfter, setIsAfter] = useState(isPainted)
  useEffect(() => {
    if (isPainted) return setIsAfter(true)
    return afterPaint(() => {
      isPainted = true
      setIsAfter(true)
    })
  }, [])
  return isAfter
}
