import type { Box, TurnedPage } from '@assay/shared/papers.ts'
import { degrees, PDFArray, PDFDict, PDFName, PDFNumber, type PDFPage } from 'pdf-lib'
import { boundingBox, type Matrix } from '../geometry/matrix.ts'

/** For drawing in points from the lower left of the page as shown. */
export interface PageFrame {
  width: number
  height: number
  /** From these points to the file's. */
  matrix: Matrix
}

/** As in viewers, the area is the crop box within the media box, turned by `Rotate`. */
export function framePage(page: PDFPage, turned: TurnedPage['turned'] | 0): PageFrame {
  const rotation = (((page.getRotation().angle + turned) % 360) + 360) % 360
  if (turned !== 0) page.setRotation(degrees(rotation))
  const [x1, y1, x2, y2] = visibleArea(page)
  const unit = userUnit(page)
  const [wide, high] = [(x2 - x1) * unit, (y2 - y1) * unit]
  const s = 1 / unit
  switch (rotation) {
    case 90:
      return { width: high, height: wide, matrix: [0, s, -s, 0, x2, y1] }
    case 180:
      return { width: wide, height: high, matrix: [-s, 0, 0, -s, x2, y2] }
    case 270:
      return { width: high, height: wide, matrix: [0, -s, s, 0, x1, y2] }
    default:
      return { width: wide, height: high, matrix: [s, 0, 0, s, x1, y1] }
  }
}

function visibleArea(page: PDFPage): readonly [number, number, number, number] {
  const media = corners(page.getMediaBox())
  const crop = corners(page.getCropBox())
  const within = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ] as const
  return within[2] > within[0] && within[3] > within[1] ? within : media
}

function corners({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return [Math.min(x, x + width), Math.min(y, y + height), Math.max(x, x + width), Math.max(y, y + height)] as const
}

function userUnit(page: PDFPage): number {
  const unit = page.node.lookup(PDFName.of('UserUnit'))
  return unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1
}

/** Fields and notes, which are drawn over everything else; from the top left of the page as shown. */
export function annotationBoxes(page: PDFPage, frame: PageFrame): Box[] {
  const annotations = page.node.Annots()?.asArray() ?? []
  return annotations.flatMap((reference) => {
    const annotation = page.doc.context.lookup(reference)
    if (!(annotation instanceof PDFDict) || annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link')) return []
    const rect = annotation.lookup(PDFName.of('Rect'))
    const corners =
      rect instanceof PDFArray ? rect.asArray().flatMap((one) => (one instanceof PDFNumber ? one.asNumber() : [])) : []
    return corners.length === 4 ? [toShown(corners, frame)] : []
  })
}

function toShown([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[], { height, matrix }: PageFrame): Box {
  const [a, b, c, d, e, f] = matrix
  const determinant = a * d - b * c
  const at = (x: number, y: number) =>
    [(d * (x - e) - c * (y - f)) / determinant, height - (a * (y - f) - b * (x - e)) / determinant] as const
  return boundingBox([at(x1, y1), at(x2, y2)])
}
