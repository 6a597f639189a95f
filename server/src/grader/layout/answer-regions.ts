import type { Box } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { readPoints } from './outline/points.ts'
import type { PrintedPaper } from './outline/read-questions.ts'
import { bottomOf, type PlacedLine } from './paper-lines.ts'
import type { PrintedQuestion } from './printed-question.ts'

const FOOT = 0.94
const HEAD = 0.05

/** The blank's answer space: from below the prompt to the next question, over all pages between. */
export function answerRegions(question: PrintedQuestion, index: number, paper: PrintedPaper): Question['regions'] {
  const [first] = question.lines
  const last = lastPromptLine(question)
  if (!first || !last) return []
  const next = paper.questions[index + 1]
  const nextLine = next?.stem[0] && next.mainNumber !== question.mainNumber ? next.stem[0] : next?.lines[0]
  // Options are marked in place; a short prompt can be answered on its own line.
  const choice = findChoiceOptions(question.lines.map((line) => line.text).join('\n')).length > 0
  const from = choice ? first : last
  const top = choice ? first.box.y : bottomOf(last) - last.box.height * 0.25
  const regions: Question['regions'] = []
  const own = new Set([...question.stem, ...question.lines])
  const lastPage = nextLine?.page ?? from.page
  const nextColumn = nextLine && nextLine.page === from.page && startsColumn(nextLine, first) ? nextLine : null
  const { left, right } = columnOf(first, paper)
  for (let page = from.page; page <= lastPage; page++) {
    const y = page === from.page ? top : from.pageHeight * HEAD
    const below = paper.questions
      .slice(index + 1)
      .map(({ stem, lines }) => [...stem, ...lines].find((line) => !own.has(line)))
      // In columns only what stands in this one, or across both, ends the space.
      .filter((line) => line !== undefined && line.page === page && line.box.y > y + 1 && line.box.x < right - 4)
      .map((line) => line?.box.y ?? 0)
    const bottom = Math.min(from.pageHeight * FOOT, ...(nextColumn || page === lastPage ? below : []))
    const box = { x: left, y, width: right - left, height: bottom - y }
    const least = page === from.page ? 4 : 40
    if (box.height > least && box.width > 4) regions.push({ page, box: rounded(box) })
  }
  return regions
}

const COLUMN_APART = 100
const startsColumn = (line: PlacedLine, before: PlacedLine): boolean =>
  line.page === before.page && line.box.y < before.box.y && line.box.x > before.box.x + COLUMN_APART

/** The sides of the question's column, in points; the page's where there are no columns. */
function columnOf(first: PlacedLine, { questions }: PrintedPaper): { left: number; right: number } {
  const starts = questions
    .flatMap(({ stem, lines }) => stem[0] ?? lines[0] ?? [])
    .filter(({ page }) => page === first.page)
  const columns = starts
    .filter((line, i) => i > 0 && startsColumn(line, starts[i - 1] ?? line))
    .map(({ box }) => box.x - 4)
  return {
    left: Math.max(0, ...columns.filter((x) => x <= first.box.x)),
    right: Math.min(first.pageWidth, ...columns.filter((x) => x > first.box.x)),
  }
}

export const rounded = (box: Box): Box => ({
  x: Math.round(box.x * 10) / 10,
  y: Math.round(box.y * 10) / 10,
  width: Math.round(box.width * 10) / 10,
  height: Math.round(box.height * 10) / 10,
})

const ANSWER_SPACE =
  /^\W*(?:(?:your\s+)?(?:answer|ans|solution|response|explanation|work(?:ing)?|show\s+your\s+work(?:ing)?(?:\s+here)?)\b\W*)?[\s_.…-]*$/i

const isAnswerSpace = (text: string): boolean => ANSWER_SPACE.test(text)

export function questionPrompt(question: PrintedQuestion): string {
  return [...question.stemTexts, ...question.texts]
    .map((text) => (readPoints(text)?.rest ?? text).replace(/_{3,}/g, '____'))
    .filter((text) => !isAnswerSpace(text) || /[\p{L}]{3}/u.test(text.replace(ANSWER_SPACE, '')))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

const lastPromptLine = ({ lines }: PrintedQuestion): PlacedLine | undefined =>
  lines.findLast((line, i) => i === 0 || !isAnswerSpace(line.text))
