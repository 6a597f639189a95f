import type { CourseStudent } from '@assay/shared/courses.ts'
import { type PendingEnrollmentDoc, PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import {
  countEnrollments,
  enrolledStudentsById,
  enrollmentsOfCourse,
  listEnrolledStudents,
} from '../courses/enrollment.service.ts'
import { filterUserIds, userSearchFilter } from '../users/user.service.ts'

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

/** Of whoever registered the address the teacher learns nothing: it may not be the student. */
function presentPending(place: PendingEnrollmentDoc): CourseStudent {
  return {
    id: place.user_id,
    username: place.email,
    full_name: null,
    email: place.email,
    enrolled_at: place.enrolled_at.toISOString(),
    state: 'waiting',
    external_user_id: place.external_user_id ?? null,
    sis_user_id: place.sis_user_id ?? null,
    added_by: place.added_by ?? 'teacher',
    test_student: false,
  }
}

/** One student of the roster, enrolled or waiting; null for anybody else. */
export async function findRosterStudent(courseId: number, userId: number): Promise<CourseStudent | null> {
  const [place, enrolled] = await Promise.all([
    PendingEnrollmentModel.findOne({ course_id: courseId, user_id: userId }).lean(),
    enrolledStudentsById(courseId, [userId]),
  ])
  return place ? presentPending(place) : (enrolled.get(userId) ?? null)
}

/** A page of the roster: first those a place is kept for, then who is enrolled, each in the order they came. */
export async function listRoster(courseId: number, wanted: RosterQuery): Promise<RosterPage> {
  const places = await PendingEnrollmentModel.find({ course_id: courseId }).sort({ enrolled_at: 1, _id: 1 }).lean()
  const waiting = places.map(presentPending)
  if (wanted.search?.trim() || wanted.state) return searchRoster(courseId, waiting, wanted)
  const { skip, limit } = wanted
  const first = waiting.slice(skip, skip + limit)
  const [enrolled, students] = await Promise.all([
    countEnrollments(courseId),
    first.length < limit
      ? listEnrolledStudents(courseId, {
          skip: Math.max(0, skip - waiting.length),
          limit: limit - first.length,
        })
      : [],
  ])
  return { students: [...first, ...students], total: waiting.length + enrolled }
}

/**
 * By what stands in two collections, so that it is put together here. Of a large course only ids and numbers are read whole;
 * names are compared in the database, and who is shown is read in full.
 */
async function searchRoster(
  courseId: number,
  waiting: CourseStudent[],
  { skip, limit, search = '', state }: RosterQuery,
): Promise<RosterPage> {
  const term = search.normalize('NFKC').trim()
  const has = (...texts: (string | null | undefined)[]) =>
    texts.some((text) => text?.normalize('NFKC').toLowerCase().includes(term.toLowerCase()))
  const places = waiting.filter(
    (place) => (!state || state === 'waiting') && has(place.email, place.external_user_id, place.sis_user_id),
  )
  const found = state === 'waiting' ? [] : await searchEnrolled(courseId, term, state, has)
  const page = [...places, ...found].slice(skip, skip + limit)
  const ids = page.flatMap((one) => (typeof one === 'number' ? [one] : []))
  const students = await enrolledStudentsById(courseId, ids)
  return {
    students: page.flatMap((one) => (typeof one === 'number' ? (students.get(one) ?? []) : one)),
    total: places.length + found.length,
  }
}

/** The accounts found, in the order they came onto the course. */
async function searchEnrolled(
  courseId: number,
  term: string,
  state: CourseStudent['state'] | undefined,
  has: (...texts: (string | null | undefined)[]) => boolean,
): Promise<number[]> {
  const enrollments = await enrollmentsOfCourse(courseId)
  const ofState = !state ? {} : { account: state === 'invited' ? state : { $ne: 'invited' as const } }
  const byNumber = enrollments.filter((one) => term && has(one.external_user_id, one.sis_user_id))
  const [named, numbered] = await Promise.all([
    filterUserIds(
      enrollments.map(({ user_id }) => user_id),
      { ...ofState, ...(term ? userSearchFilter(term) : {}) },
    ),
    filterUserIds(
      byNumber.map(({ user_id }) => user_id),
      ofState,
    ),
  ])
  return enrollments.map(({ user_id }) => user_id).filter((id) => named.has(id) || numbered.has(id))
}
