import { type AuditActor, recordAudits } from '../../../audit/audit.service.ts'
import { markContextResultsDue, markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiMemberDoc, LtiMemberModel } from '../../../records/lti/member.model.ts'
import { addLmsInstructors, findInstructors, removeLmsInstructors } from '../../courses/course.service.ts'
import { addEnrollments, markTestUsers, removeLmsEnrollments } from '../../courses/enrollment.service.ts'
import { findEnrolledIds } from '../../courses/enrollment-queries.ts'
import type { LmsPerson } from '../accounts/lms-account.service.ts'
import { contextsOfCourse } from './resource-link.service.ts'

export async function upsertMember(context: number, person: LmsPerson, user_id: number, now: Date): Promise<number[]> {
  const { sub, role, name, email, test_user } = person
  const claimed: Partial<LtiMemberDoc> = {
    user_id,
    role,
    status: 'active',
    test_user,
    lesser_days: [],
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    updated_at: now,
  }
  const missing = { ...(name ? {} : { name: null }), ...(email ? {} : { email: null }) }
  const before = await LtiMemberModel.findOneAndUpdate(
    { _id: `${context}/${sub}` },
    { $set: claimed, $setOnInsert: { context, sub, synced_at: null, ...missing } },
    { upsert: true, returnDocument: 'before' },
  ).lean()
  const unchanged =
    before?.status === 'active' && before.role === role && before.user_id === user_id && before.test_user === test_user
  // A grade may wait for a member who is new, or a student again.
  if (before?.status === 'suspended') await markContextResultsDue(context, [sub], now)
  else if (!unchanged) await markContextScoresChanged(context)
  return [...new Set([user_id, before?.user_id ?? user_id])]
}

export function membersOfUsers(userIds: number[]) {
  return LtiMemberModel.find({ user_id: { $in: userIds } }, { user_id: 1, name: 1, email: 1, sis_id: 1 }).lean()
}

/** Idempotent. Counts every section, teaching first; keeps teachers' additions and the last instructor. */
export async function reconcileEnrolments(courseId: number, userIds: number[], by: AuditActor, now: Date) {
  const [members, course] = await Promise.all([activeMembers(courseId, userIds), findInstructors(courseId)])
  const withRole = (role: 'instructor' | 'student') =>
    new Set(members.filter((member) => member.role === role).map(({ user_id }) => user_id))
  const teachers = withRole('instructor')
  const students = withRole('student')

  const teachersAdded = await addLmsInstructors(courseId, [...teachers])
  const leaving = userIds.filter((id) => !teachers.has(id) && course?.lms_instructor_ids?.includes(id))
  const teachersRemoved = await removeLmsInstructors(courseId, leaving)
  // So that nobody both teaches and learns.
  const reconciled = teachers.size + leaving.length === 0 ? course : await findInstructors(courseId)
  const teaching = new Set(reconciled?.instructor_ids)
  const learns = (id: number) => students.has(id) && !teaching.has(id)
  const known = new Map(members.map((member) => [member.user_id, member]))
  const enrolled = await enrolStudents(courseId, userIds.filter(learns), known, now)
  const unenrolled = await removeLmsEnrollments(
    courseId,
    userIds.filter((id) => !learns(id)),
  )

  const rows = (ids: number[]) => ids.map((user_id) => ({ course_id: courseId, user_id }))
  await recordAudits(by, 'course.instructor_added', rows(teachersAdded), now, byLms)
  await recordAudits(by, 'course.instructor_removed', rows(teachersRemoved), now, byLms)
  await recordAudits(by, 'student.enrolled', rows(enrolled), now, byLms)
  await recordAudits(by, 'student.removed', rows(unenrolled), now, byLms)
  return { enrolled, unenrolled, teachersAdded, teachersRemoved }
}

const byLms = { after: { by: 'lms' } }

async function activeMembers(courseId: number, userIds: number[]) {
  const contexts = (await contextsOfCourse(courseId)).map(({ _id }) => _id)
  return LtiMemberModel.find(
    { user_id: { $in: userIds }, context: { $in: contexts }, status: 'active' },
    { user_id: 1, role: 1, sis_id: 1, test_user: 1 },
  ).lean()
}

async function enrolStudents(
  courseId: number,
  userIds: number[],
  known: ReadonlyMap<number, Pick<LtiMemberDoc, 'sis_id' | 'test_user'>>,
  now: Date,
): Promise<number[]> {
  const enrolled = await findEnrolledIds(courseId, userIds)
  const missing = userIds.filter((id) => !enrolled.has(id))
  const isTest = (id: number) => known.get(id)?.test_user === true
  const people = missing.map((user_id) => {
    const sis_user_id = known.get(user_id)?.sis_id ?? null
    return { user_id, added_by: 'lms' as const, sis_user_id, test_user: isTest(user_id) }
  })
  await addEnrollments(courseId, people, now)
  await markTestUsers(courseId, userIds.filter(isTest))
  return missing
}
