import type { PageImage } from '../pdf/page-image.ts'
import type { InkBlob } from './ink-blobs.ts'
import { type Figures, heightOf, type InkedSymbol, middle, widthOf } from './symbol-ink.ts'

/** Of a figure's height: how far a raised one is above the line, at its foot and at its middle, and how high it is. */
const FOOT = 0.28
const MIDDLE = 0.55
const SMALL = 0.85
const SPECK = 0.1
/** What Tesseract takes raised figures for; quotation marks, degrees and stars are raised themselves. */
const MAY_BE_FIGURE = /^[\d?%!™®ª]$/

/** Whether what was read as one letter stands above the line, as exponents do. */
export function isRaised({ text, main, others, bbox }: InkedSymbol, { height, baseline }: Figures): boolean {
  if (!main || !MAY_BE_FIGURE.test(text) || baseline - bbox.y1 < 0.8 * FOOT * height) return false
  return [main, ...others].every(
    (blob) =>
      Math.max(heightOf(blob), widthOf(blob)) < SPECK * height ||
      (baseline - blob.y1 > FOOT * height &&
        baseline - middle(blob.y0, blob.y1) > MIDDLE * height &&
        heightOf(blob) < SMALL * height),
  )
}

/** Of its width, a minus is less high; of its height, a one is less wide, and two figures in one blob wider. */
const FLAT = 0.5
const NARROW = 0.5
const WIDEST = 0.9
/** Where, between left and right, the ink of the lower half lies: left in a two, right in a three. */
const TWO = 0.56
const THREE = 0.61

/** The raised figures of one letter read: `-3`, `2`. Null where they cannot be told. */
export function readRaised({ text, main, others }: InkedSymbol, image: PageImage): string | null {
  const blobs = [...(main ? [main] : []), ...others].toSorted((a, b) => a.x0 - b.x0)
  const figures = blobs.filter((blob) => !isMinus(blob))
  const [only] = figures
  if (!only) return blobs.length === 1 ? '-' : null
  if (figures.length > 1 || widthOf(only) > WIDEST * heightOf(only)) return null
  const minus = blobs.length > 1 && blobs[0] !== only ? '-' : ''
  if (/^\d$/.test(text) && text !== '2' && text !== '3') return minus + text
  if (widthOf(only) < NARROW * heightOf(only)) return `${minus}1`
  const share = lowerInk(only, image)
  if (share < (text === '2' ? THREE : TWO)) return `${minus}2`
  return share > (text === '3' ? TWO : THREE) ? `${minus}3` : null
}

const isMinus = (blob: InkBlob): boolean => heightOf(blob) < FLAT * widthOf(blob)

function lowerInk({ x0, x1, y0, y1 }: InkBlob, { data, width }: PageImage): number {
  let [ink, moment] = [0, 0]
  for (let y = Math.round(y0 + 0.55 * (y1 - y0)); y <= y0 + 0.8 * (y1 - y0); y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const dark = 255 - (data[y * width + x] ?? 255)
      ink += dark
      moment += dark * (x - x0)
    }
  return ink === 0 ? (TWO + THREE) / 2 : moment / ink / Math.max(1, x1 - x0)
}
