import type { Box } from '@assay/shared/papers.ts'
import {
  inkPath,
  inkPoints,
  PEN_LINE_HEIGHT,
  PEN_TEXT_SIZE,
  penColours,
  penMarkWords,
  penScale,
  SIGN_RADIUS,
  SIGN_WIDTH,
  signPaths,
} from '@assay/shared/rules/pen-shapes.ts'
import {
  BlendMode,
  concatTransformationMatrix,
  degrees,
  LineCapStyle,
  type PDFDocument,
  PDFHexString,
  PDFPage,
  PDFRawStream,
  PDFStream,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rgb,
} from 'pdf-lib'
import { boundingBox, cornersOf, type Point } from '../geometry/matrix.ts'
import { colours, drawLine } from './draw-text.ts'
import type { MarkupFonts } from './markup-fonts.ts'
import type { PageFrame } from './page-frame.ts'
import type { PaperMarkup } from './paper-markup.ts'
import { wrapText } from './place-notes.ts'

type WrittenMark = PaperMarkup['pen'][number]
type Sheet = PageFrame & { scale: number; fonts: MarkupFonts }

/** In points from the lower left of the page as shown; `entries` are those of the annotation's kind. */
interface Drawn {
  box: Box
  subtype: 'Ink' | 'Highlight' | 'FreeText' | 'Stamp'
  entries?: Record<string, number[] | number[][] | PDFString>
}

/** As annotations that other viewers list, show and remove. */
export function drawPenMarks(
  document: PDFDocument,
  frames: readonly PageFrame[],
  marks: readonly WrittenMark[],
  fonts: MarkupFonts,
): void {
  const pages = document.getPages()
  for (const mark of marks) {
    const [page, frame] = [pages[mark.page - 1], frames[mark.page - 1]]
    if (page && frame) addAnnotation(document, page, mark, { ...frame, scale: penScale(frame), fonts })
  }
}

function addAnnotation(document: PDFDocument, page: PDFPage, mark: WrittenMark, sheet: Sheet): void {
  const { context } = document
  // Its content becomes the annotation's; the page is dropped.
  const canvas = PDFPage.create(document)
  const { box, subtype, entries } = draw(canvas, mark, sheet)
  const { x, y, width, height } = boundingBox(cornersOf(box).map((corner) => toFile(corner, sheet)))
  const { red, green, blue } = colourOf(mark)
  const words = 'text' in mark ? mark.text : penMarkWords[mark.kind]
  const annotation = context.obj({
    Type: 'Annot',
    Subtype: subtype,
    Rect: [x, y, x + width, y + height],
    P: page.ref,
    NM: PDFString.of(mark.id),
    T: PDFHexString.fromText(mark.author ?? 'Instructor'),
    Contents: PDFHexString.fromText(words),
    CreationDate: PDFString.fromDate(new Date(mark.created_at)),
    M: PDFString.fromDate(new Date(mark.created_at)),
    C: [red, green, blue],
    // Printed with the page.
    F: 4,
    AP: { N: appearanceOf(document, canvas, box, sheet) },
    ...entries,
  })
  page.node.addAnnot(context.register(annotation))
  context.delete(canvas.ref)
}

function appearanceOf(document: PDFDocument, canvas: PDFPage, { x, y, width, height }: Box, { matrix }: Sheet) {
  const { context } = document
  const contents = canvas.node.normalizedEntries().Contents
  const [reference] = contents?.asArray() ?? []
  const stream = context.lookup(reference, PDFStream)
  if (stream instanceof PDFRawStream || !reference) throw new Error('what was drawn is there')
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [x, y, x + width, y + height], Matrix: [...matrix] }
  for (const [key, value] of context.obj(form).entries()) stream.dict.set(key, value)
  const resources = canvas.node.Resources()
  if (resources) stream.dict.set(context.obj('Resources'), resources)
  return reference
}

function draw(canvas: PDFPage, mark: WrittenMark, sheet: Sheet): Drawn {
  switch (mark.kind) {
    case 'ink':
      return drawInk(canvas, mark, sheet)
    case 'highlight':
      return drawHighlight(canvas, mark, sheet)
    case 'tick':
    case 'cross':
      return drawSign(canvas, mark, sheet)
    default:
      return drawWords(canvas, mark, sheet)
  }
}

