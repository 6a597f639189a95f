import { randomUUID } from 'node:crypto'
import { LtiLedgerDueModel } from '../../../records/lti/platform-pause.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { isLinked } from './score-targets.ts'

/** These ledgers are compared with what is released within a second or so, by whoever keeps them (`scores.ts`). */
export async function markLedgersDue(assignmentIds: number[]): Promise<void> {
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
export async function markScoresChanged(assignmentId: number): Promise<void> {
  if (await isLinked(assignmentId)) await markLedgersDue([assignmentId])
}

/** After a roster sync or a launch: for every assignment that is opened from a course of an LMS. */
export async function markContextScoresChanged(contextId: number): Promise<void> {
  const ids: (number | null)[] = await LtiResourceLinkModel.distinct('assignment_id', { context: contextId })
  await markLedgersDue(ids.filter((id) => id !== null))
}
