import { median, sum } from '../../lib/numbers.ts'
import { cellsAround } from '../geometry/grid.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { findInkBlobs, type InkBlob } from './ink-blobs.ts'

const BLOCKS = 280
/** Of the paper's brightness. */
const DARK = 0.35
const LESS_DARK = 0.7
/** Share of the longer side; farther in, a dark area is part of the page. */
const DEEPEST = 0.08
const LEAST_PAPER = 110

/** A scanner's black border hides how the sheet lies, and is no ink. */
export function withoutDarkEdges(image: PageImage): PageImage {
  const { data, width, height } = image
  const side = Math.max(3, Math.round(Math.max(width, height) / BLOCKS))
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)]
  const paper = median(Array.from({ length: 10_000 }, (_, i) => data[Math.floor((i * data.length) / 10_000)] ?? 255))
  const deep = Math.round(DEEPEST * BLOCKS)
  const depth = (block: number) => {
    const [x, y] = [block % columns, Math.floor(block / columns)]
    return Math.min(x, y, columns - 1 - x, rows - 1 - y)
  }
  const pixelsOf = function* (block: number) {
    const [x0, y0] = [(block % columns) * side, Math.floor(block / columns) * side]
    for (let y = y0; y < Math.min(height, y0 + side); y += 1)
      for (let x = x0; x < Math.min(width, x0 + side); x += 1) yield y * width + x
  }
  const isDark = (block: number) => {
    const own = Array.from(pixelsOf(block), (at) => data[at] ?? 255)
    return sum(own) < DARK * paper * own.length
  }
  const blocks = Array.from({ length: columns * rows }, (_, block) => block)
  const border = new Set(paper < LEAST_PAPER ? [] : blocks.filter((block) => depth(block) === 0 && isDark(block)))
  if (border.size === 0) return image
  const around = (block: number) => cellsAround(block, { width: columns, height: rows })
  for (const block of border)
    for (const next of around(block)) if (!border.has(next) && depth(next) < deep && isDark(next)) border.add(next)
  const painted = Uint8Array.from(data)
  for (const block of border)
    for (const near of around(block))
      for (const at of pixelsOf(near))
        if (border.has(near) || (data[at] ?? 255) < LESS_DARK * paper) painted[at] = paper
  return { ...image, data: painted }
}

/** An evenly lit page with more is not empty, whatever it is. */
const SURELY_INK = 0.03

/** Share darker than `dark`, without frames, punched holes and the very edge. */
export function inkShare(page: PageImage, dark: number): number {
  const { data } = page
  let all = 0
  for (const value of data) if (value < dark) all += 1
  if (all > SURELY_INK * data.length) return all / data.length
  const ink = findInkBlobs(page, dark).filter((blob) => !isOfSheet(blob, page))
  return sum(ink.map(({ pixels }) => pixels)) / data.length
}

function isOfSheet({ x0, y0, x1, y1, pixels }: InkBlob, page: PageImage): boolean {
  const [width, height] = [x1 - x0 + 1, y1 - y0 + 1]
  const [across, down] = [width / page.width, height / page.height]
  const isWithin = (margin: number) =>
    x1 < margin * page.width ||
    x0 > (1 - margin) * page.width ||
    y1 < margin * page.height ||
    y0 > (1 - margin) * page.height
  const isThin = pixels < 0.05 * width * height || Math.min(width, height) < 0.01 * page.width
  const isFrame = isThin && ((across > 0.7 && down > 0.7) || (Math.max(across, down) > 0.5 && isWithin(0.12)))
  const isRound = pixels > 0.65 * width * height && Math.max(width, height) < 1.6 * Math.min(width, height)
  const isHole = isRound && Math.min(width, height) > 0.012 * page.width && isWithin(0.12)
  return isFrame || isHole || isWithin(0.03)
}
