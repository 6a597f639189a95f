import type { PrintedPaper } from '../layout/read-questions.ts'
import type { KeyAnswer } from './key/key-answer.ts'

/** Where neither the paper nor the key says anything. */
const DEFAULT_POINTS = 10

interface AllocatedPoints {
  points: number[]
  /** By the id of a question whose points are printed nowhere: how they came about, to follow its number. */
  guessed: Map<string, string>
}

/** The points of each question: as printed, else by the key, else shares of what the stem or the paper is worth. */
export function allocatePoints(paper: PrintedPaper, answers: Map<string, KeyAnswer>): AllocatedPoints {
  const { questions } = paper
  const points = questions.map((question) => {
    if (question.points !== null) return question.points
    const answer = answers.get(question.id)
    const scheme = answer?.criteria.reduce((sum, criterion) => sum + criterion.points, 0) ?? 0
    return answer?.points ?? (scheme > 0 ? scheme : null)
  })
  for (const { points: worth, ids } of paper.sharedPoints) {
    const parts = questions.flatMap((question, i) => (ids.includes(question.id) ? [i] : []))
    const open = parts.filter((i) => points[i] === null)
    const known = parts.reduce((sum, i) => sum + (points[i] ?? 0), 0)
    if (open.length > 0 && worth > known) for (const i of open) points[i] = round((worth - known) / open.length)
  }
  const open = points.flatMap((value, i) => (value === null ? [i] : []))
  const known = points.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const guessed = new Map<string, string>()
  if (open.length > 0) {
    const left = paper.total !== null && paper.total > known ? paper.total - known : null
    const each = left !== null ? round(left / open.length) : medianPoints(points)
    const why =
      left === null
        ? 'no points are printed'
        : `no points are printed, so the paper’s ${paper.total} were divided evenly`
    for (const i of open) {
      points[i] = each
      const id = questions[i]?.id
      if (id !== undefined) guessed.set(id, ` was given ${each} points: ${why}.`)
    }
  }
  return { points: points.map((value) => value ?? DEFAULT_POINTS), guessed }
}

/** What the other questions are worth, else ten. */
function medianPoints(points: (number | null)[]): number {
  const known = points.filter((value) => value !== null).sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)] ?? DEFAULT_POINTS
}

const round = (points: number) => Math.max(0.01, Math.round(points * 100) / 100)
