import type { PDFDocument, PDFPage } from 'pdf-lib'
import { colours, drawLine, verdictColours } from './draw-text.ts'
import type { MarkupFonts } from './markup-fonts.ts'
import type { CoverBlock } from './paper-markup.ts'
import { verdictSigns, wrapText } from './place-notes.ts'

const MARGIN = 54
const TAG_WIDTH = 38
const POINTS_WIDTH = 74

export function drawCover(
  document: PDFDocument,
  blocks: readonly CoverBlock[],
  numbers: ReadonlyMap<string, number>,
  fonts: MarkupFonts,
  size: { width: number; height: number },
): void {
  const cover = new CoverPen(document, fonts, size)
  for (const block of blocks) drawBlock(cover, block, numbers)
}

function drawBlock(cover: CoverPen, block: CoverBlock, numbers: ReadonlyMap<string, number>): void {
  switch (block.kind) {
    case 'title':
      cover.text(block.above, { size: 9.5, colour: colours.dim })
      cover.space(3)
      cover.text(block.text, { size: 19, weight: 'bold' })
      cover.space(8)
      return
    case 'facts':
      for (const { label, value } of block.rows) cover.fact(label, value)
      cover.space(8)
      return
    case 'notice':
      cover.banner(block.text)
      return
    case 'score':
      cover.space(4)
      cover.text(block.score, { size: 26, weight: 'bold' })
      for (const line of block.lines) cover.text(line, { size: 10.5, colour: colours.dim })
      cover.space(6)
      return
    case 'heading':
      cover.keep(60)
      cover.space(8)
      cover.text(block.text, { size: 12, weight: 'bold' })
      cover.space(3)
      return
    case 'paragraph':
      cover.text(block.text, { size: 9.5 })
      cover.space(4)
      return
    case 'entry':
      cover.entry(block, numbers.get(block.key))
      return
    case 'small':
      cover.space(4)
      cover.text(block.text, { size: 8, colour: colours.dim })
      return
  }
}

interface Style {
  size: number
  weight?: 'regular' | 'bold'
  colour?: typeof colours.ink
}

class CoverPen {
  readonly #document: PDFDocument
  readonly #fonts: MarkupFonts
  readonly #size: { width: number; height: number }
  #page: PDFPage
  #pages = 1
  /** Points from the page's top. */
  #y = MARGIN

  constructor(document: PDFDocument, fonts: MarkupFonts, size: { width: number; height: number }) {
    this.#document = document
    this.#fonts = fonts
    this.#size = size
    this.#page = document.insertPage(0, [size.width, size.height])
  }

  get #inner(): number {
    return this.#size.width - 2 * MARGIN
  }

  space(points: number): void {
    this.#y += points
  }

  keep(points: number): void {
    if (this.#y + points <= this.#size.height - MARGIN) return
    this.#page = this.#document.insertPage(this.#pages, [this.#size.width, this.#size.height])
    this.#pages += 1
    this.#y = MARGIN
  }

  text(text: string, style: Style, x = MARGIN, width = this.#inner): void {
    for (const line of wrapText(text, width, style.size, style.weight ?? 'regular', this.#fonts))
      this.#line(line, style, x)
  }

  #line(line: string, style: Style, x: number): void {
    const { above, below } = this.#fonts.extent(line)
    const [higher, lower] = [Math.max(0, above - 1), Math.max(0, below - 0.35)]
    const height = style.size * (1.4 + higher + lower)
    this.keep(height)
    this.#draw(line, x, style.size * (1 + higher), style)
    this.#y += height
  }

  /** `down`: from the pen to the baseline. */
  #draw(line: string, x: number, down: number, style: Style): void {
    drawLine(this.#page, line, x, this.#size.height - this.#y - down, style, this.#fonts)
  }

  fact(label: string, value: string): void {
    this.keep(14)
    this.#draw(label, MARGIN, 9.5, { size: 9.5, colour: colours.dim })
    this.text(value, { size: 9.5 }, MARGIN + 96, this.#inner - 96)
  }

  banner(text: string): void {
    const lines = wrapText(text, this.#inner - 20, 10, 'bold', this.#fonts)
    const height = lines.length * 14 + 10
    this.keep(height + 8)
    const box = { x: MARGIN, y: this.#size.height - this.#y - height, width: this.#inner, height }
    this.#page.drawRectangle({ ...box, color: colours.warn, borderColor: colours.line, borderWidth: 0.75 })
    this.#y += 5
    for (const line of lines) this.#line(line, { size: 10, weight: 'bold' }, MARGIN + 10)
    this.#y += 13
  }

  entry({ tag, title, points, verdict, feedback }: Extract<CoverBlock, { kind: 'entry' }>, number?: number): void {
    const width = this.#inner - TAG_WIDTH - POINTS_WIDTH
    this.keep(34)
    this.#page.drawLine({
      start: { x: MARGIN, y: this.#size.height - this.#y },
      end: { x: this.#size.width - MARGIN, y: this.#size.height - this.#y },
      thickness: 0.5,
      color: colours.line,
    })
    this.space(4)
    const colour = verdictColours[verdict]
    const score = `${verdictSigns[verdict]} ${points}`
    this.#draw(tag, MARGIN, 9.5, { size: 9.5, weight: 'bold' })
    const right = this.#size.width - MARGIN - this.#fonts.width(score, 9.5, 'bold')
    this.#draw(score, right, 9.5, { size: 9.5, weight: 'bold', colour })
    this.text(title, { size: 9.5, weight: 'bold' }, MARGIN + TAG_WIDTH, width)
    if (feedback !== '') {
      const words = number === undefined ? feedback : `[${number}] ${feedback}`
      this.text(words, { size: 9 }, MARGIN + TAG_WIDTH, width + POINTS_WIDTH / 2)
    }
    this.space(4)
  }
}
