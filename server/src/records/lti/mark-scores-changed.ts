import { randomUUID } from 'node:crypto'
import { LtiMemberModel } from './member.model.ts'
import { LtiResourceLinkModel } from './resource-link.model.ts'
import { LtiLedgerDueModel, LtiScoreModel, scoreId } from './score.model.ts'

/** Score passback compares them with what is released within a second. */
export async function markLedgersDue(assignmentIds: number[]): Promise<void> {
  if (assignmentIds.length === 0) return
  await LtiLedgerDueModel.bulkWrite(
    assignmentIds.map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { mark: randomUUID() } }, upsert: true },
    })),
  )
}

/** Call after any change to scores an LMS should have: release, override, a paper's owner, a new link or identity. */
export async function markScoresChanged(assignmentId: number): Promise<void> {
  if (await LtiResourceLinkModel.exists({ assignment_id: assignmentId })) await markLedgersDue([assignmentId])
}

export async function markContextScoresChanged(contextId: number): Promise<void> {
  const ids: (number | null)[] = await LtiResourceLinkModel.distinct('assignment_id', { context: contextId })
  await markLedgersDue(ids.filter((id) => id !== null))
}

/** LMSs report no changes. `returned`: LMS ids back in the course, whose dropped or refused scores are resent. */
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
