import { randomUUID } from 'node:crypto'
import { LtiLinkModel } from '../launches/link.model.ts'
import { LtiLedgerDueModel } from './sender.model.ts'
import { isLinked } from './targets.ts'

/** These ledgers are compared with what is released within a second or so, by whoever keeps them (`scores.ts`). */
export async function markDue(assignmentIds: number[]): Promise<void> {
  if (assignmentIds.length === 0) return
  await LtiLedgerDueModel.bulkWrite(
    assignmentIds.map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { mark: randomUUID() } }, upsert: true },
    })),
  )
}

/**
 * To be told after whatever changes which scores are to stand in an LMS: a release, an override, whose a paper is, a link that
 * was tied, a student who became known. Nothing where no LMS opens the assignment.
 */
export async function scoresChanged(assignmentId: number): Promise<void> {
  if (await isLinked(assignmentId)) await markDue([assignmentId])
}

/** After a roster sync or a launch: for every assignment that is opened from a course of an LMS. */
export async function scoresChangedIn(contextId: number): Promise<void> {
  const ids: (number | null)[] = await LtiLinkModel.distinct('assignment_id', { context: contextId })
  await markDue(ids.filter((id) => id !== null))
}
