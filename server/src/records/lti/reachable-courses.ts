import type { Actor } from '../../lib/http/handle.ts'
import { LtiContextModel } from './context.model.ts'
import { LtiPlatformModel } from './platform.model.ts'

/**
 * An LMS can sign a launch for anybody it has an account of, so its sessions must not reach what the person has
 * elsewhere. Ask this wherever a person's courses are found. Other sessions reach all.
 */
export async function reachableCourses({ lmsIssuer }: Pick<Actor, 'lmsIssuer'>, courseIds: number[]) {
  if (!lmsIssuer || courseIds.length === 0) return courseIds
  const platforms: number[] = await LtiPlatformModel.distinct('_id', { identity_issuer: lmsIssuer })
  const ids = { course_id: { $in: courseIds }, platform_id: { $in: platforms } }
  const reached = new Set<number | null>(await LtiContextModel.distinct('course_id', ids))
  return courseIds.filter((id) => reached.has(id))
}
