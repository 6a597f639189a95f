import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { browserStore } from '../../lib/session/browser-store.ts'
import {
  columnHeight,
  currentPage,
  layOutPages,
  nextZoom,
  PAGE_GAP,
  type PageSize,
  PIXELS_PER_POINT,
  pagesInRange,
  type Rotation,
  rotatedSize,
  scrollTopToShow,
} from './page-geometry.ts'

/** `fit`, or a zoom where 1 is 100 %; null fits the width up to a comfortable scale. Kept for the whole class. */
const zoomStore = browserStore(() => sessionStorage, 'assay.paper-zoom')

/** CSS pixels a point; a letter-sized page is not made wider than this by itself. */
const MAX_COMFORTABLE_SCALE = 1.15 * PIXELS_PER_POINT

/** In heights of the window. */
const FAR = 2

export type PdfView = ReturnType<typeof usePdfView>

export function usePdfView(sizes: PageSize[], element: React.RefObject<HTMLDivElement | null>) {
  const storedZoom = useSyncExternalStore(zoomStore.subscribe, zoomStore.get)
  const [rotation, setRotation] = useState<Rotation>(0)
  const frame = useScrollFrame(element)

  const widest = Math.max(...sizes.map((size) => rotatedSize(size, rotation).width))
  const fitting = Math.max(0.1, (frame.width - 2 * PAGE_GAP) / widest)
  const wanted = Number(storedZoom)
  const chosen = wanted > 0 ? wanted * PIXELS_PER_POINT : null
  /** CSS pixels a point; 0 until the window has been measured. */
  const scale =
    frame.width === 0 ? 0 : (chosen ?? (storedZoom === 'fit' ? fitting : Math.min(fitting, MAX_COMFORTABLE_SCALE)))
  const zoom = scale / PIXELS_PER_POINT

  const positions = useMemo(() => layOutPages(sizes, scale, rotation), [sizes, scale, rotation])
  const height = columnHeight(positions)
  useKeepCenterOnZoom(element, height)

  /** Pages (from 0) to draw: those in the window and a window's height around it. */
  const [first, last] = pagesInRange(positions, frame.top - frame.height, frame.top + 2 * frame.height)

  /** `page` is from 0; `y` and `boxHeight` are points of the turned page. */
  const scrollToBox = useCallback(
    (page: number, y: number, boxHeight: number) => {
      const place = positions[page]
      const view = element.current
      if (!place || !view) return
      const target = scrollTopToShow(place.top + y * scale, boxHeight * scale, view.scrollTop, view.clientHeight)
      if (target === null) return
      // Page sizes that are just being read would stop smooth scrolling half-way.
      const isFar = Math.abs(target - view.scrollTop) > FAR * view.clientHeight
      view.scrollTo({ top: target, behavior: isFar ? 'instant' : 'smooth' })
    },
    [element, positions, scale],
  )

  return {
    scale,
    zoom,
    isFitWidth: scale === fitting,
    rotation,
    positions,
    height,
    width: Math.max(frame.width, widest * scale + 2 * PAGE_GAP),
    first,
    last,
    /** From 0. */
    current: currentPage(positions, frame.top, frame.height),
    zoomBy: (direction: 1 | -1) => zoomStore.set(String(nextZoom(zoom, direction))),
    fitWidth: () => zoomStore.set('fit'),
    rotate: () => setRotation((now) => (now === 0 ? 90 : now === 90 ? 180 : now === 180 ? 270 : 0)),
    scrollToBox,
    goToPage: (page: number) => element.current?.scrollTo({ top: (positions[page]?.top ?? 0) - PAGE_GAP }),
  }
}

/** In steps, so that not every scrolled pixel renders the screen. */
function useScrollFrame(element: React.RefObject<HTMLDivElement | null>) {
  const [frame, setFrame] = useState({ width: 0, height: 0, top: 0 })
  useEffect(() => {
    const view = element.current
    if (!view) return
    const look = () => {
      const next = { width: view.clientWidth, height: view.clientHeight, top: Math.round(view.scrollTop / 40) * 40 }
      setFrame((now) => (now.width === next.width && now.height === next.height && now.top === next.top ? now : next))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(view)
    view.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      view.removeEventListener('scroll', look)
    }
  }, [element])
  return frame
}

/** Keeps the middle of the window when the column grows or shrinks. */
function useKeepCenterOnZoom(element: React.RefObject<HTMLDivElement | null>, height: number) {
  const before = useRef(0)
  useLayoutEffect(() => {
    const view = element.current
    if (view && before.current > PAGE_GAP * 2 && height !== before.current) {
      const half = view.clientHeight / 2
      // Someone at the top stays there.
      if (view.scrollTop > 0) view.scrollTop = (view.scrollTop + half) * (height / before.current) - half
      view.scrollLeft = (view.scrollWidth - view.clientWidth) / 2
    }
    before.current = height
  }, [element, height])
}
