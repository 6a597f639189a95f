import { type ReactNode, Suspense, useState } from 'react'
import { Page } from 'react-pdf'
import { ErrorBoundary } from '../../errors/ErrorBoundary.tsx'
import type { OpenPdf } from './open-pdf.ts'
import classes from './PdfPage.module.css'
import type { PagePosition, PageSize, Rotation } from './page-geometry.ts'

interface Props {
  pdf: OpenPdf['document']
  number: number
  size: PageSize
  position: PagePosition
  /** CSS pixels a point. */
  scale: number
  rotation: Rotation
  /** False leaves the sheet blank: it is far from what is being looked at. */
  isNear: boolean
  /** What lies on the page. */
  children?: ReactNode
}

/** One page. Its position and size do not depend on whether it is drawn. */
export function PdfPage({ pdf, number, size, position, scale, rotation, isNear, children }: Props) {
  const { top, width, height } = position
  const rotate = (size.rotate + rotation) % 360
  return (
    <section className={classes.sheet} style={{ top, width, height }} aria-label={`Page ${number} of ${pdf.numPages}`}>
      {isNear && (
        <ErrorBoundary
          name="pdf-page"
          maxRetries={0}
          renderError={() => <p className={classes.failed}>This page could not be shown.</p>}
        >
          <Suspense fallback={null}>
            <RenderedPage
              key={rotate}
              pdf={pdf}
              number={number}
              scale={scale}
              rotate={rotate}
              pixels={width * height}
            />
          </Suspense>
        </ErrorBoundary>
      )}
      {children}
    </section>
  )
}

/** Canvases larger than this fail in some browsers, and cost 4 bytes a pixel. */
const MAX_PIXELS = 16_000_000

interface RenderedPageProps {
  pdf: OpenPdf['document']
  number: number
  scale: number
  rotate: number
  pixels: number
}

/** While a new size is being drawn, the old picture is shown instead, stretched: zooming never shows a blank page. */
function RenderedPage({ pdf, number, scale, rotate, pixels }: RenderedPageProps) {
  const [drawn, setDrawn] = useState(scale)
  const density = Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / Math.max(1, pixels)))
  const scales = drawn === scale ? [scale] : [scale, drawn]
  return scales.map((one) => (
    <div key={one} className={classes.picture} style={{ transform: `scale(${scale / one})` }}>
      <Page
        pdf={pdf}
        pageNumber={number}
        scale={one}
        rotate={rotate}
        devicePixelRatio={density}
        // Links on a student's paper lead nowhere; what is typed into fields is drawn with the page.
        renderAnnotationLayer={false}
        renderTextLayer={one === scale}
        loading={null}
        onRenderSuccess={() => one === scale && setDrawn(scale)}
      />
    </div>
  ))
}
