import type { ManagedUser } from '@assay/shared/admin.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { countCoursesTaught } from '../courses/course.service.ts'
import { presentUser } from '../users/user.service.ts'

export async function presentManagedUsers(users: UserDoc[]): Promise<ManagedUser[]> {
  const taught = await countCoursesTaught(users.map((user) => user._id))
  return users.map((user) => ({
    ...presentUser(user),
    account: user.account,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    courses_taught: taught.get(user._id) ?? 0,
    deleted: user.deleted_at != null,
  }))
}

export async function presentManagedUser(user: UserDoc): Promise<ManagedUser> {
  const [presented] = await presentManagedUsers([user])
  if (!presented) throw new Error('one user in, one out')
  return presented
}
