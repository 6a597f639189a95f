import type { Actor } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { forgetFigures } from '../analytics/kept-figures.ts'
import { scoresChanged } from '../lti/scores/scores-changed.ts'
import { forgetAnswers } from '../model/forget-answers.ts'
import { deleteVersions } from '../rubrics/rubric.service.ts'
import { stopMaking } from '../rubrics/rubric-making.service.ts'
import { endRunsOf } from '../runs/run.service.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { deleteSubmissions } from '../submissions/submission.service.ts'
import { type AssignmentDoc, AssignmentModel } from './assignment.model.ts'

/**
 * With everything that hangs on it. The assignment goes first, so that nobody works on what is being deleted, and so
 * that a kill on the way leaves nothing anyone could open: the next sweep takes the rest.
 */
export async function deleteAssignment(
  assignment: AssignmentDoc,
  actor: Actor,
  services: Services,
): Promise<void> {
  await AssignmentModel.deleteOne({ _id: assignment._id })
  await endRunsOf(assignment, services)
  await stopMaking(assignment._id, services)
  await deleteSubmissions(await SubmissionModel.find({ assignment_id: assignment._id }, { _id: 1 }).lean())
  await forgetAnswers('assignment_id', [assignment._id])
  await forgetFigures(assignment._id)
  await deleteVersions([assignment._id])
  await scoresChanged(assignment._id)
  await recordAudit(actor, 'assignment.deleted', { assignment_id: assignment._id }, services.clock.now(), {
    before: { title: assignment.title, status: assignment.status },
  })
}
