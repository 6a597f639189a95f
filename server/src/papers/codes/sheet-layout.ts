import type { Box } from '@assay/shared/papers.ts'
import type { Transform } from '../../lib/plane-transform.ts'
import { grown } from '../geometry/boxes.ts'
import type { Point } from '../geometry/matrix.ts'
import {
  type CodePlace,
  codePlaces,
  MOST_REDUCTION,
  type PageCode,
  type SheetFormat,
  type SheetLayout,
  sheetFormats,
} from './page-code.ts'

/** In points. */
export interface Size {
  width: number
  height: number
}

const portrait: Record<SheetFormat['name'], Size> = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
  legal: { width: 612, height: 1008 },
  a3: { width: 841.89, height: 1190.55 },
}

export function sheetSize({ name, landscape }: SheetFormat): Size {
  const { width, height } = portrait[name]
  return landscape ? { width: height, height: width } : { width, height }
}

export function chooseSheet({ width, height }: Size): SheetFormat {
  const all = sheetFormats.flatMap((name) => [false, true].map((landscape) => ({ name, landscape })))
  const distance = (format: SheetFormat) => {
    const size = sheetSize(format)
    return Math.abs(Math.log(size.width / width)) + Math.abs(Math.log(size.height / height))
  }
  return all.reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

/** From the edges and across the sheet. A4 copied at 110 % about its middle loses 38 points at top and bottom. */
const layouts: Record<SheetLayout, { edge: number; across: number }> = {
  1: { edge: 20, across: 0.5 },
  2: { edge: 42, across: 0.65 },
}
/** 25 modules; at 100 dpi a module is 2.3 pixels. */
export const CODE_SIDE = 42
/** Four modules of white around a code (ISO/IEC 18004). */
const QUIET = 7
export const MARK_DIAMETER = 11

/** Far from the corners, which are lost when scanned askew, torn or stapled. */
export function codeBox(place: CodePlace, sheet: Size, layout: SheetLayout): Box {
  const { edge, across } = layouts[layout]
  const y = place === 'top' ? edge : sheet.height - edge - CODE_SIDE
  return { x: (sheet.width - CODE_SIDE) * across, y, width: CODE_SIDE, height: CODE_SIDE }
}

export function markCentres(sheet: Size, layout: SheetLayout): Point[] {
  const edge = layouts[layout].edge + MARK_DIAMETER / 2
  return [
    [edge, edge],
    [sheet.width - edge, edge],
    [sheet.width - edge, sheet.height - edge],
    [edge, sheet.height - edge],
  ]
}

const LINE = 12

export function textBoxes(sheet: Size, layout: SheetLayout): { name: Box; page: Box } {
  const { x, y, width } = codeBox('top', sheet, layout)
  const start = layouts[layout].edge + MARK_DIAMETER + 10
  const end = x + width + QUIET + 3
  return {
    name: { x: start, y, width: x - QUIET - 3 - start, height: LINE },
    page: { x: end, y, width: Math.min(130, sheet.width - start - end), height: LINE },
  }
}

export function reservedBoxes(sheet: Size, layout: SheetLayout, withName: boolean): Box[] {
  const marks = markCentres(sheet, layout).map(([x, y]) => grown({ x, y, width: 0, height: 0 }, MARK_DIAMETER / 2 + 6))
  const { name, page } = textBoxes(sheet, layout)
  return [
    grown(codeBox('top', sheet, layout), QUIET),
    grown(codeBox('bottom', sheet, layout), QUIET),
    ...marks,
    grown(page, 2),
    ...(withName ? [grown(name, 2)] : []),
  ]
}

const ASKEW = 16
const layoutNumbers = [1, 2] as const

function boxesOn(page: Size, ofLayout: (sheet: Size, layout: SheetLayout) => Box[], margin: number): Box[] {
  const sheet = sheetSize(chooseSheet(page))
  const scale = page.height / sheet.height
  return layoutNumbers
    .flatMap((layout) => ofLayout(sheet, layout))
    .map((box) => {
      const { x, y, width, height } = grown(box, margin)
      return { x: x * scale, y: y * scale, width: width * scale, height: height * scale }
    })
}

/** Codes of a printed copy of any layout; at every edge where the page may lie on its side. */
export function possibleCodeBoxes({ width, height }: Size, mayLieOnSide: boolean): Box[] {
  const codesOn = (size: Size) =>
    boxesOn(size, (sheet, layout) => codePlaces.map((place) => codeBox(place, sheet, layout)), ASKEW)
  const turned = mayLieOnSide ? codesOn({ width: height, height: width }) : []
  const onSide = turned.map((box) => ({ x: box.y, y: box.x, width: box.height, height: box.width }))
  return [...codesOn({ width, height }), ...onSide]
}

export const possiblePrintedBoxes = (page: Size): Box[] =>
  boxesOn(page, (sheet, layout) => reservedBoxes(sheet, layout, true), 4)

interface Placement {
  scale: number
  x: number
  y: number
}

export function placePage(page: Size, sheet: Size, reduction: number): Placement {
  const scale = Math.min(sheet.width / page.width, sheet.height / page.height) * (1 - reduction / 100)
  return { scale, x: (sheet.width - scale * page.width) / 2, y: (sheet.height - scale * page.height) / 2 }
}

/** From points of the code's sheet to those of the blank's page. */
export function sheetToBlank(code: Pick<PageCode, 'format' | 'reduction'>, blankPage: Size): Transform {
  const { scale, x, y } = placePage(blankPage, sheetSize(code.format), code.reduction)
  return [1 / scale, 0, -x / scale, 0, 1 / scale, -y / scale, 0, 0, 1]
}

/** In percent, so that codes, marks and texts cover no ink. */
export function chooseReduction(page: Size, sheet: Size, reserved: Box[], blank: (box: Box) => boolean): number {
  for (let reduction = 0; reduction < MOST_REDUCTION; reduction += 1) {
    const { scale, x, y } = placePage(page, sheet, reduction)
    const free = reserved.every((box) => {
      const left = Math.max(0, (box.x - x) / scale)
      const top = Math.max(0, (box.y - y) / scale)
      const right = Math.min(page.width, (box.x + box.width - x) / scale)
      const bottom = Math.min(page.height, (box.y + box.height - y) / scale)
      return right <= left || bottom <= top || blank({ x: left, y: top, width: right - left, height: bottom - top })
    })
    if (free) return reduction
  }
  return MOST_REDUCTION
}
