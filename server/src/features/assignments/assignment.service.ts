import { randomUUID } from 'node:crypto'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import { recordAssignmentAccess, recordCourseAccess } from '../../audit/admin-access.ts'
import { systemClock } from '../../lib/clock.ts'
import { orNotFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, type Permission } from '../../lib/http/handle.ts'
import { sum } from '../../lib/numbers.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type AssignmentOverview,
} from '../../records/assignments/assignment.model.ts'
import { canTeach, requireCourse, taughtCourseIds } from '../courses/course.service.ts'
import { scoreRulesOf } from './adjusted-score.ts'

export const requireAssignment = (id: number): Promise<AssignmentDoc> =>
  orNotFound(AssignmentModel.findById(id).lean(), 'This assignment does not exist.')

export const findPublishedAssignment = (id: number): Promise<AssignmentDoc | null> =>
  AssignmentModel.findOne({ _id: id, status: 'published' }).lean()

export const assignmentExists = async (id: number): Promise<boolean> =>
  (await AssignmentModel.exists({ _id: id })) !== null

export const findAssignmentByTitle = (courseId: number, title: string): Promise<AssignmentDoc | null> =>
  AssignmentModel.findOne({ course_id: courseId, title }).lean()

export const findRubricHead = (id: number): Promise<Pick<AssignmentDoc, '_id' | 'rubric_version'> | null> =>
  AssignmentModel.findById(id, { rubric_version: 1 }).lean()

export const findAssignment = async (id: number): Promise<AssignmentDoc | null> => AssignmentModel.findById(id).lean()

const courseFilter = (courseId: number, { publishedOnly }: { publishedOnly: boolean }) =>
  publishedOnly ? { course_id: courseId, status: 'published' as const } : { course_id: courseId }

export const countAssignments = (courseId: number, which: { publishedOnly: boolean }): Promise<number> =>
  AssignmentModel.countDocuments(courseFilter(courseId, which))

/** The id breaks ties, so that pages neither repeat nor skip an assignment. */
const newestFirst = { created_at: -1, _id: -1 } as const
const withoutRubric = { rubric: 0 } as const

export function assignmentsOfCourse(
  courseId: number,
  which: { publishedOnly: boolean },
): Promise<AssignmentOverview[]> {
  return AssignmentModel.find(courseFilter(courseId, which), withoutRubric).sort(newestFirst).lean()
}

export async function listManageableAssignments(
  actor: Actor,
  { skip, limit, course_id }: { skip: number; limit: number; course_id?: number | undefined },
): Promise<{ assignments: AssignmentOverview[]; total: number }> {
  const courseIds = await taughtCourseIds(actor)
  const ofNoCourse = actor.lmsIssuer ? [] : [{ course_id: null, created_by: actor.id }]
  const own = { $or: [{ course_id: { $in: courseIds } }, ...ofNoCourse] }
  const filter = course_id === undefined ? own : { course_id: courseIds.includes(course_id) ? course_id : -1 }
  const [assignments, total] = await Promise.all([
    AssignmentModel.find(filter, withoutRubric).sort(newestFirst).skip(skip).limit(limit).lean(),
    AssignmentModel.countDocuments(filter),
  ])
  return { assignments, total }
}

export function publishedAssignmentsWithRubric(courseId: number, assignmentId?: number): Promise<AssignmentDoc[]> {
  const only = assignmentId === undefined ? {} : { _id: assignmentId }
  return AssignmentModel.find({ course_id: courseId, status: 'published', ...only })
    .sort(newestFirst)
    .lean()
}

export const findAssignments = (ids: number[]): Promise<AssignmentDoc[]> =>
  AssignmentModel.find({ _id: { $in: ids } }).lean()

export async function assignmentTitlesById(ids: number[]): Promise<Map<number, string>> {
  const found = await AssignmentModel.find({ _id: { $in: ids } }, { title: 1 }).lean()
  return new Map(found.map(({ _id, title }) => [_id, title]))
}

export async function countAllAssignments(): Promise<{ total: number; published: number }> {
  const [total, published] = await Promise.all([
    AssignmentModel.countDocuments({}),
    AssignmentModel.countDocuments({ status: 'published' }),
  ])
  return { total, published }
}

export function assignmentsDueWithin(after: Date, until: Date): Promise<AssignmentOverview[]> {
  const soon = { $gt: after, $lte: until }
  return AssignmentModel.find(
    { status: 'published', course_id: { $ne: null }, $or: [{ due_at: soon }, { 'extensions.due_at': soon }] },
    withoutRubric,
  ).lean()
}

export async function measureAssignmentPapers(): Promise<{ papers: number; bytes: number }> {
  const sizes = new Map<string, number>()
  for await (const { blank, key } of AssignmentModel.find({}, { blank: 1, key: 1 }).lean().cursor())
    for (const { hash, size } of [blank, key]) sizes.set(hash, size)
  return { papers: sizes.size, bytes: sum([...sizes.values()]) }
}

export async function markPublished({ _id, published_at }: AssignmentDoc, now: Date): Promise<void> {
  await AssignmentModel.updateOne(
    { _id },
    { $set: { status: 'published', published_at: published_at ?? now, clear_lms_scores: false, updated_at: now } },
  )
}

