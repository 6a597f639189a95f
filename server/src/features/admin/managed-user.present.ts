import type { ManagedUser } from '@assay/shared/admin.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { presentUser } from '../users/user.service.ts'

async function countCoursesTaught(ids: number[]): Promise<Map<number, number>> {
  const courses = await CourseModel.find({ instructor_ids: { $in: ids } }, { instructor_ids: 1 }).lean()
  const counts = new Map<number, number>()
  for (const id of courses.flatMap((course) => course.instructor_ids)) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

export async function presentManagedUsers(users: UserDoc[]): Promise<ManagedUser[]> {
  const taught = await countCoursesTaught(users.map((user) => user._id))
  return users.map((user) => ({
    ...presentUser(user),
    account: user.account,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    courses_taught: taught.get(user._id) ?? 0,
  }))
}

export async function presentManagedUser(user: UserDoc): Promise<ManagedUser> {
  const [presented] = await presentManagedUsers([user])
  if (!presented) throw new Error('one user in, one out')
  return presented
}
