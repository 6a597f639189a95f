import { layOutBoardPaper } from './board-layout.ts'
import type { DrawnAssignment, DrawnQuestion } from './drawn-assignment.ts'
import { type AnswerSpace, letters, nameRow, type PaperHeading, type PaperLayout, startSheet } from './paper-parts.ts'
import { margin, type Sheet, sheetHeight, sheetWidth, wrap } from './sheet.ts'

const lineHeight = 20
const inner = sheetWidth - 2 * margin

/** Shared, so that a student's paper matches the blank exactly. */
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

function ruledLines(sheet: Sheet, y: number, count: number): AnswerSpace {
  const baselines = Array.from({ length: count }, (_, index) => y + 12 + index * lineHeight)
  for (const baseline of baselines) sheet.rules.push({ x1: margin, x2: sheetWidth - margin, y: baseline + 3 })
  return { sheet, baselines, x: margin + 4, width: inner - 8 }
}

function heightOf({ prompt, choices, lines }: DrawnQuestion): number {
  const print = wrap(`${prompt} (10 points) 1.`, inner, 'Helvetica-Bold', 11.5).length
  return print * 15.6 + (choices?.length ?? 0) * 14.9 + lines * lineHeight + 20
}
