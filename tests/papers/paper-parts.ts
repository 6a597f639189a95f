import { emptySheet, margin, type Sheet, sheetHeight, sheetWidth, wrap } from './sheet.ts'

export interface AnswerSpace {
  sheet: Sheet
  baselines: number[]
  /** In points. */
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

export const letters = ['A', 'B', 'C', 'D', 'E', 'F']

export function startSheet(out: PaperLayout): Sheet {
  const sheet = emptySheet()
  out.sheets.push(sheet)
  const number = out.sheets.length
  sheet.ink.push({ text: `Page ${number}`, x: sheetWidth / 2 - 14, y: sheetHeight - 30, font: 'Helvetica', size: 9 })
  return sheet
}

export function nameRow(sheet: Sheet, y: number, { name, number }: PaperHeading): void {
  const half = margin + (sheetWidth - 2 * margin) * 0.6
  const print = (text: string, x: number) => sheet.ink.push({ text, x, y, font: 'Helvetica', size: 11 })
  print('Name:', margin)
  print('Student number:', half)
  sheet.rules.push({ x1: margin + 36, x2: half - 16, y: y + 3 }, { x1: half + 86, x2: sheetWidth - margin, y: y + 3 })
  if (name) sheet.ink.push({ text: name, x: margin + 40, y, font: 'Times-Roman', size: 12, colour: '#1d2f6f' })
  if (number) sheet.ink.push({ text: number, x: half + 90, y, font: 'Times-Roman', size: 12, colour: '#1d2f6f' })
}

/** Throws when the answer does not fit. */
export function writeAnswer(space: AnswerSpace, text: string, font: string, colour: string): void {
  if (text === '') return
  const lines = wrap(text, space.width, font, 12)
  if (lines.length > space.baselines.length) throw new Error(`The answer does not fit its lines: ${text}`)
  for (const [index, line] of lines.entries()) {
    const y = space.baselines[index] ?? 0
    space.sheet.ink.push({ text: line, x: space.x, y, font, size: 12, colour })
  }
}
