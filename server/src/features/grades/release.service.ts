import type { CriterionGrade } from '@assay/shared/grades.ts'
import { levelOf } from '../../grader/scoring/score-curve.ts'
import { batchesOf } from '../../lib/batches.ts'
import { ignoreDuplicatesOnly } from '../../lib/database/database.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import {
  GradeDetailsModel,
  type ReleaseDoc,
  type ReleasedCriterion,
  ReleaseModel,
} from '../../records/grading/grade.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { findOwned, peopleOf, perPerson } from '../../records/submissions/people-of-paper.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { gradedPoints, type ScoringAssignment } from '../assignments/adjusted-score.ts'
import { findScoringAssignments } from '../assignments/assignment.service.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findPaperTimes } from '../submissions/submission.service.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { findUngraded, markGradesReleased, markGradesUnreleased } from '../submissions/submission-grades.ts'
import { findSubmissionOwners } from '../submissions/submission-owners.ts'
import { itemTexts, withoutOutdatedFeedback } from './grade-items.ts'
import { refreshReleasedScores, scoreToRelease } from './released-scores.ts'
import { findItems, type ItemsById } from './rubric-items/rubric-item.service.ts'

const BATCH = 500

export async function releaseGrades(submissions: SubmissionDoc[], now: Date): Promise<void> {
  const graded = submissions.flatMap((submission) =>
    submission.grade ? [{ submission, grade: submission.grade }] : [],
  )
  for (const batch of batchesOf(graded, BATCH)) {
    const details = await GradeDetailsModel.find({ _id: { $in: batch.map(({ grade }) => grade.id) } }).lean()
    const criteriaOf = new Map(details.map((detail) => [detail._id, detail.criteria]))
    const items = await findItemsOfGrades(batch)
    const ids = batch.map(({ submission }) => submission._id)
    const assignments = await findScoringAssignments(batch.map(({ submission }) => submission.assignment_id))
    const outdated = new Map(
      await Promise.all([...assignments.values()].map(async (one) => [one._id, await outdatedVersions(one)] as const)),
    )
    const papers = await findPaperTimes(ids)
    const releases = batch.flatMap(({ submission, grade }) => {
      const assignment = assignments.get(submission.assignment_id)
      if (!assignment) return []
      const paper = papers.get(submission._id) ?? submission
      const criteria = withoutOutdatedFeedback(criteriaOf.get(grade.id) ?? [], grade, outdated.get(assignment._id))
      const waived = { ...submission, late_waived: paper.late_waived }
      return [toRelease(assignment, waived, grade, { criteria, items }, now)]
    })
    await withInvalidation(releases.map(assignmentDependency), () => writeReleases(releases))
    await markGradesReleased(batch.map(({ submission, grade }) => ({ _id: submission._id, grade })))
    await withdrawReplaced(batch.map(({ submission }) => submission))
    await reassignMovedReleases(batch.map(({ submission }) => submission))
    // Rules, dates or a waiver may have changed since they were read.
    for (const assignment of assignments.keys()) await refreshReleasedScores(assignment, ids)
  }
}

/** Called after reading the grades: an item is stored before any grade has it. */
export function findItemsOfGrades(
  graded: { submission: Pick<SubmissionDoc, 'assignment_id'>; grade: GradeOfSubmission }[],
): Promise<ItemsById> {
  const having = graded.filter(({ grade }) => grade.applied_items && grade.applied_items.length > 0)
  const assignments = new Set(having.map(({ submission }) => submission.assignment_id))
  return assignments.size > 0 ? findItems([...assignments]) : Promise.resolve(new Map())
}

/** The release of a paper handed in again meanwhile must not stay. */
async function withdrawReplaced(batch: SubmissionDoc[]): Promise<void> {
  const was = new Map(batch.map(({ _id, created_at }) => [_id, created_at.getTime()]))
  const now = await findUngraded([...was.keys()])
  const replaced = now.filter(({ _id, created_at }) => was.get(_id) !== created_at.getTime())
  if (replaced.length > 0) await deleteReleases(replaced.map(({ _id }) => _id))
}

const assignmentDependency = ({ assignment_id }: Pick<ReleaseDoc, 'assignment_id'>) =>
  `assignment/${assignment_id}` as const

