import type { ErasurePreview, ErasureProgress } from '@assay/shared/personal-data.ts'
import { platformNamesById } from '../../../features/lti/platforms/platform.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../../records/courses/course.model.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { ErasureDoc } from '../../../records/people/erasure.model.ts'
import { type UserDoc, UserModel } from '../../../records/people/user.model.ts'
import { countSolePapersOf, isCourseInUse, releasesOf, soleCourses } from './erase-papers.ts'
import { steps } from './erase-person.ts'
import { findErasure } from './erasures.ts'

export async function accountIdsOf(user: Pick<UserDoc, '_id'>): Promise<number[]> {
  const joined = await UserModel.find({ joined_into: user._id }, { _id: 1 }).lean()
  return [user._id, ...joined.map(({ _id }) => _id)]
}

export async function previewErasure(user: UserDoc, { self }: { self: boolean }): Promise<ErasurePreview> {
  // A merged account is deleted with the one it was merged into.
  const erasure = await findErasure(user.joined_into ?? user._id)
  if (erasure) return { ...nothing, progress: presentProgress(erasure) }
  const ids = await accountIdsOf(user)
  const { sole, used } = await coursesLeftBy(ids)
  const [papers, releases, taught, assignments] = await Promise.all([
    countSolePapersOf(ids),
    releasesOf(ids),
    CourseModel.countDocuments({ instructor_ids: { $in: ids } }),
    AssignmentModel.countDocuments({ course_id: null, created_by: { $in: ids } }),
  ])
  const lmsNames = await lmsNamesOf(ids)
  return {
    blockers: await blockersBy(user, used, self),
    papers,
    retained_grades: releases.length,
    courses_left: taught - sole.length,
    courses_deleted: sole.length - used.length,
    assignments_deleted: assignments,
    lms_names: lmsNames,
    progress: null,
  }
}

const nothing: Omit<ErasurePreview, 'progress'> = {
  blockers: [],
  papers: 0,
  retained_grades: 0,
  courses_left: 0,
  courses_deleted: 0,
  assignments_deleted: 0,
  lms_names: [],
}

async function coursesLeftBy(ids: number[]) {
  const sole = await soleCourses(ids)
  const used = (await Promise.all(sole.map(async (course) => ((await isCourseInUse(course)) ? [course] : [])))).flat()
  return { sole, used }
}

/** Whether or not it was requested before. */
export async function findBlockers(user: UserDoc, { self }: { self: boolean }): Promise<string[]> {
  const { used } = await coursesLeftBy(await accountIdsOf(user))
  return blockersBy(user, used, self)
}

async function blockersBy(user: UserDoc, used: CourseDoc[], self: boolean): Promise<string[]> {
  const who = self ? 'You are' : `${user.full_name ?? user.username} is`
  const others = { role: 'admin', account: 'active', _id: { $ne: user._id } } as const
  const isLastAdmin =
    user.role === 'admin' && user.account === 'active' && (await UserModel.countDocuments(others)) === 0
  return [
    ...(isLastAdmin ? [`${who} the only administrator. Make somebody else an administrator first.`] : []),
    ...(self && user.from_lms
      ? ['This account comes from your LMS. Ask your school, or an administrator of Assay, to delete it.']
      : []),
    ...(self && user.demo
      ? ['This is a demo account, which others use too. Only an administrator can delete it.']
      : []),
    ...(self && !user.from_lms && user.password_hash === null
      ? ['This account has no password to confirm with. Set one on this page first.']
      : []),
    ...(user.joined_into != null ? ['This account was merged into another one. Delete that one.'] : []),
    ...used.map(
      ({ name }) =>
        `${who} the only instructor of “${name}”, which has students or papers. Add another instructor to the course, or delete it, first.`,
    ),
  ]
}

async function lmsNamesOf(ids: number[]): Promise<string[]> {
  const contexts: number[] = await LtiMemberModel.distinct('context', { user_id: { $in: ids }, status: 'active' })
  const platforms: number[] = await LtiContextModel.distinct('platform_id', { _id: { $in: contexts } })
  return [...new Set((await platformNamesById(platforms)).values())]
}

function presentProgress({ state, placeholder, step, started_at, finished_at }: ErasureDoc): ErasureProgress {
  return {
    state,
    placeholder,
    doing: steps[step]?.doing ?? 'Done',
    done: Math.min(step, steps.length),
    total: steps.length,
    waiting: steps[step]?.waits ?? false,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }
}