type Of<K extends WrittenMark['kind']> = Extract<WrittenMark, { kind: K }>

function drawInk(canvas: PDFPage, mark: Of<'ink'>, sheet: Sheet): Drawn {
  const { scale, height } = sheet
  canvas.drawSvgPath(inkPath(mark.points, scale), { x: 0, y: height, color: colourOf(mark) })
  const points = inkPoints(mark.points).map(([x, y]): Point => [x, height - y])
  const { x, y, ...size } = boundingBox(points)
  const edge = 4 * scale
  const box = { x: x - edge, y: y - edge, width: size.width + 2 * edge, height: size.height + 2 * edge }
  return { box, subtype: 'Ink', entries: { InkList: [points.flatMap((point) => [...toFile(point, sheet)])] } }
}

function drawHighlight(canvas: PDFPage, mark: Of<'highlight'>, sheet: Sheet): Drawn {
  const { x, width, height } = mark
  const box = { x, y: sheet.height - mark.y - height, width, height }
  canvas.drawRectangle({ ...box, color: colourOf(mark), opacity: 0.3, blendMode: BlendMode.Multiply })
  const [lowLeft, lowRight, highRight, highLeft] = cornersOf(box)
  const corners = [highLeft, highRight, lowLeft, lowRight].flatMap((corner) => [...toFile(corner, sheet)])
  return { box, subtype: 'Highlight', entries: { QuadPoints: corners } }
}

function drawSign(canvas: PDFPage, mark: Of<'tick' | 'cross'>, { height, scale }: Sheet): Drawn {
  const [x, y, radius] = [mark.x, height - mark.y, SIGN_RADIUS * scale]
  canvas.drawSvgPath(signPaths[mark.kind], {
    x,
    y,
    scale,
    rotate: degrees(mark.turn),
    borderColor: colourOf(mark),
    borderWidth: SIGN_WIDTH,
    borderLineCap: LineCapStyle.Round,
  })
  return { box: { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }, subtype: 'Stamp' }
}

function drawWords(canvas: PDFPage, mark: Of<'text'> | Of<'stamp'>, { height, scale, fonts }: Sheet): Drawn {
  const size = PEN_TEXT_SIZE * scale
  const padding = 3 * scale
  const colour = colourOf(mark)
  let depth = padding
  const lines = wrapText(mark.words ?? mark.text, mark.width, size, 'regular', fonts).map((text) => {
    const { above, below } = fonts.extent(text)
    const baseline = depth + Math.max(0.95, above) * size
    depth = baseline + Math.max(PEN_LINE_HEIGHT / PEN_TEXT_SIZE - 0.95, below) * size
    return { text, baseline }
  })
  const area = { x: -padding, y: -depth - padding, width: mark.width + 2 * padding, height: depth + padding }
  const [cos, sin] = quarters[mark.turn]
  canvas.pushOperators(pushGraphicsState(), concatTransformationMatrix(cos, sin, -sin, cos, mark.x, height - mark.y))
  canvas.drawRectangle({
    ...area,
    color: colours.paper,
    opacity: 0.8,
    ...(mark.kind === 'stamp' && { borderColor: colour, borderWidth: scale }),
  })
  for (const { text, baseline } of lines) drawLine(canvas, text, 0, -baseline, { size, colour }, fonts)
  canvas.pushOperators(popGraphicsState())
  const edge = boundingBox(
    cornersOf(area).map(([x, y]): Point => [mark.x + cos * x - sin * y, height - mark.y + sin * x + cos * y]),
  )
  const box = { x: edge.x - scale, y: edge.y - scale, width: edge.width + 2 * scale, height: edge.height + 2 * scale }
  if (mark.kind === 'stamp') return { box, subtype: 'Stamp' }
  const { red, green, blue } = colour
  return { box, subtype: 'FreeText', entries: { DA: PDFString.of(`/Helv ${size} Tf ${red} ${green} ${blue} rg`) } }
}

const quarters = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const

function toFile([x, y]: Point, { matrix: [a, b, c, d, e, f] }: PageFrame): Point {
  return [a * x + c * y + e, b * x + d * y + f]
}

function colourOf({ colour }: Pick<WrittenMark, 'colour'>) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(penColours[colour].slice(at, at + 2), 16) / 255)
  return rgb(red ?? 0, green ?? 0, blue ?? 0)
}
