import type { Paper } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { readQuestions } from './outline/read-questions.ts'
import { normalizeText, type PlacedLine, visibleLines } from './paper-lines.ts'

export interface PrintedLine {
  text: string
  /** The question it belongs to; null for headers, name fields and text before the questions. */
  question: string | null
  page: number
  y: number
  /** Where its print ends; absent where it stands on no page. */
  right?: number
}

export interface PrintedRubric {
  lines: PrintedLine[]
  /** Every question that can be looked for, in paper order: the rubric's, and printed ones the teacher took out. */
  questions: { id: string; number: string; main: number; part: string | null; regions: Question['regions'] }[]
}

/** The blank's lines with their questions. A question that only the rubric has is looked for by its prompt. */
export function printedLinesOf(rubric: Rubric, blank: Paper): PrintedRubric {
  const { lines, furniture, questions } = readQuestions(visibleLines(blank), null, rubric.questions)
  const owner = new Map<PlacedLine, string>()
  // What leads into the parts anchors the first of them.
  for (const { id, lines: own, stem } of questions)
    for (const line of [...own, ...stem]) {
      const printed = line.stretchOf ?? line
      if (!owner.has(printed)) owner.set(printed, id)
    }
  const loose = new Set<PrintedLine>()
  const prints: PrintedLine[] = lines.map((line) => ({
    text: line.text,
    question: furniture.has(line) ? null : (owner.get(line) ?? null),
    page: line.page,
    y: line.box.y,
    right: line.box.x + line.box.width,
  }))
  prints.forEach((print, i) => {
    const line = lines[i]
    if (!print.question && line && !furniture.has(line) && normalizeText(line.text) !== '') loose.add(print)
  })
  const byId = new Map(rubric.questions.map((question) => [question.id, question]))
  const order: PrintedRubric['questions'] = questions.map(({ id, number, mainNumber, part }) => ({
    id,
    number,
    main: mainNumber,
    part,
    regions: byId.get(id)?.regions ?? [],
  }))
  const printed = new Set(questions.map((question) => question.id))
  for (const question of rubric.questions) {
    if (printed.has(question.id)) continue
    const prompt = ` ${normalizeText(question.prompt)} `
    const own = [...loose].filter((print) => prompt.includes(` ${normalizeText(print.text)} `))
    // An essay's blank prints its one question without a number.
    if (own.length > 0) for (const print of own) print.question = question.id
    else
      question.prompt.split('\n').forEach((line, i) => {
        const text = i === 0 && /^\d+$/.test(question.number) ? `${question.number}. ${line}` : line
        prints.push({ text, question: question.id, page: 0, y: 0 })
      })
    const number = /(\d+)\s*(?:\(part \d+\))?\s*([a-h])?/i.exec(question.number)
    order.push({
      id: question.id,
      number: question.number,
      main: Number(number?.[1] ?? 0),
      part: number?.[2]?.toLowerCase() ?? null,
      regions: question.regions,
    })
  }
  return { lines: prints, questions: order }
}
