import { nextId, unlessDuplicate } from '../../../lib/database/database.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { courseExists } from '../../courses/course.service.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { platformNamesById } from '../platforms/platform.service.ts'
import { contextHistoryOf } from './custom-parameters.ts'
import { needsUpdate } from './needs-update.ts'

interface DeploymentRef {
  platformId: number
  deploymentId: string
}

/** Null for a launch outside any course. What the launch leaves out stays unchanged. */
export async function upsertContext(
  { platformId, deploymentId }: DeploymentRef,
  { context, custom, namesAndRoles, assignmentAndGrades }: LaunchFacts,
  now: Date,
): Promise<LtiContextDoc | null> {
  if (!context) return null
  const history = contextHistoryOf(custom)
  const claimed = {
    ...(context.title ? { title: context.title } : {}),
    ...(context.label ? { label: context.label } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(namesAndRoles ? { memberships_url: namesAndRoles.context_memberships_url } : {}),
    ...(assignmentAndGrades ? { ags_scopes: assignmentAndGrades.scope } : {}),
    ...(assignmentAndGrades?.lineitems ? { lineitems_url: assignmentAndGrades.lineitems } : {}),
    launched_at: now,
  }
  const key = { platform_id: platformId, deployment_id: deploymentId, context_id: context.id }
  const loadUpdated = async () => {
    const stored = await LtiContextModel.findOne(key).lean()
    if (!stored || !needsUpdate(claimed, stored)) return stored
    return LtiContextModel.findOneAndUpdate(key, { $set: claimed }).lean()
  }
  const found = await loadUpdated()
  if (found) return unbindIfCourseDeleted(found)
  const fresh = { course_id: null, title: null, label: null, history: [], memberships_url: null }
  const services = { lineitems_url: null, ags_scopes: [], roster: null, created_at: now, launched_at: now }
  const doc: LtiContextDoc = { _id: await nextId('lti_contexts'), ...key, ...fresh, ...services, ...claimed }
  // Of concurrent first launches one stores it.
  return (await unlessDuplicate(LtiContextModel.create(doc))) ? doc : loadUpdated()
}

export async function unbindIfCourseDeleted(context: LtiContextDoc): Promise<LtiContextDoc> {
  const { _id, course_id } = context
  if (course_id === null || (await courseExists(course_id))) return context
  await LtiContextModel.updateOne({ _id, course_id }, { $set: { course_id: null } })
  return { ...context, course_id: null }
}

/** Their LMS courses have to be set up again; a running sync ends without its report. @returns how many LMS courses */
export async function unbindCourses(courseIds: number[]): Promise<number> {
  const bound = { course_id: { $in: courseIds } }
  return (await LtiContextModel.updateMany(bound, { $set: { course_id: null, roster: null } })).modifiedCount
}

export function contextsOfCourse(courseId: number): Promise<LtiContextDoc[]> {
  return LtiContextModel.find({ course_id: courseId }).lean()
}

export async function lmsNamesOfCourse(courseId: number): Promise<string[]> {
  const names = await platformNamesById((await contextsOfCourse(courseId)).map(({ platform_id }) => platform_id))
  return [...new Set(names.values())]
}

export async function bindContext(context: LtiContextDoc, courseId: number): Promise<boolean> {
  const bound = await LtiContextModel.updateOne(
    { _id: context._id, course_id: context.course_id },
    { $set: { course_id: courseId } },
  )
  return bound.matchedCount > 0
}