export async function deleteReleases(submissionIds: number[]): Promise<number> {
  const these = { _id: { $in: submissionIds } }
  const found = await ReleaseModel.find(these, { assignment_id: 1 }).lean()
  if (found.length === 0) return 0
  await withInvalidation(found.map(assignmentDependency), () => ReleaseModel.deleteMany(these))
  return found.length
}

async function reassignMovedReleases(batch: SubmissionDoc[]): Promise<void> {
  const was = new Map(batch.map((paper) => [paper._id, peopleOf(paper).join()]))
  const now = await findSubmissionOwners([...was.keys()])
  for (const submission of now) {
    if (was.get(submission._id) !== peopleOf(submission).join()) await reassignRelease(submission)
  }
}

export async function reassignRelease({
  _id,
  assignment_id,
  student_id,
  partner_ids = [],
}: Pick<SubmissionDoc, '_id' | 'assignment_id' | 'student_id' | 'partner_ids'>): Promise<void> {
  await withInvalidation([`assignment/${assignment_id}`], () =>
    ReleaseModel.updateOne({ _id }, { $set: { student_id, partner_ids } }),
  )
  // Another student may have an extension.
  await refreshReleasedScores(assignment_id, [_id])
}

export async function removeReleaseOwners(assignmentId: number, studentIds: number[]): Promise<void> {
  await withInvalidation([`assignment/${assignmentId}`], () =>
    ReleaseModel.updateMany(
      { assignment_id: assignmentId, student_id: { $nin: [null, ...studentIds] } },
      { $set: { student_id: null, partner_ids: [] } },
    ),
  )
}

/** A newer release makes the upsert fail with a duplicate id. */
async function writeReleases(releases: ReleaseDoc[]): Promise<void> {
  const writes = releases.map((release) => ({
    replaceOne: {
      filter: { _id: release._id, revision: { $lte: release.revision } },
      replacement: release,
      upsert: true,
    },
  }))
  await ReleaseModel.bulkWrite(writes, { ordered: false }).catch(ignoreDuplicatesOnly)
}

export function toRelease(
  assignment: ScoringAssignment,
  submission: SubmissionDoc,
  grade: NonNullable<SubmissionDoc['grade']>,
  { criteria, items }: { criteria: CriterionGrade[]; items: ItemsById },
  now: Date,
): ReleaseDoc {
  const { unscored_points = 0 } = grade
  return {
    _id: submission._id,
    revision: grade.revision,
    assignment_id: submission.assignment_id,
    student_id: submission.student_id,
    ...(submission.partner_ids ? { partner_ids: submission.partner_ids } : {}),
    // There is no final score before everything is graded: the rest would count as nothing.
    ...scoreToRelease(assignment, submission, gradedPoints(grade)),
    unscored_points,
    feedback: grade.manual_feedback ?? grade.summary,
    feedback_by: grade.manual_feedback === null ? 'ai' : 'teacher',
    // Points for some questions, or words from before it was graded again, are no review of the paper.
    reviewed_by_teacher:
      grade.reviewed_at !== null || (grade.manual_score_override !== null && !grade.override_from_points),
    criteria: criteria.map((criterion) => toReleasedCriterion(criterion, grade, items)),
    released_at: now,
  }
}

function toReleasedCriterion(
  { confidence: _, reasoning: __, judged_by: ___, unscored_reason: ____, ...suggested }: CriterionGrade,
  grade: GradeOfSubmission,
  items: ItemsById,
): ReleasedCriterion {
  const { decisions } = grade
  const teacher_feedback = grade.criterion_feedback?.[suggested.criterion_id]
  const item_feedback = itemTexts(grade, suggested.criterion_id, items)
  const criterion = {
    ...withDecision(suggested, decisions),
    ...(item_feedback.length > 0 ? { item_feedback } : {}),
    ...(teacher_feedback === undefined ? {} : { teacher_feedback }),
  }
  if (decisions?.[criterion.criterion_id] !== undefined) return { ...criterion, score_by: 'teacher' }
  return criterion.score === null ? { ...criterion, evidence: [] } : criterion
}

function withDecision<T extends Pick<CriterionGrade, 'criterion_id' | 'score' | 'max_score' | 'llm_performance_level'>>(
  criterion: T,
  decisions: PointsByCriterion | undefined,
): T {
  const score = decisions?.[criterion.criterion_id]
  if (score === undefined) return criterion
  return { ...criterion, score, llm_performance_level: levelOf(score / criterion.max_score) }
}

