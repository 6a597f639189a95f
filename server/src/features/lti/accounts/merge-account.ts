import { markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { reassignAssignments, reassignExtensions } from '../../assignments/assignment-queries.ts'
import { enrollmentsOfUser } from '../../courses/enrollment-queries.ts'
import { reassignCourses, reassignEnrollment } from '../../courses/merge-courses.ts'
import { reassignRelease } from '../../grades/release.service.ts'
import { reassignDrafts } from '../../photo-drafts/photo-draft.service.ts'
import { reassignRegrades } from '../../regrades/regrade.service.ts'
import { reassignSubmissions } from '../../submissions/reassign-submissions.ts'

/**
 * Moves everything of one account to another: enrolments, courses and assignments, submissions with their released grades, photos not
 * handed in, and LMS records. Every step is idempotent. History stays with the old account: who graded, who ran, the audit log.
 */
export async function mergeAccount(from: UserDoc, to: UserDoc): Promise<void> {
  await reassignCourses(from._id, to._id)
  await reassignAssignments(from._id, to._id)
  await moveEnrollments(from._id, to._id)
  await moveScores(from._id, to._id)
  await LtiMemberModel.updateMany({ user_id: from._id }, { $set: { user_id: to._id } })
  await reassignSubmissions(from, to, reassignRelease)
  await reassignRegrades(from._id, to._id)
  await reassignDrafts(from._id, to._id, new Date())
  for (const context of await LtiMemberModel.distinct('context', { user_id: to._id }))
    await markContextScoresChanged(context)
}

async function moveEnrollments(from: number, to: number): Promise<void> {
  for (const enrollment of await enrollmentsOfUser(from)) {
    await reassignEnrollment(enrollment, to)
    await reassignExtensions(enrollment.course_id, from, to)
  }
}

/**
 * The ledger's rows belong to the LMS's people. They lose their submission until it has moved; otherwise it would look as if it had
 * been given to another student, and the score would be cleared.
 */
async function moveScores(from: number, to: number): Promise<void> {
  await LtiScoreModel.updateMany({ user_id: from }, { $set: { user_id: to, submission_id: null } })
}
