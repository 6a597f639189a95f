import type { Box, Line } from '@assay/shared/papers.ts'
import type { PageViewport } from 'pdfjs-dist'
import { bottom, grown, overlapX, overlapY, right, touches, union } from '../geometry/boxes.ts'
import { toPageBox } from '../geometry/matrix.ts'
import type { Ocr, OcrPage } from '../ocr/ocr.ts'
import type { PaperLimits } from '../paper-limits.ts'
import type { PageGraphics } from '../pdf/page-graphics.ts'
import { cutOut, type PageImage } from '../pdf/page-image.ts'
import type { PdfiumDocument } from '../pdf/pdfium-document.ts'
import type { DrawnText } from '../pdf/pdfium-page.ts'
import type { Progress } from '../reading/reading-messages.ts'
import { readPhotographedPage } from '../sheet/read-photographed-page.ts'
import { insertLines } from '../text/insert-lines.ts'
import { brightnessOf, isWhite } from './box-brightness.ts'
import { compareWithOcr } from './compare-with-ocr.ts'
import { markHiddenLines, type StyledText } from './mark-hidden-lines.ts'

export interface PageInspection {
  document: PdfiumDocument
  ocr: Ocr
  limits: PaperLimits
  progress: Progress
  /** Which may fill letters: pdfium's objects tell neither. */
  layersOrPatterns: boolean
}

const minImageShare = 0.08
/** From this share on, an image is a scan and invisible text over it its OCR layer. */
const minScanShare = 0.6
/** Pixels per point: ink of text shows at a half, a scan's small print does not. */
const inkScale = 0.5
const scanScale = 1
/** Of 255, between paper and writing; above a scan's noise. */
const minWritingContrast = 60

interface InspectedPage extends OcrPage {
  /** White or damaged. */
  emptyPicture: boolean
}

/** `turns` make a scanned page upright. @param newFonts the page may have fonts that no page before it has */
export async function inspectPage(
  number: number,
  viewport: PageViewport,
  lines: Line[],
  { pictures, paths, mayHideText, annotations }: PageGraphics,
  newFonts: boolean,
  { document, limits, progress, ocr, layersOrPatterns }: PageInspection,
): Promise<InspectedPage> {
  const page = { width: viewport.width, height: viewport.height }
  progress.step()
  const mayHide = mayHideText || annotations || layersOrPatterns
  const drawn = lines.length > 0 && (mayHide || newFonts) ? document.readDrawnTexts(number) : []
  const suspect = newFonts ? findMismatchedGlyphs(drawn).map(({ rect }) => toPageBox(rect, viewport)) : []
  const large = pictures
    .map((rect) => clipToPage(toPageBox(rect, viewport), page))
    .filter((box) => areaShare(box, page) > minImageShare)
  const isScan = large.some((box) => areaShare(box, page) > minScanShare)
  let visibleLines = lines
  // Drawing the page is the most expensive step, and most pages need none.
  if (lines.length > 0 && (mayHide || suspect.length > 0)) {
    const ink = document.renderTextInk(number, isScan ? scanScale : inkScale, limits)
    visibleLines = markHiddenLines(lines, toStyledTexts(drawn, viewport), ink, page)
    const strokes = paths.flatMap(({ rect, drawn }) => (drawn ? [toPageBox(rect, viewport)] : []))
    // What a program read in a scan or in a pen's strokes may differ from them; over no ink it is hidden text.
    visibleLines = visibleLines.filter(({ hidden, box }) => {
      if (hidden !== 'invisible' && !(isScan && hidden === 'covered')) return true
      if (!isScan && !strokes.some((stroke) => touches(stroke, box))) return true
      const { least, middle, most } = brightnessOf(box, ink.withoutText, page)
      return (isScan ? middle : most) - least < minWritingContrast
    })
  }
  const unread = large.filter((box) => !hasTextOver(box, visibleLines))
  const whole = !visibleLines.some((line) => !line.hidden)
  if (!whole && unread.length === 0 && suspect.length === 0)
    return { lines: visibleLines, ink: [], shapes: [], turns: 0, emptyPicture: false }
  progress.step()
  const image = await document.render(number, { scale: ocrScale(page) }, limits, 'Gray')
  const emptyPicture = unread.some((box) => isWhite(box, image, page))
  if (whole) {
    const { lines: read, ...rest } = await (isScan ? readPhotographedPage(ocr, image, page) : ocr.read(image, page))
    return { lines: [...read, ...visibleLines], ...rest, emptyPicture }
  }
  const readAt = (boxes: Box[]) => readRegions(ocr, image, boxes, page)
  // A photograph beside typed text must not become words.
  const written = (await readAt(unread)).filter(
    (line) => line.confidence >= 0.45 && unread.some((box) => isInside(line.box, box)),
  )
  const all = insertLines(await compareWithOcr(visibleLines, suspect, readAt), written)
  return { lines: all, ink: [], shapes: [], turns: 0, emptyPicture }
}

function toStyledTexts(texts: readonly DrawnText[], viewport: PageViewport): StyledText[] {
  return texts.map(({ letters, invisible, colours }) => ({
    letters: letters.map(({ letter, rect }) => ({ letter, box: toPageBox(rect, viewport) })),
    invisible,
    colours,
  }))
}

/** 200 dpi, best for Tesseract; less for pages of over one and a half times A4's pixels. */
export function ocrScale({ width, height }: { width: number; height: number }): number {
  return Math.min(200 / 72, Math.sqrt(6e6 / (width * height)))
}

