import type { Box } from '@assay/shared/papers.ts'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Page } from 'react-pdf'
import { ErrorBoundary } from '../../errors/ErrorBoundary.tsx'
import type { OpenPdf } from './open-pdf.ts'
import classes from './PdfPage.module.css'
import thumbnailClasses from './PdfThumbnails.module.css'
import {
  type PagePosition,
  type PageSize,
  type Point,
  pointOnPage,
  type Rotation,
  rotatedSize,
  roundToTenth,
  unrotateBox,
} from './page-geometry.ts'
import type { PdfView } from './usePdfView.ts'

interface Props {
  pdf: OpenPdf['document']
  number: number
  size: PageSize
  position: PagePosition
  /** CSS pixels a point. */
  scale: number
  rotation: Rotation
  isNear: boolean
  children?: ReactNode
}

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

/** Larger canvases fail in some browsers, and cost 4 bytes a pixel. */
const MAX_PIXELS = 16_000_000

interface RenderedPageProps {
  pdf: OpenPdf['document']
  number: number
  scale: number
  rotate: number
  pixels: number
}

/** While a new size is drawn, the old picture is stretched: zooming never shows a blank page. */
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
        // Links on a student's paper must lead nowhere; form fields are drawn with the page.
        renderAnnotationLayer={false}
        renderTextLayer={one === scale}
        loading={null}
        onRenderSuccess={() => one === scale && setDrawn(scale)}
      />
    </div>
  ))
}

export interface PdfDrawing {
  /** `page` counts from 1; `box` is in points of the page. */
  done: (page: number, box: Box) => void
}

interface PdfDrawingLayerProps {
  page: PageSize
  rotation: Rotation
  done: (box: Box) => void
}

/** In points; smaller is a click that slipped. */
const LEAST = 6

export function PdfDrawingLayer({ page, rotation, done }: PdfDrawingLayerProps) {
  const { width, height } = rotatedSize(page, rotation)
  const [drag, setDrag] = useState<{ from: Point; to: Point } | null>(null)

  function end() {
    if (!drag) return
    const box = boxBetween(drag.from, drag.to)
    setDrag(null)
    if (box.width >= LEAST && box.height >= LEAST) done(rounded(unrotateBox(box, page, rotation)))
  }
  const box = drag && boxBetween(drag.from, drag.to)
  return (
    <svg
      className={classes.drawing}
      viewBox={`0 0 ${width} ${height}`}
      data-testid="drawing-layer"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const from = pointOnPage(event.currentTarget, event, { width, height })
        setDrag({ from, to: from })
      }}
      onPointerMove={(event) => {
        if (drag) setDrag({ ...drag, to: pointOnPage(event.currentTarget, event, { width, height }) })
      }}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      <title>Drag a rectangle</title>
      {box && <rect className={classes.box} {...box} />}
    </svg>
  )
}

const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: roundToTenth(x),
  y: roundToTenth(y),
  width: roundToTenth(width),
  height: roundToTenth(height),
})

const WIDTH = 52
const RENDERED_AROUND = 12

interface ThumbnailsProps {
  pdf: OpenPdf['document']
  sizes: PageSize[]
  view: PdfView
}

export function PdfThumbnails({ pdf, sizes, view: { rotation, current, goToPage } }: ThumbnailsProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const item = list.current?.children[current]
    if (item instanceof HTMLElement && list.current) {
      const { offsetTop, offsetHeight } = item
      const { scrollTop, clientHeight } = list.current
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
        list.current.scrollTo({ top: offsetTop - clientHeight / 2 })
    }
  }, [current])
  return (
    <nav aria-label="Pages" className={thumbnailClasses.rail}>
      <ol ref={list} className={thumbnailClasses.list}>
        {sizes.map((size, index) => {
          const number = index + 1
          const { width, height } = rotatedSize(size, rotation)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            <li key={index}>
              <button
                type="button"
                className={thumbnailClasses.thumb}
                aria-label={`Go to page ${number}`}
                aria-current={index === current ? 'page' : undefined}
                onClick={() => goToPage(index)}
              >
                <span
                  className={thumbnailClasses.picture}
                  style={{ width: WIDTH, aspectRatio: `${width} / ${height}` }}
                >
                  {Math.abs(index - current) <= RENDERED_AROUND && (
                    <ErrorBoundary name="pdf-thumbnail" maxRetries={0} renderError={() => null}>
                      <Suspense fallback={null}>
                        <Page
                          pdf={pdf}
                          pageNumber={number}
                          width={WIDTH}
                          rotate={(size.rotate + rotation) % 360}
                          renderAnnotationLayer={false}
                          renderTextLayer={false}
                          loading={null}
                        />
                      </Suspense>
                    </ErrorBoundary>
                  )}
                </span>
                {number}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
