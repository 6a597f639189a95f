import type { Question } from '@assay/shared/rubrics.ts'
import PDFDocument from 'pdfkit'
import { margin, sheetHeight, sheetWidth, toBuffer, wrap } from '../sheet.ts'

export interface LayoutQuestion {
  /** As a teacher would name it: “2 b ii”. */
  number: string
  points: number
  kind?: Question['kind']
  expected: string
  answer: string
}

type QuestionRow = [number: string, points: number, expected: string, answer: string, kind?: Question['kind']]

export const questionRows = (rows: QuestionRow[]): LayoutQuestion[] =>
  rows.map(([number, points, expected, answer, kind]) => ({ number, points, expected, answer, kind }))

type Write = (number: string, x: number, y: number) => void
type Mark = (number: string, draw: (answer: string, colour: string) => void) => void

export interface ExamLayout {
  name: string
  questions: LayoutQuestion[]
  /** `write` puts what is written for a question at a place, `mark` draws it. */
  draw(pages: ExamPages, write: Write, mark: Mark): void
  /** Absent: the paper itself with the expected answers written in. */
  key?(pages: ExamPages): void
}

interface TextStyle {
  font?: string
  size?: number
  colour?: string
  /** The text ends at `x`. */
  end?: boolean
}

export class ExamPages {
  readonly #doc = new PDFDocument({
    size: [sheetWidth, sheetHeight],
    margin: 0,
    autoFirstPage: false,
    info: { CreationDate: new Date(0), ModDate: new Date(0) },
  })

  page(title = ''): void {
    this.#doc.addPage()
    if (title) this.bold(title, left, 70, { size: 16 })
  }

  text(
    text: string,
    x: number,
    y: number,
    { font = 'Helvetica', size = 11, colour = '#111', end }: TextStyle = {},
  ): void {
    this.#doc.font(font).fontSize(size).fillColor(colour)
    const left = end ? x - this.#doc.widthOfString(text) : x
    this.#doc.text(text, left, y, { lineBreak: false, baseline: 'alphabetic' })
  }

  bold(text: string, x: number, y: number, style: TextStyle = {}): void {
    this.text(text, x, y, { font: 'Helvetica-Bold', ...style })
  }

  /** Returns the baseline of the line after it. */
  paragraph(text: string, x: number, y: number, width = sheetWidth - margin - x, style: TextStyle = {}): number {
    const size = style.size ?? 11
    const lines = wrap(text, width, style.font ?? 'Helvetica', size)
    for (const [i, line] of lines.entries()) this.text(line, x, y + i * size * 1.35, style)
    return y + lines.length * size * 1.35
  }

  rule(x1: number, x2: number, y: number): void {
    this.#doc.moveTo(x1, y).lineTo(x2, y).lineWidth(0.6).strokeColor('#555').stroke()
  }

  dots(x1: number, x2: number, y: number): void {
    this.text('.'.repeat(Math.floor((x2 - x1) / 3.06)), x1, y)
  }

  box(x: number, y: number, width: number, height: number, fill?: string): void {
    this.#doc.rect(x, y, width, height).lineWidth(0.8)
    if (fill) this.#doc.fill(fill)
    else this.#doc.strokeColor('#111').stroke()
  }

  ring(x: number, y: number, rx: number, ry: number, colour = '#1d2f6f'): void {
    this.#doc.ellipse(x, y, rx, ry).lineWidth(1.2).strokeColor(colour).stroke()
  }

  /** Its lowest point is at (x, y). */
  tick(x: number, y: number, colour = '#1d2f6f'): void {
    this.#doc
      .moveTo(x - 4, y - 4)
      .lineTo(x, y)
      .lineTo(x + 7, y - 10)
      .lineWidth(1.3)
      .strokeColor(colour)
      .stroke()
  }

  /** Cells wrap into columns `widths` wide. Returns the y of the lower edge. */
  table(rows: string[][], x: number, top: number, widths: number[], boldHead = true): number {
    let y = top
    for (const [i, row] of rows.entries()) {
      const font = i === 0 && boldHead ? 'Helvetica-Bold' : 'Helvetica'
      const cells = row.map((cell, column) => wrap(cell, (widths[column] ?? 60) - 8, font, 10))
      const height = Math.max(...cells.map((lines) => lines.length)) * 13 + 7
      let left = x
      for (const [column, lines] of cells.entries()) {
        this.box(left, y, widths[column] ?? 60, height)
        for (const [n, line] of lines.entries()) this.text(line, left + 4, y + 13 + n * 13, { font, size: 10 })
        left += widths[column] ?? 60
      }
      y += height
    }
    return y
  }

  add(draw: (doc: PDFKit.PDFDocument) => void): void {
    draw(this.#doc)
  }

  end(): Promise<Buffer> {
    return toBuffer(this.#doc)
  }
}

export const left = margin
export const right = sheetWidth - margin

export function drawLayoutBlank(layout: ExamLayout): Promise<Buffer> {
  const pages = new ExamPages()
  const nothing = () => {}
  layout.draw(pages, nothing, nothing)
  return pages.end()
}

export function drawLayoutKey(layout: ExamLayout): Promise<Buffer> {
  if (!layout.key) return drawFilled(layout, 'expected', '#b00020')
  const pages = new ExamPages()
  layout.key(pages)
  return pages.end()
}

export const drawLayoutPaper = (layout: ExamLayout): Promise<Buffer> => drawFilled(layout, 'answer', '#1d2f6f')

function drawFilled(layout: ExamLayout, what: 'expected' | 'answer', colour: string): Promise<Buffer> {
  const pages = new ExamPages()
  const textOf = (number: string) => {
    const question = layout.questions.find((one) => one.number === number)
    if (!question) throw new RangeError(`${layout.name} has no question ${number}`)
    return question[what]
  }
  layout.draw(
    pages,
    (number, x, y) => {
      for (const [i, line] of textOf(number).split('\n').entries())
        pages.text(line, x, y + i * 18, { font: 'Times-Roman', size: 12, colour })
    },
    (number, draw) => draw(textOf(number), colour),
  )
  return pages.end()
}
