import {
  getScoreRules,
  previewDates,
  previewScoreRules,
  setScoreRules,
  waiveLatePenalty,
} from '@assay/shared/score-rules.ts'
import { Router } from 'express'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { requireNamesShown } from '../anonymous-grading/present-student.ts'
import { scoreRulesOf } from '../assignments/adjusted-score.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { notifyReleased } from '../grades/release-notification.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { queueReleasedScores } from './released-scores-job.ts'
import {
  changeLateWaiver,
  changeScoreRules,
  presentPenalty,
  presentScoreRules,
  previewRules,
  requireFittingPenalty,
  resolveRules,
  withChangedDates,
} from './score-rules.ts'

export function scoreRulesRoutes(services: Services): Router {
  const { clock } = services
  const router = Router()

  handle(router, getScoreRules, async ({ params, actor }) =>
    presentScoreRules(await requireAssignmentFor(actor, params.assignmentId)),
  )

  handle(router, previewScoreRules, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    requireFittingPenalty(assignment, body)
    return previewRules(assignment, await resolveRules(assignment, body))
  })

  handle(router, previewDates, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    // A preview for one student would reveal whose paper came late.
    if (body.extension) requireNamesShown(assignment)
    return previewRules(assignment, scoreRulesOf(assignment), withChangedDates(assignment, body))
  })

  handle(router, setScoreRules, async ({ params, body: { version, ...wanted }, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    requireFittingPenalty(assignment, wanted)
    const rules = await resolveRules(assignment, wanted)
    const changed = await changeScoreRules(assignment, rules, version, actor, clock.now())
    if (changed.released_scores_due !== undefined) await queueReleasedScores([changed._id], services)
    return presentScoreRules(changed)
  })

  handle(router, waiveLatePenalty, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const changed = await changeLateWaiver(assignment, submission, body.waived, actor, clock.now())
    if (changed) {
      await notifySubmissionChanged(changed, services)
      if (changed.grade?.released) await notifyReleased(assignment, changed._id, services)
    }
    return presentPenalty(assignment, changed ?? (await requireSubmission(params)))
  })

  return router
}
