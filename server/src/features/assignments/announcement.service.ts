import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'

/** Call it before publishing a draft, so that a crash in between does not lose the announcement. */
export async function requestAnnouncement(assignment: AssignmentDoc): Promise<void> {
  if (assignment.status === 'published' || assignment.course_id === null) return
  await AssignmentModel.updateOne({ _id: assignment._id, announcement: null }, { $set: { announcement: 'wanted' } })
}

export async function findAssignmentsToAnnounce(only?: Pick<AssignmentDoc, '_id'>): Promise<number[]> {
  const wanted = { announcement: 'wanted' as const, status: 'published' as const }
  const found = await AssignmentModel.find(only ? { ...wanted, _id: only._id } : wanted, { _id: 1 }).lean()
  return found.map(({ _id }) => _id)
}

/** Null once it has been announced. */
export function findAssignmentToAnnounce(id: number): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOne({ _id: id, announcement: 'wanted' }).lean()
}

export async function markAnnounced(id: number): Promise<void> {
  await AssignmentModel.updateOne({ _id: id }, { $set: { announcement: 'sent' } })
}
