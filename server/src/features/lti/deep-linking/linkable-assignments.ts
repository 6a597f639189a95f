import type { LinkableAssignment } from '@assay/shared/lti-deep-linking.ts'
import { type AssignmentDoc, AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { type RubricWithPoints, totalRubricPoints } from '../../assignments/rubric-points.ts'

/** Of a rubric the points alone: it is larger than all the rest. */
const fields = {
  title: 1,
  status: 1,
  available_at: 1,
  due_at: 1,
  closes_at: 1,
  late_rule: 1,
  created_at: 1,
  'rubric.questions.criteria.points': 1,
} as const

export type LinkableAssignmentDoc = Pick<
  AssignmentDoc,
  '_id' | 'title' | 'status' | 'available_at' | 'due_at' | 'closes_at' | 'late_rule' | 'created_at'
> & { rubric?: RubricWithPoints | null }

/** Newest first; of those named alone, where some are. */
export function findLinkableAssignments(courseId: number, ids?: number[]): Promise<LinkableAssignmentDoc[]> {
  const named = ids ? { _id: { $in: ids } } : {}
  return AssignmentModel.find({ course_id: courseId, ...named }, fields)
    .sort({ created_at: -1, _id: -1 })
    .lean<LinkableAssignmentDoc[]>()
}

/** The assignments of a course, and which of them the LMS's course has already, as far as we can know. */
export async function presentLinkableAssignments(courseId: number, contextId: number): Promise<LinkableAssignment[]> {
  const assignments = await findLinkableAssignments(courseId)
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
