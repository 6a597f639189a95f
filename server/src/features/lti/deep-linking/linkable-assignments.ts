import type { LinkableAssignment } from '@assay/shared/lti/lti-deep-linking.ts'
import { LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { findAssignmentsWithPoints } from '../../assignments/assignment-queries.ts'
import { totalRubricPoints } from '../../assignments/rubric-points.ts'

/** The assignments of a course, and which of them the LMS's course has already, as far as we can know. */
export async function presentLinkableAssignments(courseId: number, contextId: number): Promise<LinkableAssignment[]> {
  const assignments = await findAssignmentsWithPoints(courseId)
  const ids = assignments.map(({ _id }) => _id)
  const [links, answers] = await Promise.all([
    LtiResourceLinkModel.find({ assignment_id: { $in: ids }, context: contextId }, { assignment_id: 1 }).lean(),
    LtiDeepLinkResponseModel.find({ context: contextId, sent_at: { $ne: null } }).lean(),
  ])
  const linked = new Set(links.map(({ assignment_id }) => assignment_id))
  const added = new Map<number, Date>()
  for (const { assignment_ids, sent_at } of answers) {
    for (const id of assignment_ids) {
      const before = added.get(id)
      if (sent_at && (!before || sent_at > before)) added.set(id, sent_at)
    }
  }
  return assignments.map(({ _id, title, status, rubric, due_at, created_at }) => ({
    id: _id,
    title,
    status,
    points: totalRubricPoints(rubric),
    due_at: due_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    linked: linked.has(_id),
    added_at: added.get(_id)?.toISOString() ?? null,
  }))
}
