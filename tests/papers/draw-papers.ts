import { layOutMarkScheme } from './board-layout.ts'
import type { DrawnAssignment, DrawnQuestion, DrawnStudent, PaperExtras, PaperStyle } from './drawn-assignment.ts'
import { layOutPaper } from './paper-layout.ts'
import { letters, writeAnswer } from './paper-parts.ts'
import { simulateScan } from './scan.ts'
import { drawSheets, margin, sheetHeight } from './sheet.ts'

export function drawBlank(assignment: DrawnAssignment): Promise<Buffer> {
  return drawSheets(layOutPaper(assignment, {}).sheets, { title: assignment.title })
}

export function drawKey(assignment: DrawnAssignment): Promise<Buffer> {
  if (assignment.layout === 'board')
    return drawSheets(layOutMarkScheme(assignment), { title: `${assignment.title} – mark scheme` })
  const { sheets, spaces } = layOutPaper(assignment, { subtitle: 'Answer key' })
  for (const [index, question] of assignment.questions.entries()) {
    const space = spaces[index]
    if (space) writeAnswer(space, keyText(question), 'Times-Roman', '#8a1c1c')
  }
  return drawSheets(sheets, { title: `${assignment.title} – Answer key` })
}

function keyText({ answer, alternatives = [], choices }: DrawnQuestion): string {
  const letter = letters[choices?.indexOf(answer) ?? -1]
  const expected = letter ? `${letter}) ${answer}` : answer
  return `Answer: ${expected}${alternatives.map((other) => `\nor ${other}`).join('')}`
}

export async function drawStudentPaper(
  assignment: DrawnAssignment,
  student: DrawnStudent,
  answers: readonly string[],
  style: PaperStyle,
  extras: PaperExtras = {},
): Promise<Buffer> {
  const { sheets, spaces } = layOutPaper(assignment, { name: student.full_name, number: student.student_number })
  for (const [index, space] of spaces.entries()) {
    const answer = answers[index] ?? ''
    if (style !== 'form') writeAnswer(space, answer, 'Times-Roman', '#1d2f6f')
    else if (answer !== '') {
      const top = (space.baselines[0] ?? 0) - 14
      const height = space.baselines.length * 20
      const field = { name: `answer${index + 1}`, value: answer, x: space.x - 4, y: top, height }
      space.sheet.fields.push({ ...field, width: space.width + 8 })
    }
  }
  const last = sheets.at(-1)
  const foot = { x: margin, y: sheetHeight - 46, font: 'Helvetica', size: 9 }
  if (extras.hiddenInstruction) last?.ink.push({ ...foot, text: extras.hiddenInstruction, colour: '#ffffff' })
  if (extras.visibleInstruction) last?.ink.push({ ...foot, text: extras.visibleInstruction })
  const pdf = await drawSheets(sheets, { title: assignment.title, rotate: style === 'rotated' ? 90 : 0 })
  return style === 'scanned' ? simulateScan(pdf, { seed: extras.seed ?? 1 }) : pdf
}
