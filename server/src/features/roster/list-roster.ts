import type { CourseStudent } from '@assay/shared/courses.ts'
import {
  type EnrollmentDoc,
  EnrollmentModel,
  type PendingEnrollmentDoc,
  PendingEnrollmentModel,
} from '../courses/course.model.ts'
import { enrolledStudents, presentStudent } from '../courses/enrollment.service.ts'
import { type UserDoc, UserModel } from '../users/user.model.ts'
import { usersById } from '../users/user.service.ts'

interface Wanted {
  skip: number
  limit: number
  search?: string | undefined
  state?: CourseStudent['state'] | undefined
}

interface Page {
  students: CourseStudent[]
  total: number
}

/** Of whoever registered the address the teacher learns nothing: it may not be the student. */
function presentWaiting(place: PendingEnrollmentDoc): CourseStudent {
  return {
    id: place.user_id,
    username: place.email,
    full_name: null,
    email: place.email,
    enrolled_at: place.enrolled_at.toISOString(),
    state: 'waiting',
    external_user_id: place.external_user_id ?? null,
    sis_user_id: place.sis_user_id ?? null,
  }
}

const byTime = { enrolled_at: 1, _id: 1 } as const

/** A page of the roster: first those a place is kept for, then who is enrolled, each in the order they came. */
export async function listRoster(courseId: number, wanted: Wanted): Promise<Page> {
  const places = await PendingEnrollmentModel.find({ course_id: courseId }).sort(byTime).lean()
  const waiting = places.map(presentWaiting)
  if (wanted.search?.trim() || wanted.state) return searchRoster(courseId, waiting, wanted)
  const { skip, limit } = wanted
  const first = waiting.slice(skip, skip + limit)
  const [enrolled, students] = await Promise.all([
    EnrollmentModel.countDocuments({ course_id: courseId }),
    first.length < limit
      ? enrolledStudents(courseId, {
          skip: Math.max(0, skip - waiting.length),
          limit: limit - first.length,
        })
      : [],
  ])
  return { students: [...first, ...students], total: waiting.length + enrolled }
}

/** By what stands in two collections, so that it is put together here: some thousands of small documents. */
async function searchRoster(
  courseId: number,
  waiting: CourseStudent[],
  { skip, limit, search = '', state }: Wanted,
): Promise<Page> {
  const term = search.normalize('NFKC').trim().toLowerCase()
  const has = (...texts: (string | null | undefined)[]) =>
    texts.some((text) => text?.normalize('NFKC').toLowerCase().includes(term))
  const enrollments = await EnrollmentModel.find({ course_id: courseId }).sort(byTime).lean()
  const users = await overviewOf(enrollments)
  const found = enrollments.filter((enrollment) => {
    const user = users.get(enrollment.user_id)
    if (!user || (state && (user.account === 'invited' ? 'invited' : 'enrolled') !== state)) return false
    return has(user.email, user.full_name, user.username, enrollment.external_user_id, enrollment.sis_user_id)
  })
  const places = waiting.filter(
    (place) => (!state || state === 'waiting') && has(place.email, place.external_user_id, place.sis_user_id),
  )
  const page = [...places, ...found].slice(skip, skip + limit)
  const people = await usersById(page.flatMap((one) => ('user_id' in one ? [one.user_id] : [])))
  const students = page.flatMap((one) => {
    if (!('user_id' in one)) return [one]
    const user = people.get(one.user_id)
    return user ? [presentStudent(user, one)] : []
  })
  return { students, total: places.length + found.length }
}

type Overview = Pick<UserDoc, '_id' | 'email' | 'username' | 'full_name' | 'account'>

async function overviewOf(enrollments: EnrollmentDoc[]): Promise<Map<number, Overview>> {
  const users = await UserModel.find(
    { _id: { $in: enrollments.map(({ user_id }) => user_id) } },
    { email: 1, username: 1, full_name: 1, account: 1 },
  ).lean<Overview[]>()
  return new Map(users.map((user) => [user._id, user]))
}
