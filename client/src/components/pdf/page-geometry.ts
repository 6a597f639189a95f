import type { Box, TurnedPage } from '@assay/shared/papers.ts'

/** Clockwise, by the reader, on top of the page's own rotation. */
export type Rotation = 0 | 90 | 180 | 270

/** In points; `rotate` is the page's own rotation, already in width and height. */
export interface PageSize {
  width: number
  height: number
  rotate: number
}

/** In points. */
export interface Point {
  x: number
  y: number
}

/** In CSS pixels. */
export interface PagePosition {
  top: number
  width: number
  height: number
}

/** CSS pixels between and around pages. */
export const PAGE_GAP = 20

/** An inch is 72 points and 96 CSS pixels. */
export const PIXELS_PER_POINT = 96 / 72

const zoomSteps = [0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

/** 1 is 100 %. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  if (direction === 1) return zoomSteps.find((step) => step > zoom + 0.01) ?? 4
  return zoomSteps.findLast((step) => step < zoom - 0.01) ?? 0.33
}

export function rotatedSize({ width, height }: PageSize, turn: Rotation): { width: number; height: number } {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width }
}

export function uprightSizes(sizes: PageSize[], turned: readonly TurnedPage[]): PageSize[] {
  if (turned.length === 0) return sizes
  return sizes.map((size, index) => {
    const turn = turned.find(({ page }) => page === index + 1)?.turned ?? 0
    return { ...rotatedSize(size, turn), rotate: (size.rotate + turn) % 360 }
  })
}

/** Of the page as shown, where a pointer is; at its edge for one outside. */
export function pointOnPage(
  shown: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
  { width, height }: { width: number; height: number },
): Point {
  const frame = shown.getBoundingClientRect()
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value))
  return {
    x: within(((clientX - frame.left) / frame.width) * width, width),
    y: within(((clientY - frame.top) / frame.height) * height, height),
  }
}

export const roundToTenth = (value: number) => Math.round(value * 10) / 10

/** From the page as shown to the rotated page. */
export function rotateBox(box: Box, page: PageSize, turn: Rotation): Box {
  const { x, y, width, height } = box
  if (turn === 90) return { x: page.height - y - height, y: x, width: height, height: width }
  if (turn === 180) return { x: page.width - x - width, y: page.height - y - height, width, height }
  if (turn === 270) return { x: y, y: page.width - x - width, width: height, height: width }
  return box
}

export function unrotateBox(box: Box, page: PageSize, turn: Rotation): Box {
  const { width, height } = rotatedSize(page, turn)
  const back: Rotation = turn === 90 ? 270 : turn === 270 ? 90 : turn
  return rotateBox(box, { ...page, width, height }, back)
}

/** `scale` is CSS pixels a point. */
export function layOutPages(pages: PageSize[], scale: number, turn: Rotation): PagePosition[] {
  let top = PAGE_GAP
  return pages.map((page) => {
    const size = rotatedSize(page, turn)
    const place = { top, width: Math.floor(size.width * scale), height: Math.floor(size.height * scale) }
    top += place.height + PAGE_GAP
    return place
  })
}

export function columnHeight(places: PagePosition[]): number {
  const last = places.at(-1)
  return last ? last.top + last.height + PAGE_GAP : 0
}

/** From 0. */
export function pagesInRange(places: PagePosition[], from: number, to: number): [first: number, last: number] {
  const first = places.findIndex((place) => place.top + place.height >= from)
  const last = places.findLastIndex((place) => place.top <= to)
  return first === -1 ? [places.length - 1, places.length - 1] : [first, Math.max(first, last)]
}

/** From 0; the page across the line a third down the window. */
export function currentPage(places: PagePosition[], scrollTop: number, windowHeight: number): number {
  return pagesInRange(places, scrollTop + windowHeight / 3, scrollTop + windowHeight / 3)[0]
}

/** A quarter down the window; null when it is well in view already. */
export function scrollTopToShow(top: number, height: number, scrollTop: number, windowHeight: number): number | null {
  const margin = 24
  const inView = top - margin >= scrollTop && top + height + margin <= scrollTop + windowHeight
  return inView ? null : Math.max(0, top - windowHeight / 4)
}
