import type { Paper } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { bottomOf, normalizeText, type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'

/** As a share of the page's height. */
const FOOT = 0.94
const LEAST_HEIGHT = 8

/** Their space reaches from below the prompt to the next question. */
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

/** From the first line that begins the prompt, as far as they continue it. */
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

function startsAlike(printed: string, wanted: string): boolean {
  const begin = wanted.split(' ').slice(0, 3).join(' ')
  const at = printed.indexOf(begin)
  return at >= 0 && at <= 8
}

const round = (value: number) => Math.round(value * 10) / 10
