import type { PrintedPaper } from '../layout/read-questions.ts'
import type { KeyAnswer } from './key/read-scheme.ts'

/** Where neither the paper nor the key says anything. */
const DEFAULT_POINTS = 10

/** The points of each question: as printed, else by the key, else shares of what the stem or the paper is worth. */
export function allocatePoints(paper: PrintedPaper, answers: Map<string, KeyAnswer>, problems: string[]): number[] {
  const { questions } = paper
  const points = questions.map((question) => {
    if (question.points !== null) return question.points
    const answer = answers.get(question.id)
    const scheme = answer?.criteria.reduce((sum, criterion) => sum + criterion.points, 0) ?? 0
    return answer?.points ?? (scheme > 0 ? scheme : null)
  })
  for (const { number, points: worth, ids } of paper.sharedPoints) {
    const parts = questions.flatMap((question, i) => (ids.includes(question.id) ? [i] : []))
    const open = parts.filter((i) => points[i] === null)
    const known = parts.reduce((sum, i) => sum + (points[i] ?? 0), 0)
    if (open.length > 0 && worth > known) for (const i of open) points[i] = round((worth - known) / open.length)
    else if (open.length === 0 && Math.abs(known - worth) > 0.01) {
      problems.push(`Question ${number}: its parts add up to ${known} points, but ${worth} are printed.`)
    }
  }
  const open = points.flatMap((value, i) => (value === null ? [i] : []))
  const known = points.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  if (open.length > 0) {
    const left = paper.total !== null && paper.total > known ? paper.total - known : null
    const each = left !== null ? round(left / open.length) : medianPoints(points)
    for (const i of open) points[i] = each
    const which = open.map((i) => questions[i]?.number).join(', ')
    const why = left !== null ? `the remaining points of the ${paper.total} were divided evenly` : 'none are printed'
    problems.push(
      `${open.length === 1 ? `Question ${which} was` : `Questions ${which} were`} given ${each} points${open.length === 1 ? '' : ' each'}: ${why}.`,
    )
  } else if (paper.total !== null && Math.abs(paper.total - known) > 0.01) {
    problems.push(`The questions add up to ${round(known)} points, but the paper says ${paper.total}.`)
  }
  return points.map((value) => value ?? DEFAULT_POINTS)
}

/** What the other questions are worth, else ten. */
function medianPoints(points: (number | null)[]): number {
  const known = points.filter((value) => value !== null).sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)] ?? DEFAULT_POINTS
}

const round = (points: number) => Math.max(0.01, Math.round(points * 100) / 100)
