import 'react-pdf/dist/Page/TextLayer.css'
import type { TurnedPage } from '@assay/shared/papers.ts'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowAutofitWidth, IconMinus, IconPencil, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import { type ReactNode, Suspense, use, useEffect, useMemo, useRef, useState } from 'react'
import { useKeyboardShortcuts } from '../../lib/hooks/useKeyboardShortcuts.ts'
import { SecondaryButton } from '../display/buttons.tsx'
import { ToolButton } from '../display/ToolButton.tsx'
import { closePdf, closePdfsExcept, type OpenPdf, openPdf, PdfLoadError, type PdfSource, pageSize } from './open-pdf.ts'
import { type HighlightState, type PdfHighlight, PdfHighlights } from './PdfHighlights.tsx'
import { type PdfDrawing, PdfDrawingLayer, PdfPage, PdfThumbnails } from './PdfPage.tsx'
import classes from './PdfPages.module.css'
import { PdfSkeleton } from './PdfSkeleton.tsx'
import pdfToolbarClasses from './PdfToolbar.module.css'
import { type PageSize, rotateBox, uprightSizes } from './page-geometry.ts'
import { PenLayer } from './pen/PenLayer.tsx'
import { PenToolbar } from './pen/PenToolbar.tsx'
import { type Pen, usePenSurface } from './pen/pen.ts'
import type { QuestionToFind } from './question-place.ts'
import { type PdfView, usePdfView } from './usePdfView.ts'
import { useQuestionPlace } from './useQuestionPlace.ts'

interface Props extends HighlightState {
  source: PdfSource
  next: PdfSource | null
  highlights: PdfHighlight[]
  /** A group to bring into view; a new object asks again. */
  scrollTarget: { group: string } | null
  question?: QuestionToFind | null
  tools?: ReactNode
  /** Pages scanned on their side or upside down; places on them are those of the turned page. */
  turnedPages?: readonly TurnedPage[]
  drawing?: PdfDrawing | null
  pen?: Pen | null
  /** Tells two papers apart that are shown together, without thumbnails for lack of room. */
  name?: string | undefined
}

/** Heavy: load it with `lazy`. */
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
      <SecondaryButton
        onClick={() => {
          closePdf(props.source)
          retry()
        }}
      >
        Try Again
      </SecondaryButton>
    </div>
  )
}