function areaShare(box: Box, page: { width: number; height: number }): number {
  return (box.width * box.height) / (page.width * page.height)
}

function clipToPage(box: Box, page: { width: number; height: number }): Box {
  const whole = { x: 0, y: 0, ...page }
  return { x: Math.max(0, box.x), y: Math.max(0, box.y), width: overlapX(box, whole), height: overlapY(box, whole) }
}

function isInside(line: Box, box: Box): boolean {
  return overlapX(line, box) * overlapY(line, box) > 0.6 * line.width * line.height
}

function hasTextOver(box: Box, lines: readonly Line[]): boolean {
  const area = lines.reduce(
    (sum, line) => sum + (line.hidden ? 0 : overlapX(line.box, box) * overlapY(line.box, box)),
    0,
  )
  return area > 0.05 * box.width * box.height
}

const minLetters = 8
/** Honest fonts mismatch in almost no letters, misleading ones in a third and more. */
const maxMismatchShare = 0.25
const xHeightLetters = new Set('acemnorsuvwxz')
const ascenderLetters = new Set('bdfhklABCDEFGHIKLMNOPRSTUVWXYZ')
const descenderLetters = new Set('gpqy')

/** Only Latin letters are judged by height, relative to their font's tallest, row by row since one row may mislead. */
function findMismatchedGlyphs(texts: readonly DrawnText[]): DrawnText[] {
  const fonts = Map.groupBy(texts, (text) => text.font)
  return [...fonts.values()].flatMap((own) => {
    const tallest = tallestAscent(own)
    const rows = Map.groupBy(own, ({ letters }) => Math.round((letters[0]?.shape?.baseline ?? 0) / 2))
    const odd = [...rows.values()].filter((row) => isMismatched(row, tallest))
    return isMismatched(own, tallest) || hasSeveralShapes(own) ? own : odd.flat()
  })
}

const minSeveralShapes = 3
const sameHeight = 0.03
const maxLigature = 3

function hasSeveralShapes(texts: readonly DrawnText[]): boolean {
  const shapes = new Map<string, { up: number; down: number }>()
  const several = new Set<string>()
  for (const { letters } of texts)
    for (const [at, one] of letters.entries()) {
      if (letters[at + maxLigature]?.rect.every((side, i) => side === one.rect[i])) return true
      if (!one.shape || !/[a-z0-9]/i.test(one.letter)) continue
      const { up, down } = shapes.get(one.letter) ?? one.shape
      shapes.set(one.letter, { up, down })
      if (Math.abs(up - one.shape.up) + Math.abs(down - one.shape.down) > sameHeight) several.add(one.letter)
    }
  return several.size >= minSeveralShapes
}

function tallestAscent(texts: readonly DrawnText[]): number {
  const rises: number[] = []
  for (const { letters } of texts) for (const { shape } of letters) if (shape) rises.push(shape.up)
  return Float64Array.from(rises).sort()[Math.floor(rises.length * 0.98)] ?? 0
}

function isMismatched(texts: readonly DrawnText[], tallest: number): boolean {
  let [judged, odd] = [0, 0]
  for (const { letters } of texts)
    for (const { letter, shape } of letters) {
      const matches = shape && matchesExpectedHeight(letter, shape, tallest)
      if (matches === null) continue
      judged += 1
      if (!matches) odd += 1
    }
  return judged >= minLetters && odd > judged * maxMismatchShare
}

/** Of the line height; a font whose tallest letter is lower shows only letters like “x”, as in “username”. */
const X_HEIGHT = 0.57

function matchesExpectedHeight(letter: string, { up, down }: { up: number; down: number }, tallest: number) {
  if (xHeightLetters.has(letter)) return (up < 0.86 * tallest || tallest < X_HEIGHT) && down < 0.15 * tallest
  if (ascenderLetters.has(letter)) return up > 0.8 * tallest
  if (descenderLetters.has(letter)) return down > 0.12 * tallest
  return null
}

/** Points; Tesseract reads words at a picture's edge badly. */
const MARGIN = 10

/** OCR of upright parts of a page; parts that touch are read together. */
export async function readRegions(
  ocr: Ocr,
  image: PageImage,
  boxes: readonly Box[],
  page: { width: number; height: number },
): Promise<Line[]> {
  const scale = image.width / page.width
  const lines: Line[] = []
  for (const box of mergeTouching(boxes.map((one) => grown(one, MARGIN)))) {
    const [left, top] = [Math.max(0, Math.floor(box.x * scale)), Math.max(0, Math.floor(box.y * scale))]
    const width = Math.min(image.width, Math.ceil(right(box) * scale)) - left
    const height = Math.min(image.height, Math.ceil(bottom(box) * scale)) - top
    if (width <= 0 || height <= 0) continue
    const [x, y] = [left / scale, top / scale]
    const size = { width: width / scale, height: height / scale }
    const placed = <T extends { box: Box }>(one: T): T => ({
      ...one,
      box: { ...one.box, x: one.box.x + x, y: one.box.y + y },
    })
    for (const line of await ocr.readUpright(cutOut(image, { x: left, y: top, width, height }), size))
      lines.push({ ...placed(line), ...(line.words ? { words: line.words.map(placed) } : {}) })
  }
  return lines
}

function mergeTouching(boxes: readonly Box[]): Box[] {
  const merged: Box[] = []
  for (let box of boxes) {
    for (let at = 0; at < merged.length; at += 1) {
      const other = merged[at]
      if (!other || !touches(box, other)) continue
      box = union(box, other)
      merged.splice(at, 1)
      at = -1
    }
    merged.push(box)
  }
  return merged
}
