import type { CourseStudent } from '@assay/shared/courses.ts'
import type { BulkRosterReply, RosterJob, RosterResult } from '@assay/shared/roster.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import { sum } from '../../lib/numbers.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import type { RosterImportDoc } from '../../records/courses/roster-import.model.ts'
import {
  countEnrollments,
  enrolledStudentsById,
  enrollmentsOfCourse,
  listEnrolledStudents,
  presentPending,
} from '../courses/enrollment-queries.ts'
import { filterUserIds, sortIdsByName, userSearchFilter } from '../users/user.service.ts'
import { listImportSteps } from './roster-import.ts'

interface RosterQuery {
  skip: number
  limit: number
  search?: string | undefined
  state?: CourseStudent['state'] | undefined
}

interface RosterPage {
  students: CourseStudent[]
  total: number
}

export async function findRosterStudent(courseId: number, userId: number): Promise<CourseStudent | null> {
  const [pending, enrolled] = await Promise.all([
    PendingEnrollmentModel.findOne({ course_id: courseId, user_id: userId }).lean(),
    enrolledStudentsById(courseId, [userId]),
  ])
  return pending ? presentPending(pending) : (enrolled.get(userId) ?? null)
}

export async function listRoster(courseId: number, wanted: RosterQuery): Promise<RosterPage> {
  const pending = await PendingEnrollmentModel.find({ course_id: courseId }).lean()
  const waiting = pending.map(presentPending).sort(compareNames)
  if (wanted.search?.trim() || wanted.state) return searchRoster(courseId, waiting, wanted)
  const { skip, limit } = wanted
  const first = waiting.slice(skip, skip + limit)
  const [enrolled, students] = await Promise.all([
    countEnrollments(courseId),
    first.length < limit
      ? listEnrolledStudents(courseId, { skip: Math.max(0, skip - waiting.length), limit: limit - first.length })
      : [],
  ])
  return { students: [...first, ...students], total: waiting.length + enrolled }
}

/** Reads only ids and numbers for everybody, and the page's students in full. */
async function searchRoster(
  courseId: number,
  waiting: CourseStudent[],
  { skip, limit, search = '', state }: RosterQuery,
): Promise<RosterPage> {
  const term = search.normalize('NFKC').trim()
  const has = (...texts: (string | null | undefined)[]) =>
    texts.some((text) => text?.normalize('NFKC').toLowerCase().includes(term.toLowerCase()))
  const pending = waiting.filter(
    (one) => (!state || state === 'waiting') && has(one.username, one.external_user_id, one.sis_user_id),
  )
  const found = state === 'waiting' ? [] : await searchEnrolled(courseId, term, state, has)
  const page = [...pending, ...found].slice(skip, skip + limit)
  const ids = page.flatMap((one) => (typeof one === 'number' ? [one] : []))
  const students = await enrolledStudentsById(courseId, ids)
  return {
    students: page.flatMap((one) => (typeof one === 'number' ? (students.get(one) ?? []) : one)),
    total: pending.length + found.length,
  }
}

async function searchEnrolled(
  courseId: number,
  term: string,
  state: CourseStudent['state'] | undefined,
  has: (...texts: (string | null | undefined)[]) => boolean,
): Promise<number[]> {
  const enrollments = await enrollmentsOfCourse(courseId)
  const ofState = !state ? {} : { account: state === 'invited' ? state : { $ne: 'invited' as const } }
  const byNumber = enrollments.filter((one) => term && has(one.external_user_id, one.sis_user_id))
  const idsOf = (some: typeof enrollments) => some.map(({ user_id }) => user_id)
  const [named, numbered] = await Promise.all([
    filterUserIds(idsOf(enrollments), { ...ofState, ...(term ? userSearchFilter(term) : {}) }),
    filterUserIds(idsOf(byNumber), ofState),
  ])
  return sortIdsByName([...new Set([...named, ...numbered])])
}

export function presentResults(
  results: RosterResult[],
  more: Pick<BulkRosterReply, 'notes' | 'job_id'>,
): BulkRosterReply {
  return { ...presentRows(results, results.filter(({ success }) => success).length), ...more }
}

function presentRows(results: RosterResult[], succeeded: number) {
  const failed = results.filter(({ success }) => !success).length
  return {
    total_processed: succeeded + failed,
    successful_enrollments: succeeded,
    failed_enrollments: failed,
    results: results.toSorted((a, b) => a.row - b.row),
  }
}

export async function presentImport(doc: RosterImportDoc): Promise<RosterJob> {
  const steps = (await listImportSteps(doc._id)).filter(({ done }) => done)
  const results = steps.flatMap((step) => step.failures)
  return {
    id: doc._id,
    state: doc.state,
    file_name: doc.file_name,
    total_rows: doc.total_rows,
    ...presentRows(results, sum(steps.map(({ succeeded }) => succeeded))),
    notes: doc.notes,
    created_at: doc.created_at.toISOString(),
    finished_at: doc.finished_at?.toISOString() ?? null,
  }
}