export async function markUnpublished({ _id }: AssignmentDoc, clearLmsScores: boolean, now: Date): Promise<void> {
  await AssignmentModel.updateOne(
    { _id },
    { $set: { status: 'draft', published_at: null, clear_lms_scores: clearLmsScores, updated_at: now } },
  )
}

/** Null if changed meanwhile. Marks released scores as due in the same step, so that a crash loses nothing. */
export function storeScoreRules(
  assignment: Pick<AssignmentDoc, '_id' | 'score_rules'>,
  rules: ScoreRules,
  changedBy: number,
  now: Date,
): Promise<AssignmentDoc | null> {
  const seen = assignment.score_rules?.version
  return AssignmentModel.findOneAndUpdate(
    { _id: assignment._id, 'score_rules.version': seen ?? null },
    {
      $set: {
        score_rules: {
          ...rules,
          version: (seen ?? 0) + 1,
          changed_by: changedBy,
          changed_at: now,
          previous: scoreRulesOf(assignment),
        },
        released_scores_due: randomUUID(),
        updated_at: now,
      },
    },
  ).lean()
}

export async function findScoringAssignments(ids: number[]): Promise<Map<number, AssignmentOverview>> {
  const found = await AssignmentModel.find({ _id: { $in: [...new Set(ids)] } }, { rubric: 0 }).lean()
  return new Map(found.map((assignment) => [assignment._id, assignment]))
}

/** Goes with a change of dates, which a late penalty depends on. */
export const releasedScoresDue = ({ score_rules }: Pick<AssignmentDoc, 'score_rules'>) =>
  score_rules?.late_penalty ? { released_scores_due: randomUUID() } : {}

export async function markReleasedScoresDue(assignment: Pick<AssignmentDoc, '_id' | 'score_rules'>): Promise<boolean> {
  if (!assignment.score_rules?.late_penalty) return false
  await AssignmentModel.updateOne({ _id: assignment._id }, { $set: { released_scores_due: randomUUID() } })
  return true
}

export async function storeTimeZone(course_id: number, time_zone: string): Promise<number[]> {
  const others = { course_id, time_zone: { $ne: time_zone } }
  const penalized = { ...others, 'score_rules.late_penalty': { $ne: null } }
  const due = (await AssignmentModel.find(penalized, { _id: 1 }).lean()).map(({ _id }) => _id)
  await AssignmentModel.updateMany({ _id: { $in: due } }, { $set: { time_zone, released_scores_due: randomUUID() } })
  await AssignmentModel.updateMany(others, { $set: { time_zone } })
  return due
}

export async function findReleasedScoresDue(): Promise<number[]> {
  return (await AssignmentModel.find({ released_scores_due: { $exists: true } }, { _id: 1 }).lean()).map(
    ({ _id }) => _id,
  )
}

export async function markReleasedScoresDone({
  _id,
  released_scores_due,
}: Pick<AssignmentDoc, '_id' | 'released_scores_due'>): Promise<void> {
  await AssignmentModel.updateOne({ _id, released_scores_due }, { $unset: { released_scores_due: '' } })
}

/** Asked by every request about an assignment, so an administrator's access is audited here. */
export async function canManageAssignment(actor: Actor, assignment: AssignmentDoc): Promise<Permission> {
  if (assignment.course_id !== null) {
    const course = await requireCourse(assignment.course_id)
    await recordCourseAccess(actor, course, systemClock.now())
    return canTeach(actor, course)
  }
  await recordAssignmentAccess(actor, assignment, systemClock.now())
  if (actor.role === 'admin') return 'yes'
  return actor.role === 'instructor' && assignment.created_by === actor.id && !actor.lmsIssuer ? 'yes' : 'hidden'
}

export async function requireAssignmentFor(actor: Actor, assignmentId: number): Promise<AssignmentDoc> {
  const assignment = await requireAssignment(assignmentId)
  allow(await canManageAssignment(actor, assignment))
  return assignment
}

/** Before publishing a draft, so that a crash in between does not lose the announcement. */
export async function requestAnnouncement(assignment: AssignmentDoc): Promise<void> {
  if (assignment.status === 'published' || assignment.course_id === null) return
  await AssignmentModel.updateOne({ _id: assignment._id, announcement: null }, { $set: { announcement: 'wanted' } })
}

export async function findAssignmentsToAnnounce(only?: Pick<AssignmentDoc, '_id'>): Promise<number[]> {
  const wanted = { announcement: 'wanted' as const, status: 'published' as const }
  const found = await AssignmentModel.find(only ? { ...wanted, _id: only._id } : wanted, { _id: 1 }).lean()
  return found.map(({ _id }) => _id)
}

export const findAssignmentToAnnounce = (id: number): Promise<AssignmentDoc | null> =>
  AssignmentModel.findOne({ _id: id, announcement: 'wanted' }).lean()

export async function markAnnounced(id: number): Promise<void> {
  await AssignmentModel.updateOne({ _id: id }, { $set: { announcement: 'sent' } })
}
