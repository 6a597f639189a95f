import type { QueryFilter } from 'mongoose'
import { releaseFor } from '../../../features/grades/release.service.ts'
import { isLaterRelease } from '../../../features/lti/scores/score-ledger.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { findOwned, peopleOf } from '../../../records/submissions/people-of-paper.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'

/** A group's paper is the others' as well. */
const theirs = (ids: number[]): QueryFilter<SubmissionDoc> => ({
  partner_ids: { $not: { $elemMatch: { $nin: ids } } },
  $or: [{ student_id: { $in: ids } }, { student_id: null, handed_in_by: 'student', uploaded_by: { $in: ids } }],
})

/** Assigned to them, or unassigned and handed in by them. */
export const papersOf = (ids: number[]): Promise<SubmissionDoc[]> =>
  SubmissionModel.find(theirs(ids)).sort({ _id: 1 }).lean()

/** Those that are others' too. */
export async function sharedPapersOf(ids: number[]): Promise<SubmissionDoc[]> {
  const found: SubmissionDoc[] = await findOwned(ids, (whose) => SubmissionModel.find(whose).lean())
  return found.filter((paper) => peopleOf(paper).some((id) => !ids.includes(id))).sort((a, b) => a._id - b._id)
}

export const countPapersOf = (ids: number[]): Promise<number> => SubmissionModel.countDocuments(theirs(ids))

/** Of two papers for an assignment the one released last. */
export async function releasesOf(ids: number[]): Promise<ReleaseDoc[]> {
  const all: ReleaseDoc[] = await findOwned(ids, (whose) =>
    ReleaseModel.find({ ...whose, points: { $ne: null } }).lean(),
  )
  const found = all.flatMap((release) => ids.flatMap((id) => releaseFor(release, id) ?? []).slice(0, 1))
  const published: number[] = await AssignmentModel.distinct('_id', {
    _id: { $in: found.map(({ assignment_id }) => assignment_id) },
    status: 'published',
  })
  const counting = new Map<number, ReleaseDoc>()
  for (const release of found) {
    const { assignment_id } = release
    if (published.includes(assignment_id) && isLaterRelease(release, counting.get(assignment_id)))
      counting.set(assignment_id, release)
  }
  return [...counting.values()]
}
