import type { DrawnAssignment, DrawnQuestion } from './drawn-assignment.ts'
import { letters, nameRow, type PaperHeading, type PaperLayout, startSheet } from './paper-parts.ts'
import { emptySheet, margin, type Sheet, sheetHeight, sheetWidth, wrap } from './sheet.ts'

const indent = margin + 48
const inner = sheetWidth - margin - indent
const lineHeight = 20
const right = sheetWidth - margin

/** As exam boards do: numbers like 01.2, marks at the right, dotted lines, the total on top. */
export function layOutBoardPaper(assignment: DrawnAssignment, heading: PaperHeading): PaperLayout {
  const out: PaperLayout = { sheets: [], spaces: [] }
  let sheet = startSheet(out)
  const print = (text: string, x: number, y: number, font = 'Helvetica', size = 11) =>
    sheet.ink.push({ text, x, y, font, size })
  print(assignment.title, margin, 84, 'Helvetica-Bold', 20)
  print(assignment.course, margin, 106, 'Helvetica', 11)
  nameRow(sheet, 140, heading)
  print('Instructions', margin, 178, 'Helvetica-Bold')
  const total = assignment.questions.reduce((sum, { points }) => sum + points, 0)
  const instructions = [
    ...wrap(assignment.instructions, sheetWidth - 2 * margin, 'Helvetica', 11),
    `The total mark for this paper is ${total}.`,
  ]
  for (const [i, text] of instructions.entries()) print(text, margin, 196 + i * 16)
  let y = 196 + instructions.length * 16 + 26
  for (const question of assignment.questions) {
    if (y + heightOf(question) > sheetHeight - margin) {
      sheet = startSheet(out)
      y = margin + 24
    }
    print(question.number, margin, y, 'Helvetica-Bold', 11.5)
    for (const line of wrap(question.prompt, inner, 'Helvetica', 11.5)) {
      print(line, indent, y, 'Helvetica', 11.5)
      y += 16
    }
    for (const [i, choice] of (question.choices ?? []).entries()) {
      print(`${letters[i]}  ${choice}`, indent + 12, y + 4)
      y += 18
    }
    const marks = question.points === 1 ? '[1 mark]' : `[${question.points} marks]`
    y += 4
    print(marks, right - 48, y, 'Helvetica-Bold', 10.5)
    const baselines = Array.from({ length: question.lines }, (_, i) => y + 24 + i * lineHeight)
    for (const baseline of baselines) sheet.rules.push({ x1: indent, x2: right, y: baseline + 3 })
    out.spaces.push({ sheet, baselines, x: indent + 4, width: inner - 8 })
    y += 24 + question.lines * lineHeight + 16
  }
  return out
}

function heightOf({ prompt, choices, lines }: DrawnQuestion): number {
  return wrap(prompt, inner, 'Helvetica', 11.5).length * 16 + (choices?.length ?? 0) * 18 + 44 + lines * lineHeight
}

const columns = [margin, margin + 62, margin + 296, margin + 340, right]
const heads = ['Question', 'Answers', 'Mark', 'Guidance']

export function layOutMarkScheme(assignment: DrawnAssignment): Sheet[] {
  const sheets: Sheet[] = []
  let y = 0
  const open = () => {
    const sheet = emptySheet()
    sheets.push(sheet)
    y = margin
    return sheet
  }
  let sheet = open()
  sheet.ink.push({ text: `${assignment.title} – mark scheme`, x: margin, y: y + 14, font: 'Helvetica-Bold', size: 16 })
  y += 34
  const row = (cells: string[], font: string) => {
    const texts = cells.map((cell, i) => wrap(cell, (columns[i + 1] ?? 0) - (columns[i] ?? 0) - 10, font, 10))
    const height = Math.max(...texts.map((lines) => lines.length)) * 14 + 8
    if (y + height > sheetHeight - margin) sheet = open()
    for (const [i, lines] of texts.entries()) {
      const [x = 0, end = 0] = [columns[i], columns[i + 1]]
      sheet.boxes.push({ x, y, width: end - x, height })
      for (const [n, text] of lines.entries()) sheet.ink.push({ text, x: x + 5, y: y + 14 + n * 14, font, size: 10 })
    }
    y += height
  }
  row(heads, 'Helvetica-Bold')
  for (const { number, scheme = [], guidance = '' } of assignment.questions)
    for (const [i, answer] of scheme.entries())
      row([i === 0 ? number : '', answer, '1', i === 0 ? guidance : ''], 'Helvetica')
  return sheets
}
