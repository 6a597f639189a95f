import { type QuarterTurns, rotateImage } from '../geometry/quarter-turns.ts'
import { correctFlatField } from '../ocr/flat-field-correction.ts'
import { inkShare, withoutDarkEdges } from '../ocr/page-edges.ts'
import { detectSkew } from '../ocr/skew-detection.ts'
import { cutOut, type PageImage, resized, sharpOf, toGrey } from '../pdf/page-image.ts'
import { SIDE, type Spectrum, spectrumOf } from './fourier.ts'

/** Pixels per point. */
export const PRINT_SCALE = 1
export const COARSE = 8

/** Darkness of ink, 0 to 255, evenly lit and level. */
export interface PagePrint {
  width: number
  height: number
  ink: Uint8Array
  coarse: Spectrum
  /** Length of the coarse picture as a vector. */
  norm: number
}

/** Grey, at `PRINT_SCALE`, before it is turned. */
export interface LevelPage {
  image: PageImage
  ink: number
  skew: number
}

export async function levelPage(page: PageImage): Promise<LevelPage> {
  const even = { ...page, data: new Uint8Array(await correctFlatField(withoutDarkEdges(page))) }
  const skew = detectSkew(even)
  const image = Math.abs(skew) < 0.15 ? even : await rotate(even, -skew)
  return { image, ink: inkShare(even, 160), skew }
}

/** About the centre; the size stays, so the corners are cut off. */
async function rotate(page: PageImage, degrees: number): Promise<PageImage> {
  const turned = await toGrey(sharpOf(page).rotate(degrees, { background: '#ffffff' }))
  const [x, y] = [Math.floor((turned.width - page.width) / 2), Math.floor((turned.height - page.height) / 2)]
  return cutOut(turned, { x, y, width: page.width, height: page.height })
}

/** Paler is paper, noise, or print shining through from the back. */
const LEAST_INK = 48

export async function toPrint(level: LevelPage, turns: QuarterTurns, scale = 1): Promise<PagePrint> {
  const turned = await rotateImage(level.image, turns)
  const { width, height, data } = Math.abs(scale - 1) < 0.005 ? turned : await resized(turned, scale)
  const ink = new Uint8Array(width * height)
  for (let i = 0; i < ink.length; i += 1) {
    const dark = 255 - (data[i] ?? 255)
    ink[i] = dark < LEAST_INK ? 0 : dark
  }
  const picture = coarsePicture(ink, width, height)
  let square = 0
  for (const value of picture) square += value * value
  return { width, height, ink, coarse: spectrumOf(picture), norm: Math.sqrt(square) || 1 }
}

/** Ink by blocks, less the mean around it, so that its place counts and not its amount. */
function coarsePicture(ink: Uint8Array, width: number, height: number): Float32Array {
  const picture = new Float32Array(SIDE * SIDE)
  const [columns, rows] = [Math.min(SIDE, Math.floor(width / COARSE)), Math.min(SIDE, Math.floor(height / COARSE))]
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      let sum = 0
      for (let y = 0; y < COARSE; y += 1)
        for (let x = 0; x < COARSE; x += 1) sum += ink[(row * COARSE + y) * width + column * COARSE + x] ?? 0
      picture[row * SIDE + column] = Math.sqrt(sum)
    }
  const mean = picture.reduce((total, one) => total + one, 0) / Math.max(1, rows * columns)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      picture[row * SIDE + column] = (picture[row * SIDE + column] ?? 0) - mean
  return picture
}
