import 'react-pdf/dist/Page/TextLayer.css'
import type { TurnedPage } from '@assay/shared/papers.ts'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { closePdfsExcept, type OpenPdf, PdfLoadError, type PdfSource } from './open-pdf.ts'
import { type PdfHighlight, PdfHighlights } from './PdfHighlights.tsx'
import { PdfPage } from './PdfPage.tsx'
import classes from './PdfPages.module.css'
import { PdfSkeleton } from './PdfSkeleton.tsx'
import { PdfThumbnails } from './PdfThumbnails.tsx'
import { PdfToolbar } from './PdfToolbar.tsx'
import { rotateBox, uprightSizes } from './page-geometry.ts'
import { useOpenPdf, usePageSizes, usePdfPreloading } from './useOpenPdf.ts'
import { usePdfView } from './usePdfView.ts'

interface Props {
  source: PdfSource
  /** Opened meanwhile, so that the next paper is there at once. */
  next: PdfSource | null
  marks: PdfHighlight[]
  chosen: string | null
  pointed: string | null
  choose: (group: string) => void
  point: (group: string | null) => void
  /** A group to bring into view; a new object each time it is asked for. */
  look: { group: string } | null
  /** What a screen adds to the bar above the paper. */
  tools?: ReactNode
  /** Pages that were scanned on their side or upside down; places on them are those of the page so turned. */
  turned?: readonly TurnedPage[]
}

/** A PDF to read, with places on it that can be pointed at. Heavy: load it with `lazy`. */
export function PdfPages(props: Props) {
  const { source, next } = props
  const [tries, setTries] = useState(0)
  usePdfPreloading(source, next)
  return (
    <Suspense fallback={<PdfSkeleton />}>
      <OpenedPdf key={`${source.url} ${tries}`} {...props} retry={() => setTries(tries + 1)} />
    </Suspense>
  )
}

function OpenedPdf({ retry, ...props }: Props & { retry: () => void }) {
  const pdf = useOpenPdf(props.source)
  if (!(pdf instanceof PdfLoadError)) return <Viewer {...props} pdf={pdf} />
  return (
    <div className={classes.failed} role="alert">
      <p>{pdf.message}</p>
      <Button
        variant="default"
        onClick={() => {
          closePdfsExcept([])
          retry()
        }}
      >
        Try Again
      </Button>
    </div>
  )
}

function Viewer({
  pdf,
  marks,
  chosen,
  pointed,
  choose,
  point,
  look,
  tools,
  turned,
}: Omit<Props, 'source' | 'next'> & { pdf: OpenPdf }) {
  const scanned = usePageSizes(pdf)
  const sizes = useMemo(() => uprightSizes(scanned, turned ?? []), [scanned, turned])
  const scroller = useRef<HTMLDivElement>(null)
  const view = usePdfView(sizes, scroller)
  const { places, scale, turn, zoomBy, show } = view
  const roomy = useMediaQuery('(min-width: 64em)')
  const byPage = useMemo(() => Map.groupBy(marks, (mark) => mark.page), [marks])

  const asked = useRef<Props['look']>(null)
  useEffect(() => {
    if (!look || asked.current === look || scale === 0) return
    asked.current = look
    const mark = marks.find((one) => one.group === look.group)
    const page = mark && sizes[mark.page - 1]
    if (!mark || !page) return
    const box = rotateBox(mark.box, page, turn)
    show(mark.page - 1, box.y, box.height)
  }, [look, marks, sizes, turn, scale, show])

  useEffect(() => {
    const element = scroller.current
    const zoom = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      // Else the browser would make the whole program larger.
      event.preventDefault()
      zoomBy(event.deltaY < 0 ? 1 : -1)
    }
    element?.addEventListener('wheel', zoom, { passive: false })
    return () => element?.removeEventListener('wheel', zoom)
  }, [zoomBy])

  return (
    <div className={classes.root}>
      <PdfToolbar
        page={view.current + 1}
        pages={sizes.length}
        zoom={view.zoom}
        fits={view.fits}
        zoomBy={zoomBy}
        fit={view.fit}
        turn={view.turnOn}
        more={tools}
      />
      <div className={classes.below}>
        {roomy && sizes.length > 1 && (
          <PdfThumbnails
            pdf={pdf.document}
            sizes={sizes}
            turn={turn}
            current={view.current + 1}
            goTo={(page) => view.goTo(page - 1)}
          />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard too */}
        <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label="The paper">
          <div className={classes.column} style={{ height: view.height, width: view.width }}>
            {scale > 0 &&
              sizes.map((size, index) => {
                const place = places[index]
                const own = byPage.get(index + 1) ?? []
                const near = index >= view.first && index <= view.last
                return (
                  place && (
                    <PdfPage
                      // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
                      key={index}
                      pdf={pdf.document}
                      number={index + 1}
                      size={size}
                      place={place}
                      scale={scale}
                      turn={turn}
                      near={near}
                    >
                      {near && own.length > 0 && (
                        <PdfHighlights
                          marks={own}
                          page={size}
                          turn={turn}
                          chosen={chosen}
                          pointed={pointed}
                          choose={choose}
                          point={point}
                        />
                      )}
                    </PdfPage>
                  )
                )
              })}
          </div>
        </section>
      </div>
    </div>
  )
}