export async function releaseAll(assignment: AssignmentDoc, now: Date, which: 'unreleased' | 'unreleased_reviewed') {
  for await (const batch of submissionBatches(assignment._id, BATCH, which)) await releaseGrades(batch, now)
}

export async function withdrawAll(assignment: AssignmentDoc): Promise<void> {
  await withInvalidation([`assignment/${assignment._id}`], () =>
    ReleaseModel.deleteMany({ assignment_id: assignment._id }),
  )
  await markGradesUnreleased(assignment._id)
}

/** A group's once for each of its people, with the score that counts for them. */
const forEach = <T extends Pick<ReleaseDoc, 'student_id' | 'partner_ids' | 'member_scores' | 'points' | 'adjusted'>>(
  releases: T[],
): T[] =>
  perPerson(releases).map(({ member_scores, ...release }) => {
    const { points = release.points, adjusted = release.adjusted } =
      member_scores?.find(({ student_id }) => student_id === release.student_id) ?? {}
    return { ...release, points, adjusted } as T
  })

/** What a release is, for this student. */
export const releaseFor = (release: ReleaseDoc, studentId: number): ReleaseDoc | null =>
  forEach([release]).find(({ student_id }) => student_id === studentId) ?? null

/** The latest first. */
export async function findReleases(studentId: number, assignmentIds: number[]): Promise<ReleaseDoc[]> {
  const found: ReleaseDoc[] = await findOwned([studentId], (whose) =>
    ReleaseModel.find({ ...whose, assignment_id: { $in: assignmentIds } }).lean(),
  )
  return found
    .flatMap((release) => releaseFor(release, studentId) ?? [])
    .sort((a, b) => b.released_at.getTime() - a.released_at.getTime())
}

export async function hasRelease(studentId: number, assignment_id: number): Promise<boolean> {
  const found = await findOwned([studentId], (whose) =>
    ReleaseModel.find({ ...whose, assignment_id }, { _id: 1 })
      .limit(1)
      .lean(),
  )
  return found.length > 0
}

const scoreFields = { student_id: 1, partner_ids: 1, member_scores: 1, points: 1, released_at: 1 } as const
type ReleasedScoreOf = Pick<
  ReleaseDoc,
  '_id' | 'student_id' | 'partner_ids' | 'member_scores' | 'points' | 'adjusted' | 'released_at'
>

/** Once for each student. */
export async function releasedScores(assignmentId: number): Promise<ReleasedScoreOf[]> {
  const found: ReleasedScoreOf[] = await ReleaseModel.find({ assignment_id: assignmentId }, scoreFields).lean()
  return forEach(found)
}

/** Once for each paper. */
export function releasedCriteria(
  assignmentId: number,
): Promise<Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at' | 'criteria'>[]> {
  return ReleaseModel.find({ assignment_id: assignmentId }, { student_id: 1, released_at: 1, criteria: 1 }).lean()
}

export async function releasedScoresOfStudents(
  studentIds: number[],
  assignmentIds: number[],
): Promise<(ReleasedScoreOf & Pick<ReleaseDoc, 'assignment_id'>)[]> {
  const found: (ReleasedScoreOf & Pick<ReleaseDoc, 'assignment_id'>)[] = await findOwned(studentIds, (whose) =>
    ReleaseModel.find({ ...whose, assignment_id: { $in: assignmentIds } }, { ...scoreFields, assignment_id: 1 }).lean(),
  )
  return forEach(found)
}

/** Once for each student. */
export async function releasesWithoutCriteria(assignmentId: number): Promise<Omit<ReleaseDoc, 'criteria'>[]> {
  const found: Omit<ReleaseDoc, 'criteria'>[] = await ReleaseModel.find(
    { assignment_id: assignmentId },
    { criteria: 0 },
  ).lean()
  return forEach(found)
}

/** @param student_id anyone whose it is */
export async function isRevisionReleased({
  student_id,
  ...release
}: Pick<ReleaseDoc, '_id' | 'student_id' | 'revision'>): Promise<boolean> {
  return (await ReleaseModel.exists({ ...release, $or: [{ student_id }, { partner_ids: student_id }] })) !== null
}
