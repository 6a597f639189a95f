import { roundPoints } from '@assay/shared/rules/points.ts'
import { median, sum } from '../../lib/numbers.ts'
import type { PrintedPaper } from '../layout/outline/read-questions.ts'
import type { KeyAnswer } from './key/key-lines.ts'

const DEFAULT_POINTS = 10
/** With more questions without points, one remark speaks of all. */
const REMARKED_EACH = 3

interface AllocatedPoints {
  points: number[]
  /** By question id, how points that are printed nowhere came about; to follow the question's number. */
  guessed: Map<string, string>
  guess: { message: string; points: number } | null
}

/** As printed, else by the key, else shares of what the stem or the paper is worth. */
export function allocatePoints(paper: PrintedPaper, answers: Map<string, KeyAnswer>): AllocatedPoints {
  const { questions } = paper
  const points = questions.map((question) => question.points)
  const inKey = questions.map(({ id }) => keyPoints(answers.get(id)))
  for (const { points: worth, ids } of paper.sharedPoints) {
    const parts = questions.flatMap((question, i) => (ids.includes(question.id) ? [i] : []))
    const open = parts.filter((i) => points[i] === null)
    const left = worth - sum(parts.map((i) => points[i] ?? 0))
    const byKey = sum(open.map((i) => inKey[i] ?? Number.NaN))
    const shares = Math.abs(byKey - left) < 0.01 ? open.map((i) => inKey[i] ?? null) : evenShares(left, open.length)
    if (left > 0) for (const [at, i] of open.entries()) points[i] = shares[at] ?? null
  }
  for (const [i, value] of inKey.entries()) points[i] ??= value
  const open = points.flatMap((value, i) => (value === null ? [i] : []))
  if (open.length === 0)
    return { points: points.map((value) => value ?? DEFAULT_POINTS), guessed: new Map(), guess: null }
  const left = (paper.total ?? 0) - sum(points.map((value) => value ?? 0))
  const known = points.filter((value) => value !== null)
  const usual = known.length > 0 ? median(known) : DEFAULT_POINTS
  const shares = left > 0 ? evenShares(left, open.length) : open.map(() => usual)
  const why =
    left > 0 ? `no points are printed, so the paper’s ${paper.total} were divided evenly` : 'no points are printed'
  for (const [at, i] of open.entries()) points[i] = shares[at] ?? usual
  const many = open.length > REMARKED_EACH
  const guessed = open.map((i): [string, string] => [questions[i]?.id ?? '', ` was given ${points[i]} points: ${why}.`])
  return {
    points: points.map((value) => value ?? DEFAULT_POINTS),
    guessed: new Map(many ? [] : guessed),
    guess: many ? guessOf(questions.length, shares, left > 0 ? paper.total : null) : null,
  }
}

function guessOf(all: number, shares: number[], divided: number | null): AllocatedPoints['guess'] {
  const which = shares.length === all ? `all ${all} questions` : `${shares.length} of the ${all} questions`
  const how = divided === null ? `each was given ${shares[0]}` : `the paper’s ${divided} were divided evenly`
  return { message: `No points are printed for ${which}: ${how}. Set the points.`, points: sum(shares) }
}

function keyPoints(answer: KeyAnswer | undefined): number | null {
  const scheme = sum(answer?.criteria.map((criterion) => criterion.points) ?? [])
  return answer?.points ?? (scheme > 0 ? scheme : null)
}

/** In hundredths; the last share takes what is left. */
function evenShares(points: number, count: number): number[] {
  const each = Math.max(0.01, roundPoints(points / count))
  return Array.from({ length: count }, (_, i) =>
    i < count - 1 ? each : Math.max(0.01, roundPoints(points - each * (count - 1))),
  )
}
