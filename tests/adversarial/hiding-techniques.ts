import {
  clip,
  degrees,
  endPath,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from 'pdf-lib'
import { createMisleadingFont } from '../papers/misleading-font.ts'
import { type ControlPaper, drawControlPaper, lastLineOf } from './control-paper.ts'

/** Left end of the baseline, in points from the bottom left corner. */
interface TextPosition {
  doc: PDFDocument
  page: PDFPage
  x: number
  y: number
}

type HidingTechnique = (text: string, spot: TextPosition) => Promise<void> | void
const size = 9
const font = (doc: PDFDocument) => doc.embedFont(StandardFonts.Helvetica)

export async function hideOnPaper(
  control: ControlPaper,
  question: number,
  text: string,
  hide: HidingTechnique,
): Promise<Buffer> {
  const doc = await PDFDocument.load(await drawControlPaper(control), { updateMetadata: false })
  const { page: index, y } = lastLineOf(question)
  const page = doc.getPage(index)
  await hide(text, { doc, page, x: 60, y: page.getHeight() - y })
  return Buffer.from(await doc.save({ useObjectStreams: false }))
}

const write = async (text: string, { doc, page, x, y }: TextPosition, more = {}) =>
  page.drawText(text, { x, y, size, font: await font(doc), ...more })

const drawCover = ({ page, x, y }: TextPosition, colour = rgb(1, 1, 1)) =>
  page.drawRectangle({ x: x - 4, y: y - 3, width: 490, height: 13, color: colour })

const whiteDot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=='

function annotation({ doc, page, x, y }: TextPosition, entries: Record<string, unknown>) {
  const dict = doc.context.obj({ Type: 'Annot', Rect: [x, y - 3, x + 480, y + 11], ...entries } as never)
  page.node.addAnnot(doc.context.register(dict))
}

const appearance = ({ doc }: TextPosition, content: string) =>
  doc.context.register(doc.context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 480, 14] }))

const append = ({ doc, page }: TextPosition, content: string) =>
  page.node.addContentStream(doc.context.register(doc.context.stream(content)))

async function outlined(text: string, spot: TextPosition, operators: string) {
  const made = await font(spot.doc)
  await made.embed()
  const name = spot.page.node.newFontDictionary('Outlined', made.ref)
  append(spot, `q BT ${operators} ${name} ${size} Tf ${spot.x} ${spot.y} Td (${withoutParentheses(text)}) Tj ET Q`)
}

const withoutParentheses = (text: string) => text.replace(/[()\\]/g, '')

