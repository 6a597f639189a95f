import { layOutBoardPaper } from './board-layout.ts'
import type { DrawnAssignment, DrawnQuestion } from './drawn-assignment.ts'
import { emptySheet, margin, type Sheet, sheetHeight, sheetWidth, wrap } from './sheet.ts'

/** The space for an answer: the ruled lines below a question. */
interface AnswerSpace {
  sheet: Sheet
  /** Baselines from the top of the page; ruled lines are 3 points below. */
  baselines: number[]
  /** Where writing starts, and how wide it may be, in points. */
  x: number
  width: number
}

export interface PaperHeading {
  subtitle?: string
  name?: string
  number?: string
}

export interface PaperLayout {
  sheets: Sheet[]
  spaces: AnswerSpace[]
}

const lineHeight = 20
const inner = sheetWidth - 2 * margin
export const letters = ['A', 'B', 'C', 'D', 'E', 'F']

/** Prints what all papers of an assignment share, so that a student's paper matches the blank exactly. */
export function layOutPaper(assignment: DrawnAssignment, heading: PaperHeading): PaperLayout {
  if (assignment.layout === 'board') return layOutBoardPaper(assignment, heading)
  const out: PaperLayout = { sheets: [], spaces: [] }
  let sheet = startSheet(out)
  let y = margin + 18
  const write = (text: string, size: number, font = 'Helvetica', x = margin) => {
    for (const line of wrap(text, inner - (x - margin), font, size)) {
      sheet.ink.push({ text: line, x, y, font, size })
      y += size * 1.35
    }
  }
  write(assignment.title + (heading.subtitle ? ` – ${heading.subtitle}` : ''), 17, 'Helvetica-Bold')
  write(assignment.course, 10.5)
  y += 10
  nameRow(sheet, y, heading)
  y += 26
  write(assignment.instructions, 10, 'Helvetica-Oblique')
  y += 8
  for (const question of assignment.questions) {
    if (y + heightOf(question) > sheetHeight - margin) {
      sheet = startSheet(out)
      y = margin + 18
    }
    write(`${question.number}. ${question.prompt} (${question.points} points)`, 11.5, 'Helvetica-Bold')
    for (const [index, choice] of (question.choices ?? []).entries())
      write(`${letters[index]}) ${choice}`, 11, 'Helvetica', margin + 18)
    out.spaces.push(ruledLines(sheet, y, question.lines))
    y += question.lines * lineHeight + 20
  }
  return out
}

export function startSheet(out: PaperLayout): Sheet {
  const sheet = emptySheet()
  out.sheets.push(sheet)
  const number = out.sheets.length
  sheet.ink.push({
    text: `Page ${number}`,
    x: sheetWidth / 2 - 14,
    y: sheetHeight - 30,
    font: 'Helvetica',
    size: 9,
  })
  return sheet
}

export function nameRow(sheet: Sheet, y: number, { name, number }: PaperHeading): void {
  const half = margin + inner * 0.6
  const print = (text: string, x: number) => sheet.ink.push({ text, x, y, font: 'Helvetica', size: 11 })
  print('Name:', margin)
  print('Student number:', half)
  sheet.rules.push({ x1: margin + 36, x2: half - 16, y: y + 3 }, { x1: half + 86, x2: sheetWidth - margin, y: y + 3 })
  if (name) sheet.ink.push({ text: name, x: margin + 40, y, font: 'Times-Roman', size: 12, colour: '#1d2f6f' })
  if (number) sheet.ink.push({ text: number, x: half + 90, y, font: 'Times-Roman', size: 12, colour: '#1d2f6f' })
}

function ruledLines(sheet: Sheet, y: number, count: number): AnswerSpace {
  const baselines = Array.from({ length: count }, (_, index) => y + 12 + index * lineHeight)
  for (const baseline of baselines) sheet.rules.push({ x1: margin, x2: sheetWidth - margin, y: baseline + 3 })
  return { sheet, baselines, x: margin + 4, width: inner - 8 }
}

function heightOf({ prompt, choices, lines }: DrawnQuestion): number {
  const print = wrap(`${prompt} (10 points) 1.`, inner, 'Helvetica-Bold', 11.5).length
  return print * 15.6 + (choices?.length ?? 0) * 14.9 + lines * lineHeight + 20
}

/** Writes an answer on its lines. Throws when it does not fit. */
export function writeAnswer(space: AnswerSpace, text: string, font: string, colour: string): void {
  if (text === '') return
  const lines = wrap(text, space.width, font, 12)
  if (lines.length > space.baselines.length) throw new Error(`The answer does not fit its lines: ${text}`)
  for (const [index, line] of lines.entries()) {
    const y = space.baselines[index] ?? 0
    space.sheet.ink.push({ text: line, x: space.x, y, font, size: 12, colour })
  }
}
