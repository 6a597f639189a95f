import { notFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type AssignmentOverview,
} from '../../records/assignments/assignment.model.ts'
import { taughtCourseIds } from '../courses/course.service.ts'

export async function requireAssignment(id: number): Promise<AssignmentDoc> {
  const assignment = await AssignmentModel.findById(id).lean()
  if (!assignment) throw notFound('This assignment does not exist.')
  return assignment
}

export function findPublishedAssignment(id: number): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOne({ _id: id, status: 'published' }).lean()
}

export async function assignmentExists(id: number): Promise<boolean> {
  return (await AssignmentModel.exists({ _id: id })) !== null
}

export function findAssignmentByTitle(courseId: number, title: string): Promise<AssignmentDoc | null> {
  return AssignmentModel.findOne({ course_id: courseId, title }).lean()
}

export function findRubricHead(id: number): Promise<Pick<AssignmentDoc, '_id' | 'rubric_version'> | null> {
  return AssignmentModel.findById(id, { rubric_version: 1 }).lean()
}

export async function findAssignment(id: number): Promise<AssignmentDoc | null> {
  return AssignmentModel.findById(id).lean()
}

const courseFilter = (courseId: number, { publishedOnly }: { publishedOnly: boolean }) =>
  publishedOnly ? { course_id: courseId, status: 'published' as const } : { course_id: courseId }

export function countAssignments(courseId: number, which: { publishedOnly: boolean }): Promise<number> {
  return AssignmentModel.countDocuments(courseFilter(courseId, which))
}

/** The id breaks ties, so that pages neither repeat nor skip an assignment. */
const newestFirst = { created_at: -1, _id: -1 } as const
const withoutRubric = { rubric: 0 } as const

/** Newest first. */
export function assignmentsOfCourse(
  courseId: number,
  which: { publishedOnly: boolean },
): Promise<AssignmentOverview[]> {
  return AssignmentModel.find(courseFilter(courseId, which), withoutRubric).sort(newestFirst).lean()
}

/** Newest first. */
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

/** Newest first. */
export function publishedAssignmentsWithRubric(courseId: number, assignmentId?: number): Promise<AssignmentDoc[]> {
  const only = assignmentId === undefined ? {} : { _id: assignmentId }
  return AssignmentModel.find({ course_id: courseId, status: 'published', ...only })
    .sort(newestFirst)
    .lean()
}

export function findAssignments(ids: number[]): Promise<AssignmentDoc[]> {
  return AssignmentModel.find({ _id: { $in: ids } }).lean()
}

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

/** Counting the due dates of students with extensions. */
export function assignmentsDueWithin(after: Date, until: Date): Promise<AssignmentOverview[]> {
  const soon = { $gt: after, $lte: until }
  return AssignmentModel.find(
    {
      status: 'published',
      course_id: { $ne: null },
      $or: [{ due_at: soon }, { 'extensions.due_at': soon }],
    },
    withoutRubric,
  ).lean()
}

/** `bytes`: of different files. */
export async function measureAssignmentPapers(): Promise<{ papers: number; bytes: number }> {
  const [measured] = await AssignmentModel.aggregate<{ papers: number; bytes: number }>([
    { $project: { files: ['$blank', '$key'] } },
    { $unwind: '$files' },
    { $group: { _id: '$files.hash', size: { $first: '$files.size' } } },
    { $group: { _id: null, papers: { $sum: 1 }, bytes: { $sum: '$size' } } },
  ])
  return { papers: measured?.papers ?? 0, bytes: measured?.bytes ?? 0 }
}

export async function markPublished({ _id, published_at }: AssignmentDoc, now: Date): Promise<void> {
  await AssignmentModel.updateOne(
    { _id },
    { $set: { status: 'published', published_at: published_at ?? now, clear_lms_scores: false, updated_at: now } },
  )
}

/** `clearLmsScores`: also remove its scores from the LMS's gradebook. */
export async function markUnpublished({ _id }: AssignmentDoc, clearLmsScores: boolean, now: Date): Promise<void> {
  await AssignmentModel.updateOne(
    { _id },
    { $set: { status: 'draft', published_at: null, clear_lms_scores: clearLmsScores, updated_at: now } },
  )
}
