import { randomUUID } from 'node:crypto'
import { LtiMemberModel } from './member.model.ts'
import { LtiLedgerDueModel } from './platform-pause.model.ts'
import { LtiResourceLinkModel } from './resource-link.model.ts'
import { LtiScoreModel, scoreId } from './score.model.ts'

/** These ledgers are compared with what is released within a second or so, by the score sender. */
export async function markLedgersDue(assignmentIds: number[]): Promise<void> {
  if (assignmentIds.length === 0) return
  await LtiLedgerDueModel.bulkWrite(
    assignmentIds.map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { mark: randomUUID() } }, upsert: true },
    })),
  )
}

/**
 * Call it after any change to the scores an LMS should have: a release, an override, another owner of a paper, a new link,
 * a student who became known. Does nothing for an assignment that no LMS opens.
 */
export async function markScoresChanged(assignmentId: number): Promise<void> {
  if (await LtiResourceLinkModel.exists({ assignment_id: assignmentId })) await markLedgersDue([assignmentId])
}

/** After a roster sync or a launch: for every assignment that is opened from a course of an LMS. */
export async function markContextScoresChanged(contextId: number): Promise<void> {
  const ids: (number | null)[] = await LtiResourceLinkModel.distinct('assignment_id', { context: contextId })
  await markLedgersDue(ids.filter((id) => id !== null))
}

/**
 * The gradebook of an LMS course is read again: it tells nobody when somebody changes it. `returned` are students, by their ids in the
 * LMS, who are back in the course: an LMS may have dropped their scores, and what it does not show is sent again. What it has refused for a
 * student of the course is sent once more: they may have been away when it was.
 */
export async function markContextResultsDue(contextId: number, returned: string[], now: Date): Promise<void> {
  const links: number[] = await LtiResourceLinkModel.distinct('_id', {
    context: contextId,
    assignment_id: { $ne: null },
  })
  if (links.length === 0) return
  const ids = links.flatMap((link) => returned.map((sub) => scoreId(link, sub)))
  if (ids.length > 0) await LtiScoreModel.updateMany({ _id: { $in: ids } }, { $set: { returned: true } })
  await LtiScoreModel.updateMany({ link: { $in: links }, state: 'sent' }, { $set: { check_at: now } })
  await retryRefusedScores(contextId, links, now)
  await markContextScoresChanged(contextId)
}

async function retryRefusedScores(context: number, links: number[], now: Date): Promise<void> {
  const refused = { link: { $in: links }, state: 'refused' as const, 'reason.code': 'refused' as const }
  const subs: string[] = await LtiScoreModel.distinct('sub', refused)
  if (subs.length === 0) return
  const students = { context, role: 'student', status: 'active', sub: { $in: subs } } as const
  const here: string[] = await LtiMemberModel.distinct('sub', students)
  const again = { state: 'waiting' as const, reason: null, attempts: 0, next_at: now, updated_at: now }
  await LtiScoreModel.updateMany({ ...refused, sub: { $in: here } }, { $set: again })
}
