import { percentOf, pointsFromPercent, sumPoints } from '@assay/shared/rules/points.ts'
import type { mongo } from 'mongoose'
import { updateInBatches } from './migration.ts'

interface Release extends mongo.Document {
  _id: number
  final_score?: number | null
  adjusted?: { raw_score: number; steps: { from: number; to: number; points_percent?: number }[] } | null
  criteria: { score: number | null; max_score: number }[]
}

interface Score {
  percent?: number | null
}

interface ScoreRow extends mongo.Document {
  _id: string
  wanted: Score
  accepted: Score | null
  unsure: Score | null
}

interface Graded extends mongo.Document {
  _id: number
  grade: { manual_score_override: number | null; overall_score: number | null } | null
}

/** Released, adjusted and sent scores were percentages. */
export async function storePoints(db: mongo.Db, signal: AbortSignal): Promise<void> {
  await updateInBatches(db.collection<Release>('releases'), { points: { $exists: false } }, releaseInPoints, signal)
  await updateInBatches(
    db.collection<ScoreRow>('lti_scores'),
    { 'wanted.percent': { $exists: true } },
    ({ wanted, accepted, unsure }) => ({
      $set: { wanted: inPoints(wanted), accepted: inPoints(accepted), unsure: inPoints(unsure) },
    }),
    signal,
  )
  // Lists are sorted by it; the oldest grades have none.
  await updateInBatches(
    db.collection<Graded>('submissions'),
    { grade: { $ne: null }, 'grade.final_score': { $exists: false } },
    ({ grade }) => ({ $set: { 'grade.final_score': grade?.manual_score_override ?? grade?.overall_score ?? null } }),
    signal,
  )
}

function inPoints(sent: Score | null): object | null {
  if (!sent) return null
  const { percent = null, ...rest } = sent
  return { ...rest, score: percent === null ? null : { given: percent, of: 100 } }
}

function releaseInPoints({ final_score = null, adjusted, criteria }: Release): mongo.Document {
  const unset = { $unset: { final_score: 1 } }
  if (final_score === null) return { $set: { points: null }, ...unset }
  const of = sumPoints(criteria.map(({ max_score }) => max_score)) || 100
  const given = (percent: number) => pointsFromPercent(percent, of).given
  const sum = { given: sumPoints(criteria.map(({ score }) => score ?? 0)), of }
  const raw_score = adjusted?.raw_score ?? final_score
  // The score may have been rounded to one decimal: what the criteria make of it counts.
  const isSum = percentOf(sum) === percentOf({ given: raw_score, of: 100 })
  const raw_points = isSum ? sum : { given: given(raw_score), of }
  if (!adjusted) return { $set: { points: raw_points }, ...unset }
  const points = { given: given(final_score), of }
  const steps = adjusted.steps.map((step, i) => ({
    ...step,
    from: i === 0 ? raw_points.given : given(step.from),
    to: given(step.to),
    ...(Math.abs((step.points_percent ?? 0) - (step.to - step.from)) > 1e-4 && step.points_percent !== undefined
      ? { limited: true }
      : {}),
  }))
  return { $set: { points, adjusted: { ...adjusted, raw_points, points, steps } }, ...unset }
}
