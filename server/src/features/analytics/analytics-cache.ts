import pLimit from 'p-limit'
import {
  AnalyticsCacheModel,
  type CachedStats,
  type GradeStats,
  type QuestionStats,
} from '../../records/grading/analytics.model.ts'
import { type AnalyticsDependency, dependencyStates } from '../../records/grading/analytics-invalidation.ts'

interface StatsByPart {
  grades: GradeStats
  questions: QuestionStats
}

/** Two, so that one assignment is read while another is computed; each holds its data in memory. */
const AT_ONCE = 2

/** What is computed during a change is not cached. */
export async function cachedStats<P extends keyof StatsByPart>(
  part: P,
  assignmentIds: number[],
  dependenciesOf: (assignmentId: number) => AnalyticsDependency[],
  compute: (assignmentId: number) => Promise<StatsByPart[P]>,
): Promise<Map<number, StatsByPart[P]>> {
  const keysOf = async (ids: number[]) => {
    const states = await dependencyStates(ids.flatMap(dependenciesOf))
    return new Map(ids.map((id) => [id, cacheKey(dependenciesOf(id), states)]))
  }
  const before = await keysOf(assignmentIds)
  const docs = await AnalyticsCacheModel.find({ _id: { $in: assignmentIds } })
    .select(part)
    .lean<({ _id: number } & { [K in P]?: CachedStats<StatsByPart[P]> })[]>()
  const cached = new Map(docs.map((doc) => [doc._id, doc[part]]))
  const entries = await pLimit(AT_ONCE).map(assignmentIds, async (id) => {
    const known = cached.get(id)
    return [id, known && known.key === before.get(id) ? known.figures : await compute(id)] as const
  })
  const figures = new Map(entries)
  const computed = assignmentIds.filter((id) => before.get(id) != null && cached.get(id)?.key !== before.get(id))
  if (computed.length === 0) return figures
  const after = await keysOf(computed)
  const unchanged = computed.filter((id) => after.get(id) === before.get(id))
  await Promise.all(
    unchanged.map((id) =>
      AnalyticsCacheModel.updateOne(
        { _id: id },
        { $set: { [part]: { key: after.get(id), figures: figures.get(id) } } },
        { upsert: true },
      ),
    ),
  )
  return figures
}

/** Raised when statistics get other fields: those cached before lack them. */
const FORM = 'form 2'

/** The names are in it because an assignment may move to another course, which has its own counter. */
function cacheKey(dependencies: AnalyticsDependency[], states: Map<AnalyticsDependency, number | null>): string | null {
  const parts = dependencies.map((name) => ({ name, state: states.get(name) ?? null }))
  if (parts.some(({ state }) => state === null)) return null
  return [FORM, ...parts.map(({ name, state }) => `${name} ${state}`)].join(', ')
}