function Viewer({
  pdf,
  highlights,
  selected,
  hovered,
  select,
  hover,
  scrollTarget,
  tools,
  turnedPages,
  drawing = null,
  pen = null,
  name,
  question = null,
}: Omit<Props, 'source' | 'next'> & { pdf: OpenPdf }) {
  const scanned = usePageSizes(pdf)
  const sizes = useMemo(() => uprightSizes(scanned, turnedPages ?? []), [scanned, turnedPages])
  const scroller = useRef<HTMLDivElement>(null)
  const view = usePdfView(sizes, scroller)
  const { positions, scale, rotation, zoomBy, scrollToBox } = view
  const isShown = scale > 0
  const surface = usePenSurface()
  const [penOpen, setPenOpen] = useState(false)
  const edit = penOpen ? (pen?.edit ?? null) : null
  const togglePen = () => {
    setPenOpen(!penOpen)
    surface.choose(penOpen ? null : 'ink')
  }
  useKeyboardShortcuts({ d: pen?.edit ? togglePen : undefined })
  const roomy = useMediaQuery('(min-width: 64em)')
  const byPage = useMemo(() => Map.groupBy(highlights, (mark) => mark.page), [highlights])

  const asked = useRef<Props['scrollTarget']>(null)
  useEffect(() => {
    if (!scrollTarget || asked.current === scrollTarget || scale === 0) return
    asked.current = scrollTarget
    const mark = highlights.find((one) => one.group === scrollTarget.group)
    const page = mark && sizes[mark.page - 1]
    if (!mark || !page) return
    const box = rotateBox(mark.box, page, rotation)
    scrollToBox(mark.page - 1, box.y, box.height)
  }, [scrollTarget, highlights, sizes, rotation, scale, scrollToBox])

  const place = useQuestionPlace(pdf, question)
  useEffect(() => {
    const page = place && sizes[place.page - 1]
    if (!page || !isShown) return
    const box = rotateBox(place.box, page, rotation)
    scrollToBox(place.page - 1, box.y, box.height)
  }, [place, sizes, rotation, isShown, scrollToBox])

  useEffect(() => {
    const element = scroller.current
    const zoom = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoomBy(event.deltaY < 0 ? 1 : -1)
    }
    element?.addEventListener('wheel', zoom, { passive: false })
    return () => element?.removeEventListener('wheel', zoom)
  }, [zoomBy])

  return (
    <div className={classes.root}>
      <PdfToolbar name={name} pages={sizes.length} view={view}>
        {pen?.edit && (
          <ToolButton label="Draw on the paper" keyName="d" pressed={penOpen} onClick={togglePen}>
            <IconPencil size={18} />
          </ToolButton>
        )}
        {tools}
      </PdfToolbar>
      {edit && <PenToolbar edit={edit} surface={surface} />}
      <div className={classes.below}>
        {roomy && !name && sizes.length > 1 && <PdfThumbnails pdf={pdf.document} sizes={sizes} view={view} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard too */}
        <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label="The paper">
          <div className={classes.column} style={{ height: view.height, width: view.width }}>
            {scale > 0 &&
              sizes.map((size, index) => {
                const place = positions[index]
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
                      position={place}
                      scale={scale}
                      rotation={rotation}
                      isNear={near}
                    >
                      {near && own.length > 0 && (
                        <PdfHighlights
                          highlights={own}
                          page={size}
                          rotation={rotation}
                          selected={selected}
                          hovered={hovered}
                          select={select}
                          hover={hover}
                        />
                      )}
                      {near && pen && (
                        <PenLayer
                          pen={pen}
                          surface={edit && surface}
                          number={index + 1}
                          page={size}
                          rotation={rotation}
                          pan={(x, y) => scroller.current?.scrollBy(x, y)}
                        />
                      )}
                      {near && drawing && (
                        <PdfDrawingLayer page={size} rotation={rotation} done={(box) => drawing.done(index + 1, box)} />
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

interface PdfToolbarProps {
  name: string | undefined
  pages: number
  view: PdfView
  children: ReactNode
}

function PdfToolbar({ name, pages, view, children }: PdfToolbarProps) {
  return (
    <div className={pdfToolbarClasses.root} role="toolbar" aria-label="Paper">
      <div className={pdfToolbarClasses.place}>
        {name && <strong className={pdfToolbarClasses.name}>{name}</strong>}
        <span className={pdfToolbarClasses.page}>
          Page {view.current + 1} of {pages}
        </span>
      </div>
      <div className={pdfToolbarClasses.tools}>
        <ToolButton label="Zoom out" onClick={() => view.zoomBy(-1)}>
          <IconMinus size={17} />
        </ToolButton>
        <output className={pdfToolbarClasses.zoom} aria-label="Zoom">
          {Math.round(view.zoom * 100)} %
        </output>
        <ToolButton label="Zoom in" onClick={() => view.zoomBy(1)}>
          <IconPlus size={17} />
        </ToolButton>
        <ToolButton label="Fit width" onClick={view.fitWidth} pressed={view.isFitWidth}>
          <IconArrowAutofitWidth size={18} />
        </ToolButton>
        <ToolButton label="Rotate clockwise" onClick={view.rotate}>
          <IconRotateClockwise size={17} />
        </ToolButton>
        {children}
      </div>
    </div>
  )
}

/** Suspends until the PDF is open or has failed. */
function useOpenPdf(source: PdfSource): OpenPdf | PdfLoadError {
  const open = openPdf(source)
  return open instanceof Promise ? use(open) : open
}

/** Several viewers may be open, such as a paper and the key beside it. */
const held = new Set<PdfSource[]>()

/** In ms, after the pages are gone: pdf.js stops a cancelled drawing after 100 ms. */
const STOPPED_MS = 500

function usePdfPreloading(current: PdfSource, next: PdfSource | null): void {
  useEffect(() => {
    const own = next ? [current, next] : [current]
    held.add(own)
    if (next) void openPdf(next)
    return () => {
      held.delete(own)
      setTimeout(() => closePdfsExcept([...held].flat()), STOPPED_MS)
    }
  }, [current, next])
}

const BATCH_SIZE = 25

function usePageSizes({ document, first }: OpenPdf): PageSize[] {
  const [sizes, setSizes] = useState(() => Array.from({ length: document.numPages }, () => first))
  useEffect(() => {
    let over = false
    async function measure() {
      for (let start = 1; start < document.numPages && !over; start += BATCH_SIZE) {
        const count = Math.min(BATCH_SIZE, document.numPages - start)
        const some = await Promise.all(
          // An unreadable page shows its error in its place, as large as the first.
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
