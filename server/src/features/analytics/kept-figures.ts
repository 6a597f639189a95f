import {
  ChangesModel,
  FiguresModel,
  type GradeFigures,
  type Kept,
  type QuestionFigures,
} from './analytics.model.ts'
import { type Ground, statesOf } from './changes.ts'

interface Parts {
  grades: GradeFigures
  questions: QuestionFigures
}

/**
 * Figures by assignment: kept ones where nothing they rest on has changed since, else made afresh and kept. What is made
 * while something changes is shown but not kept.
 */
export async function figuresOf<P extends keyof Parts>(
  part: P,
  assignmentIds: number[],
  groundsOf: (assignmentId: number) => Ground[],
  make: (assignmentId: number) => Promise<Parts[P]>,
): Promise<Map<number, Parts[P]>> {
  const keysOf = async (ids: number[]) => {
    const states = await statesOf(ids.flatMap(groundsOf))
    return new Map(ids.map((id) => [id, keyOf(groundsOf(id), states)]))
  }
  const before = await keysOf(assignmentIds)
  const docs = await FiguresModel.find({ _id: { $in: assignmentIds } })
    .select(part)
    .lean<({ _id: number } & { [K in P]?: Kept<Parts[P]> })[]>()
  const kept = new Map(docs.map((doc) => [doc._id, doc[part]]))
  const figures = new Map<number, Parts[P]>()
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
      FiguresModel.updateOne(
        { _id: id },
        { $set: { [part]: { key: after.get(id), figures: figures.get(id) } } },
        { upsert: true },
      ),
    ),
  )
  return figures
}

/** With the grounds' names: an assignment may be moved to another course, which has a count of its own. */
function keyOf(grounds: Ground[], states: Map<Ground, number | null>): string | null {
  const parts = grounds.map((ground) => ({ ground, state: states.get(ground) ?? null }))
  if (parts.some(({ state }) => state === null)) return null
  return parts.map(({ ground, state }) => `${ground} ${state}`).join(', ')
}

/** Of an assignment that is gone. Its id is never used again. */
export async function forgetFigures(assignmentId: number): Promise<void> {
  await FiguresModel.deleteOne({ _id: assignmentId })
  await ChangesModel.deleteOne({ _id: `assignment/${assignmentId}` })
}
