import PDFDocument from 'pdfkit'

/** A4, in points. */
export const sheetWidth = 595.28
export const sheetHeight = 841.89
export const margin = 56

interface Ink {
  text: string
  x: number
  y: number
  font: string
  size: number
  colour?: string
}

interface Rule {
  x1: number
  x2: number
  y: number
}

interface Field {
  name: string
  value: string
  x: number
  y: number
  width: number
  height: number
}

export interface Sheet {
  ink: Ink[]
  rules: Rule[]
  /** Frames, as of a table's cells. */
  boxes: { x: number; y: number; width: number; height: number }[]
  fields: Field[]
}

export const emptySheet = (): Sheet => ({ ink: [], rules: [], boxes: [], fields: [] })

interface SheetOptions {
  title: string
  /** The stored page's rotation, in degrees clockwise; the page is still shown upright. */
  rotate?: 0 | 90 | 180 | 270
}

export function drawSheets(sheets: readonly Sheet[], { title, rotate = 0 }: SheetOptions): Promise<Buffer> {
  const doc = newDocument({ Title: title })
  const onItsSide = rotate === 90 || rotate === 270
  const size: [number, number] = onItsSide ? [sheetHeight, sheetWidth] : [sheetWidth, sheetHeight]
  for (const [index, sheet] of sheets.entries()) {
    doc.addPage({ size, margin: 0 })
    Object.assign(doc.page.dictionary.data, { Rotate: rotate })
    applyRotation(doc, rotate)
    drawSheet(doc, sheet, index === 0)
  }
  return toBuffer(doc)
}

/** The same pages always give the same bytes. */
export const newDocument = (info: { Title?: string } = {}) =>
  new PDFDocument({ autoFirstPage: false, info: { ...info, CreationDate: new Date(0), ModDate: new Date(0) } })

export function addPicture(doc: PDFKit.PDFDocument, picture: Buffer, width: number, height: number): void {
  doc.addPage({ size: [width, height], margin: 0 })
  doc.image(picture, 0, 0, { width, height })
}

export function toBuffer(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
    doc.end()
  })
}

function applyRotation(doc: PDFKit.PDFDocument, rotate: number): void {
  if (rotate === 90) doc.transform(0, -1, 1, 0, 0, sheetWidth)
  if (rotate === 180) doc.transform(-1, 0, 0, -1, sheetWidth, sheetHeight)
  if (rotate === 270) doc.transform(0, 1, -1, 0, sheetHeight, 0)
}

function drawSheet(doc: PDFKit.PDFDocument, sheet: Sheet, first: boolean): void {
  for (const { x1, x2, y } of sheet.rules)
    doc.moveTo(x1, y).lineTo(x2, y).lineWidth(0.5).strokeColor('#9aa3ad').stroke()
  for (const { x, y, width, height } of sheet.boxes)
    doc.rect(x, y, width, height).lineWidth(0.6).strokeColor('#5b6570').stroke()
  for (const ink of sheet.ink) {
    doc
      .font(ink.font)
      .fontSize(ink.size)
      .fillColor(ink.colour ?? '#1a1a1a')
    doc.text(ink.text, ink.x, ink.y, { lineBreak: false, baseline: 'alphabetic' })
  }
  if (sheet.fields.length === 0) return
  if (first) {
    doc.font('Helvetica')
    doc.initForm()
  }
  for (const { name, value, x, y, width, height } of sheet.fields)
    doc.formText(name, x, y, width, height, { value, multiline: true, fontSize: 11 })
}

const measuring = new PDFDocument({ autoFirstPage: true })

export function wrap(text: string, width: number, font: string, size: number): string[] {
  measuring.font(font).fontSize(size)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line ? `${line} ${word}` : word
      if (line && measuring.widthOfString(longer) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}
