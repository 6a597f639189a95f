import { percentOf } from '@assay/shared/rules/points.ts'
import type { QueryFilter } from 'mongoose'
import { releaseFor } from '../../../features/grades/release.service.ts'
import { deleteClassScans, findClassScansWith } from '../../../features/intake/class-scans/class-scan.service.ts'
import { isLaterRelease } from '../../../features/lti/scores/score-ledger.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { nextIds } from '../../../lib/database/database.ts'
import { DeferJob } from '../../../lib/jobs/job.ts'
import { AssignmentModel, type StoredPaper } from '../../../records/assignments/assignment.model.ts'
import { GroupModel } from '../../../records/assignments/group.model.ts'
import { type CourseDoc, CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { AccuracyCheckModel } from '../../../records/grading/accuracy-check.model.ts'
import { withInvalidation } from '../../../records/grading/analytics-invalidation.ts'
import { type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { RegradeModel } from '../../../records/grading/regrade.model.ts'
import { RetainedGradeModel } from '../../../records/grading/retained-grade.model.ts'
import { RubricAmendmentModel } from '../../../records/grading/rubric-amendment.model.ts'
import { SimilarityReportModel } from '../../../records/grading/similarity-report.model.ts'
import { type ErasureDoc, ErasureModel } from '../../../records/people/erasure.model.ts'
import { type UserDoc, UserModel } from '../../../records/people/user.model.ts'
import { findOwned, peopleOf } from '../../../records/submissions/people-of-paper.ts'
import { filesOfDraft, type PhotoDraftDoc, PhotoDraftModel } from '../../../records/submissions/photo-draft.model.ts'
import { type SubmissionDoc, SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { deleteAssignment, deleteCourse, deleteSubmissions } from '../../deletion/delete-course.ts'
import type { EraseRule, ErasureTask } from './erasure-rule.ts'
import { findErasure } from './erasures.ts'

const BATCH = 50
/** An accepted rubric change changes others’ points, so it is completed first. */
const AMENDMENT_WAIT_MS = 5000

/** Before anything is deleted, as later steps look for both. */
async function collectPapers(erasure: ErasureDoc): Promise<void> {
  const ids = erasure.account_ids
  const [papers, scans, drafts, elsewhere] = await Promise.all([
    solePapersOf(ids),
    findClassScansWith(ids),
    PhotoDraftModel.find({ user_id: { $in: ids } }).lean<PhotoDraftDoc[]>(),
    // Earlier papers of a submission that is another's now.
    SubmissionModel.find({ 'attempts.student_id': { $in: ids } }, { attempts: 1 }).lean(),
  ])
  const files: StoredPaper[] = [
    ...papers.flatMap(({ file, attempts = [] }) => [file, ...attempts.map((attempt) => attempt.file)]),
    ...elsewhere.flatMap(({ attempts = [] }) =>
      attempts.filter(({ student_id }) => ids.includes(student_id ?? -1)).map((attempt) => attempt.file),
    ),
  ]
  const hashes = [
    ...files.flatMap(({ hash, photos = [] }) => [hash, ...photos.flatMap((photo) => [photo.hash, photo.view.hash])]),
    ...scans.flatMap((scan) => scan.files.map(({ hash }) => hash)),
    ...drafts.flatMap(filesOfDraft),
  ]
  // Keeps those a step found before a crash.
  await ErasureModel.updateOne(
    { _id: erasure._id },
    { $addToSet: { submission_ids: { $each: papers.map(({ _id }) => _id) }, file_hashes: { $each: hashes } } },
  )
}

/** Released scores under the placeholder, which the school may keep. */
export async function retainGrades({ erasure }: ErasureTask): Promise<void> {
  const releases = await releasesOf(erasure.account_ids)
  if (releases.length === 0) return
  const assignments = await AssignmentModel.find(
    { _id: { $in: releases.map(({ assignment_id }) => assignment_id) } },
    { course_id: 1 },
  ).lean()
  const courseOf = new Map(assignments.map(({ _id, course_id }) => [_id, course_id]))
  // Another of the group may be deleted as well, so these cannot have the id of the paper.
  const shared = new Set((await sharedPapersOf(erasure.account_ids)).map(({ _id }) => _id))
  const firstId = await nextIds('retained_grades', releases.length)
  await RetainedGradeModel.bulkWrite(
    releases.map(({ _id, assignment_id, points, released_at }, i) => ({
      updateOne: {
        filter: shared.has(_id) ? { assignment_id, placeholder: erasure.placeholder } : { _id },
        update: {
          ...(shared.has(_id) ? { $setOnInsert: { _id: -firstId - i } } : {}),
          $set: {
            course_id: courseOf.get(assignment_id) ?? null,
            assignment_id,
            placeholder: erasure.placeholder,
            final_score: points ? percentOf(points) : 0,
            released_at,
          },
        },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}

/** A group goes on without them, and its papers are the others'. May run twice. */
export async function leaveGroups(ids: number[], accounts: UserDoc[]): Promise<void> {
  const theirs = { student_id: { $in: ids } }
  const called = accounts.flatMap(({ username, email, student_number }) => [username, email, student_number ?? ''])
  const words = [...called, ...called.map((word) => word.toLowerCase())].filter(Boolean)
  await GroupModel.updateMany(
    { 'members.student_id': { $in: ids } },
    { $pull: { members: theirs, changes: theirs, invitations: theirs } },
  )
  await GroupModel.updateMany({ 'changes.student_id': { $in: ids } }, { $pull: { changes: theirs } })
  await GroupModel.updateMany({ 'invitations.student_id': { $in: ids } }, { $pull: { invitations: theirs } })
  await GroupModel.updateMany({ 'invitations.to': { $in: words } }, { $pull: { invitations: { to: { $in: words } } } })
  await GroupModel.deleteMany({ members: [] })
  for (const paper of await sharedPapersOf(ids)) {
    const [heir = 0, ...partner_ids] = peopleOf(paper).filter((id) => !ids.includes(id))
    const user = await UserModel.findById(heir, { username: 1 }).lean()
    const owner = { student_id: heir, partner_ids, student_identifier: user?.username ?? paper.student_identifier }
    // Earlier papers that were the group's as well.
    const attempts = paper.attempts?.map((attempt) => {
      const [first = null, ...partners] = peopleOf({
        student_id: attempt.student_id ?? null,
        partner_ids: attempt.partner_ids ?? [],
      }).filter((id) => !ids.includes(id))
      return first === null ? attempt : { ...attempt, student_id: first, partner_ids: partners }
    })
    const asked = { submission_id: paper._id, student_id: { $nin: ids }, state: 'open' as const }
    const isAsked = paper.regrade !== 'open' || (await RegradeModel.exists(asked)) !== null
    const next = { ...owner, ...(attempts && { attempts }), ...(isAsked ? {} : { regrade: null }) }
    // A key with the account's number or name goes.
    const key = paper.student_id === heir ? {} : { $unset: { upload_key: '' as const } }
    await SubmissionModel.updateOne({ _id: paper._id }, { $set: next, ...key })
    await withInvalidation([`assignment/${paper.assignment_id}`], () =>
      ReleaseModel.updateOne({ _id: paper._id }, { $set: { student_id: heir, partner_ids } }),
    )
  }
}

/** Class scans first: confirming one makes papers. */
export async function erasePapers({ erasure, accounts, services, signal }: ErasureTask): Promise<void> {
  const { account_ids } = erasure
  await leaveGroups(account_ids, accounts)
  await collectPapers(erasure)
  // Unconfirmed scans mix their pages with others'; a teacher scans the rest again.
  await deleteClassScans(
    (await findClassScansWith(account_ids)).map(({ _id }) => _id),
    services,
  )
  await PhotoDraftModel.deleteMany({ user_id: { $in: account_ids } })
  const submission_ids = (await findErasure(erasure._id))?.submission_ids ?? []
  const underWay = {
    state: { $in: ['applying' as const, 'undoing' as const] },
    // It names the papers it changed.
    $or: [{ submission_id: { $in: submission_ids } }, { 'answers.submission_id': { $in: submission_ids } }],
  }
  if (await RubricAmendmentModel.exists(underWay))
    throw new DeferJob(AMENDMENT_WAIT_MS, 'points are being changed after a regrade request')
  // The rest of a paper found before a crash may be left.
  const ids = [...new Set([...submission_ids, ...(await solePapersOf(account_ids)).map(({ _id }) => _id)])]
  for (const batch of batchesOf(ids, BATCH)) {
    signal.throwIfAborted()
    await deleteSubmissions(batch.map((_id) => ({ _id })))
  }
}

/** The sample keeps its places. */
export const skipCheckedAnswers: EraseRule = async ({ erasure: { submission_ids } }) => {
  const theirs = { 'answers.submission_id': { $in: submission_ids } }
  const skip = { $set: { 'answers.$': { submission_id: 0, question_id: '', points: null, skipped: true } } }
  // `$` is the first matching answer.
  while ((await AccuracyCheckModel.updateMany(theirs, skip)).matchedCount > 0);
}

/** Keys are `first-second`. */
export const eraseDismissals: EraseRule = async ({ erasure: { submission_ids } }) => {
  if (submission_ids.length === 0) return
  const reports = await SimilarityReportModel.find({ dismissed: { $ne: {} } }, { dismissed: 1 }).lean()
  const gone = new Set(submission_ids.map(String))
  for (const { _id, dismissed } of reports) {
    const pairs = Object.keys(dismissed).filter((pair) => pair.split('-').some((id) => gone.has(id)))
    if (pairs.length === 0) continue
    const fields = Object.fromEntries(pairs.map((pair) => [`dismissed.${pair}`, 1 as const]))
    await SimilarityReportModel.updateOne({ _id }, { $unset: fields })
  }
}

export const soleCourses = (ids: number[]): Promise<CourseDoc[]> =>
  CourseModel.find({ instructor_ids: { $in: ids, $not: { $elemMatch: { $nin: ids } } } }).lean()

/** Students and papers are other people’s. */
export async function isCourseInUse({ _id: course_id }: CourseDoc): Promise<boolean> {
  const found = await Promise.all([
    EnrollmentModel.exists({ course_id }),
    PendingEnrollmentModel.exists({ course_id }),
    SubmissionModel.exists({ course_id }),
  ])
  return found.some((one) => one !== null)
}

export async function leaveCourses({ erasure, services, signal }: ErasureTask): Promise<void> {
  const ids = erasure.account_ids
  const actor = { id: erasure.actor_id, role: erasure.actor_role, sessionId: erasure.session_id }
  for (const course of await soleCourses(ids)) {
    signal.throwIfAborted()
    if (!(await isCourseInUse(course))) await deleteCourse(course, actor, services)
  }
  await CourseModel.updateMany(
    { instructor_ids: { $in: ids } },
    { $pull: { instructor_ids: { $in: ids }, lms_instructor_ids: { $in: ids } } },
  )
  for (const assignment of await AssignmentModel.find({ course_id: null, created_by: { $in: ids } }).lean()) {
    signal.throwIfAborted()
    await deleteAssignment(assignment, actor, services)
  }
}

/** A group's paper is the others' as well. */
const theirs = (ids: number[]): QueryFilter<SubmissionDoc> => ({
  partner_ids: { $not: { $elemMatch: { $nin: ids } } },
  $or: [{ student_id: { $in: ids } }, { student_id: null, handed_in_by: 'student', uploaded_by: { $in: ids } }],
})

/** Assigned to them, or unassigned and handed in by them. */
export const solePapersOf = (ids: number[]): Promise<SubmissionDoc[]> =>
  SubmissionModel.find(theirs(ids)).sort({ _id: 1 }).lean()

/** Those that are others' too. */
export async function sharedPapersOf(ids: number[]): Promise<SubmissionDoc[]> {
  const found: SubmissionDoc[] = await findOwned(ids, (whose) => SubmissionModel.find(whose).lean())
  return found.filter((paper) => peopleOf(paper).some((id) => !ids.includes(id))).sort((a, b) => a._id - b._id)
}

export const countSolePapersOf = (ids: number[]): Promise<number> => SubmissionModel.countDocuments(theirs(ids))

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
