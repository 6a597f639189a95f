import type { Paper } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { bottomOf, normalizeText, type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'

/** How far down its page an answer's room may reach, as a share of the height. */
const FOOT = 0.94
const LEAST_HEIGHT = 8

/** Questions that an LLM found, with their room on the blank: from below the lines of the prompt to the next question's. */
export function withRegions(questions: readonly Question[], blank: Paper): Question[] {
  if (questions.every(({ regions }) => regions.length > 0)) return [...questions]
  const lines = visibleLines(blank)
  const prompts = questions.map(({ prompt }) => promptLines(prompt, lines))
  const starts = prompts.flatMap(([first]) => first ?? [])
  return questions.map((question, i) => {
    const last = prompts[i]?.at(-1)
    if (question.regions.length > 0 || !last) return question
    const top = bottomOf(last)
    const below = [
      ...starts.filter((line) => line.page === last.page && line.box.y > top).map((line) => line.box.y),
      // Those of the rules have a room of their own.
      ...questions.flatMap(({ regions }) =>
        regions.filter(({ page, box }) => page === last.page && box.y > top).map(({ box }) => box.y),
      ),
    ]
    const bottom = Math.min(last.pageHeight * FOOT, ...below)
    if (bottom - top < LEAST_HEIGHT) return question
    const box = { x: 0, y: round(top), width: round(last.pageWidth), height: round(bottom - top) }
    return { ...question, regions: [{ page: last.page, box }] }
  })
}

/** The lines that print a prompt: from the first whose words it begins with, as far as they go on with it. */
function promptLines(prompt: string, lines: readonly PlacedLine[]): PlacedLine[] {
  const wanted = normalizeText(prompt)
  const isPart = ({ text }: PlacedLine) => {
    const printed = normalizeText(text)
    return printed.length > 3 && (wanted.includes(printed) || printed.includes(wanted))
  }
  const from = lines.findIndex((line) => isPart(line) && startsAlike(normalizeText(line.text), wanted))
  if (from < 0) return []
  const until = lines.findIndex((line, i) => i > from && !isPart(line))
  return lines.slice(from, until < 0 ? undefined : until)
}

/** The same words at the start, but for a number before them. */
function startsAlike(printed: string, wanted: string): boolean {
  const begin = wanted.split(' ').slice(0, 3).join(' ')
  const at = printed.indexOf(begin)
  return at >= 0 && at <= 8
}

const round = (value: number) => Math.round(value * 10) / 10
