import {
  AnalyticsCacheModel,
  AnalyticsChangesModel,
  type CachedStats,
  type GradeStats,
  type QuestionStats,
} from '../../records/grading/analytics.model.ts'
import { type AnalyticsDependency, dependencyStates } from '../../records/grading/analytics-invalidation.ts'

interface StatsByPart {
  grades: GradeStats
  questions: QuestionStats
}

/**
 * Figures by assignment: kept ones where nothing they rest on has changed since, else made afresh and kept. What is made
 * while something changes is shown but not kept.
 */
export async function cachedStats<P extends keyof StatsByPart>(
  part: P,
  assignmentIds: number[],
  groundsOf: (assignmentId: number) => AnalyticsDependency[],
  make: (assignmentId: number) => Promise<StatsByPart[P]>,
): Promise<Map<number, StatsByPart[P]>> {
  const keysOf = async (ids: number[]) => {
    const states = await dependencyStates(ids.flatMap(groundsOf))
    return new Map(ids.map((id) => [id, cacheKey(groundsOf(id), states)]))
  }
  const before = await keysOf(assignmentIds)
  const docs = await AnalyticsCacheModel.find({ _id: { $in: assignmentIds } })
    .select(part)
    .lean<({ _id: number } & { [K in P]?: CachedStats<StatsByPart[P]> })[]>()
  const kept = new Map(docs.map((doc) => [doc._id, doc[part]]))
  const figures = new Map<number, StatsByPart[P]>()
  const made: number[] = []
  for (const id of assignmentIds) {
    const key = before.get(id) ?? null
    const known = kept.get(id)
    if (known && known.key === key) figures.set(id, known.figures)
    else {
      figures.set(id, await make(id))
      if (key !== null) made.push(id)
    }
  }
  if (made.length === 0) return figures
  const after = await keysOf(made)
  const lasting = made.filter((id) => after.get(id) === before.get(id))
  await Promise.all(
    lasting.map((id) =>
      AnalyticsCacheModel.updateOne(
        { _id: id },
        { $set: { [part]: { key: after.get(id), figures: figures.get(id) } } },
        { upsert: true },
      ),
    ),
  )
  return figures
}

/** With the grounds' names: an assignment may be moved to another course, which has a count of its own. */
function cacheKey(grounds: AnalyticsDependency[], states: Map<AnalyticsDependency, number | null>): string | null {
  const parts = grounds.map((ground) => ({ ground, state: states.get(ground) ?? null }))
  if (parts.some(({ state }) => state === null)) return null
  return parts.map(({ ground, state }) => `${ground} ${state}`).join(', ')
}

/** Of an assignment that is gone. Its id is never used again. */
export async function deleteAnalyticsCache(assignmentId: number): Promise<void> {
  await AnalyticsCacheModel.deleteOne({ _id: assignmentId })
  await AnalyticsChangesModel.deleteOne({ _id: `assignment/${assignmentId}` })
}
