import { isDuplicateKeyError, nextId } from '../../../lib/database/database.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { contextHistoryOf } from './custom-parameters.ts'
import { needsUpdate } from './needs-update.ts'

interface DeploymentRef {
  platformId: number
  deploymentId: string
}

/** The LMS's course that a launch is from, as it says anew; null for a launch outside any. What it leaves out stays as it was. */
export async function upsertContext(
  { platformId, deploymentId }: DeploymentRef,
  { context, custom, namesAndRoles, assignmentAndGrades }: LaunchFacts,
  now: Date,
): Promise<LtiContextDoc | null> {
  if (!context) return null
  const history = contextHistoryOf(custom)
  const said = {
    ...(context.title ? { title: context.title } : {}),
    ...(context.label ? { label: context.label } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(namesAndRoles ? { memberships_url: namesAndRoles.context_memberships_url } : {}),
    ...(assignmentAndGrades ? { ags_scopes: assignmentAndGrades.scope } : {}),
    ...(assignmentAndGrades?.lineitems ? { lineitems_url: assignmentAndGrades.lineitems } : {}),
    launched_at: now,
  }
  const where = { platform_id: platformId, deployment_id: deploymentId, context_id: context.id }
  const known = async () => {
    const stored = await LtiContextModel.findOne(where).lean()
    if (!stored || !needsUpdate(said, stored)) return stored
    return LtiContextModel.findOneAndUpdate(where, { $set: said }, { returnDocument: 'after' }).lean()
  }
  const found = await known()
  if (found) return unbindIfCourseDeleted(found)
  const fresh = { course_id: null, title: null, label: null, history: [], memberships_url: null }
  const services = { lineitems_url: null, ags_scopes: [], roster: null, created_at: now, launched_at: now }
  const doc: LtiContextDoc = { _id: await nextId('lti_contexts'), ...where, ...fresh, ...services, ...said }
  try {
    await LtiContextModel.create(doc)
    return doc
  } catch (error) {
    // Launched by two at once for the first time: the index decided.
    if (!isDuplicateKeyError(error)) throw error
    return known()
  }
}

/** As it is, but for a course of ours that was deleted meanwhile: then it waits to be set up anew. */
export async function unbindIfCourseDeleted(context: LtiContextDoc): Promise<LtiContextDoc> {
  const { _id, course_id } = context
  if (course_id === null || (await CourseModel.exists({ _id: course_id }))) return context
  await LtiContextModel.updateOne({ _id, course_id }, { $set: { course_id: null } })
  return { ...context, course_id: null }
}

/**
 * For courses that were deleted: their LMS courses wait to be set up anew. Without its report a sync under way finds itself no longer
 * wanted. Returns how many there were.
 */
export async function unbindCourses(courseIds: number[]): Promise<number> {
  const gone = { course_id: { $in: courseIds } }
  return (await LtiContextModel.updateMany(gone, { $set: { course_id: null, roster: null } })).modifiedCount
}

/** Every LMS course that means this course of ours: its sections. */
export function contextsOfCourse(courseId: number): Promise<LtiContextDoc[]> {
  return LtiContextModel.find({ course_id: courseId }).lean()
}

/** Ties it to a course of ours; false when somebody else has tied it meanwhile. */
export async function bindContext(context: LtiContextDoc, courseId: number): Promise<boolean> {
  const tied = await LtiContextModel.updateOne(
    { _id: context._id, course_id: context.course_id },
    { $set: { course_id: courseId } },
  )
  return tied.matchedCount > 0
}
