import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import {
  checkLmsScores,
  detachLmsLink,
  getLmsScores,
  listLmsScores,
  sendLmsScores,
} from '@assay/shared/lti/lti-scores.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { handle } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiPlatformPauseModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import { presentScoreRows, presentScores } from './score.present.ts'
import { type AssignmentRef, detachLink, type ScoreTarget, scoresFilter, scoreTargetsOf } from './score-targets.ts'

export function scoreRoutes(router: Router, { clock }: Services): void {
  handle(router, getLmsScores, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentScores(assignment)
  })

  handle(router, listLmsScores, async ({ params, query, actor, setTotal }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const { rows, total } = await presentScoreRows(assignment, query)
    setTotal(total)
    return rows
  })

  handle(router, sendLmsScores, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const now = clock.now()
    const queued = await resendScores(assignment, body, now)
    if (queued > 0)
      await recordAudit(actor, 'lms_scores.sent_again', { assignment_id: assignment._id }, now, {
        after: { scores: queued },
      })
    return { queued, scores: await presentScores(assignment) }
  })

  handle(router, checkLmsScores, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const queued = await checkScores(assignment, clock.now())
    return { queued, scores: await presentScores(assignment) }
  })

  handle(router, detachLmsLink, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const now = clock.now()
    const { _id: link, title } = await detachLink(assignment, params.linkId, now)
    await recordAudit(actor, 'lms_link.detached', { assignment_id: assignment._id }, now, { after: { link, title } })
    return presentScores(assignment)
  })
}

/** Accepted ones too, and reads the gradebook, as an LMS may accept a score but keep its own. */
async function resendScores(assignment: AssignmentDoc, body: BodyOf<typeof sendLmsScores>, now: Date) {
  const { submission_ids, changed_too } = body ?? {}
  const targets = await targetsToTry(await openTargets(assignment))
  const platforms = targets.map(({ platform }) => platform._id)
  await LtiPlatformPauseModel.updateMany({ _id: { $in: platforms } }, { $set: { resume_at: now } })
  const where = scoresFilter(assignment, targets, submission_ids)
  const again = { state: 'waiting' as const, next_at: now, attempts: 0, updated_at: now }
  const open = await LtiScoreModel.updateMany({ ...where, state: { $in: ['refused', 'waiting'] } }, { $set: again })
  // While grades are hidden, what the LMS still has is not sent again.
  const sent =
    assignment.status === 'published'
      ? await LtiScoreModel.updateMany(
          {
            ...where,
            state: 'sent',
            'wanted.score': { $ne: null },
            ...(submission_ids || changed_too ? {} : { 'result.state': { $ne: 'different' } }),
          },
          { $set: { ...again, result: null, reason: null }, $inc: { change: 1 } },
        )
      : { matchedCount: 0 }
  await markScoresChanged(assignment._id)
  return open.matchedCount + sent.matchedCount
}

async function checkScores(assignment: AssignmentRef, now: Date): Promise<number> {
  const links = (await openTargets(assignment)).map(({ link }) => link._id)
  const due = await LtiScoreModel.updateMany(
    { assignment_id: assignment._id, link: { $in: links }, state: 'sent' },
    { $set: { check_at: now } },
  )
  await markScoresChanged(assignment._id)
  return due.matchedCount
}

/** If all are gone, all of them: somebody may have restored an activity. */
async function targetsToTry(targets: ScoreTarget[]): Promise<ScoreTarget[]> {
  const there = targets.filter(({ link }) => !link.gone)
  if (there.length > 0) return there
  await LtiResourceLinkModel.updateMany({ _id: { $in: targets.map(({ link }) => link._id) } }, { $set: { gone: null } })
  return targets
}

const openTargets = async (assignment: AssignmentRef) =>
  (await scoreTargetsOf(assignment)).filter(({ blockedReason }) => blockedReason === null)