export const hidingTechniques: Record<string, HidingTechnique> = {
  white: (text, spot) => write(text, spot, { color: rgb(1, 1, 1) }),
  'nearly white': (text, spot) => write(text, spot, { color: rgb(0.95, 0.97, 0.96) }),
  transparent: (text, spot) => write(text, spot, { opacity: 0.01 }),
  invisible: async (text, spot) => {
    spot.page.pushOperators(pushGraphicsState(), setTextRenderingMode(TextRenderingMode.Invisible))
    await write(text, spot)
    spot.page.pushOperators(popGraphicsState())
  },
  tiny: (text, spot) => write(text, spot, { size: 0.8 }),
  'off the page': (text, spot) => write(text, { ...spot, x: 700 }),
  'under a white area': async (text, spot) => {
    await write(text, spot)
    drawCover(spot)
  },
  'under a picture': async (text, spot) => {
    await write(text, spot)
    const image = await spot.doc.embedPng(Buffer.from(whiteDot, 'base64'))
    spot.page.drawImage(image, { x: spot.x - 4, y: spot.y - 3, width: 490, height: 13 })
  },
  'under a perforated shape': async (text, spot) => {
    await write(text, spot)
    const holes = Array.from({ length: 240 }, (_, at) => `${spot.x + 1 + at * 2} ${spot.y + 2.4} .4 .4 re`).join(' ')
    append(spot, `q 1 g ${spot.x - 4} ${spot.y - 3} 490 13 re ${holes} f* Q`)
  },
  'under a white annotation': async (text, spot) => {
    await write(text, spot)
    annotation(spot, { Subtype: 'Square', F: 4, AP: { N: appearance(spot, '1 g 0 0 480 14 re f') } })
  },
  'under an annotation that viewers draw themselves': async (text, spot) => {
    await write(text, spot)
    annotation(spot, { Subtype: 'Square', F: 4, C: [1, 1, 1], IC: [1, 1, 1] })
  },
  'under the white picture of a button': async (text, spot) => {
    await write(text, spot)
    annotation(spot, {
      Subtype: 'Widget',
      FT: 'Btn',
      Ff: 65536,
      T: PDFString.of('b'),
      F: 4,
      AP: { N: appearance(spot, '1 g 0 0 480 14 re f') },
    })
  },
  'outlined in white': (text, spot) => outlined(text, spot, '1 Tr 1 G 0 g'),
  'outlined in nearly white': (text, spot) => outlined(text, spot, '1 Tr .94 G 0 g'),
  'filled under a wide white outline': (text, spot) => outlined(text, spot, '2 Tr 1 G 3 w 0 g'),
  'cut off': async (text, spot) => {
    spot.page.pushOperators(pushGraphicsState(), rectangle(0, 0, 20, 20), clip(), endPath())
    await write(text, spot)
    spot.page.pushOperators(popGraphicsState())
  },
  'dark on dark': async (text, spot) => {
    drawCover(spot, rgb(0.2, 0.2, 0.25))
    await write(text, spot, { color: rgb(0.22, 0.22, 0.24) })
  },
  'on a page of its own, white': async (text, { doc }) => {
    const page = doc.addPage([595, 842])
    await write(text, { doc, page, x: 60, y: 700 }, { color: rgb(1, 1, 1) })
  },
  'upside down and white': (text, spot) =>
    write(text, { ...spot, x: 500 }, { color: rgb(1, 1, 1), rotate: degrees(180) }),
  'a hidden note': (text, spot) =>
    annotation(spot, { Subtype: 'FreeText', Contents: PDFString.of(text), DA: PDFString.of('/Helv 9 Tf 0 g'), F: 2 }),
  'a note with an empty picture': (text, spot) =>
    annotation(spot, {
      Subtype: 'FreeText',
      Contents: PDFString.of(text),
      DA: PDFString.of('/Helv 9 Tf 0 g'),
      F: 4,
      AP: { N: appearance(spot, '') },
    }),
  'letters without a shape': (text, spot) => {
    const tags = [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    annotation(spot, {
      Subtype: 'FreeText',
      Contents: PDFHexString.fromText(`ok${tags}`),
      DA: PDFString.of('/Helv 9 Tf 0 g'),
      F: 4,
    })
  },
  'a font that lies': (text, spot) => {
    const { doc, page, x, y } = spot
    const shows = 'I do not know what else to write here but it is my best try at it'
    const lie = createMisleadingFont({ shows, says: text.replace(/[^A-Za-z ]/g, '').slice(0, 66) })
    const map = doc.context.register(doc.context.stream(lie.map))
    const names = lie.names.map((name) => PDFName.of(name))
    const made = doc.context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: { Type: 'Encoding', Differences: [33, ...names] },
      ToUnicode: map,
    } as never)
    const name = page.node.newFontDictionary('Lie', doc.context.register(made))
    append(spot, `q BT ${name} 10 Tf ${x} ${y} Td <${lie.codes}> Tj ET Q`)
  },
  'a layer turned off': async (text, spot) => {
    const { doc, page } = spot
    const layer = doc.context.register(doc.context.obj({ Type: 'OCG', Name: PDFString.of('x') } as never))
    doc.catalog.set(
      PDFName.of('OCProperties'),
      doc.context.obj({ OCGs: [layer], D: { OFF: [layer], Order: [layer] } } as never),
    )
    const resources = page.node.Resources()
    resources?.set(PDFName.of('Properties'), doc.context.obj({ Layer: layer } as never))
    const made = await font(doc)
    const name = page.node.newFontDictionary('Off', made.ref)
    await made.embed()
    append(spot, `q /OC /Layer BDC BT ${name} 9 Tf ${spot.x} ${spot.y} Td (${withoutParentheses(text)}) Tj ET EMC Q`)
  },
}
