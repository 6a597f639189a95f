import { Suspense, useEffect, useRef } from 'react'
import { Page } from 'react-pdf'
import { ErrorBoundary } from '../../errors/ErrorBoundary.tsx'
import type { OpenPdf } from './open-pdf.ts'
import classes from './PdfThumbnails.module.css'
import { type PageSize, type Rotation, rotatedSize } from './page-geometry.ts'

interface Props {
  pdf: OpenPdf['document']
  sizes: PageSize[]
  rotation: Rotation
  /** From 1. */
  current: number
  goTo: (page: number) => void
}

const WIDTH = 52
/** Pages drawn on either side of the current one. */
const RENDERED_AROUND = 12

export function PdfThumbnails({ pdf, sizes, rotation, current, goTo }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const item = list.current?.children[current - 1]
    if (item instanceof HTMLElement && list.current) {
      const { offsetTop, offsetHeight } = item
      const { scrollTop, clientHeight } = list.current
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
        list.current.scrollTo({ top: offsetTop - clientHeight / 2 })
    }
  }, [current])
  return (
    <nav aria-label="Pages" className={classes.rail}>
      <ol ref={list} className={classes.list}>
        {sizes.map((size, index) => {
          const number = index + 1
          const { width, height } = rotatedSize(size, rotation)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
            <li key={index}>
              <button
                type="button"
                className={classes.thumb}
                aria-label={`Go to page ${number}`}
                aria-current={number === current ? 'page' : undefined}
                onClick={() => goTo(number)}
              >
                <span className={classes.picture} style={{ width: WIDTH, aspectRatio: `${width} / ${height}` }}>
                  {Math.abs(number - current) <= RENDERED_AROUND && (
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
