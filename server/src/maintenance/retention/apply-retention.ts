import { describeRetention } from '@assay/shared/rules/retention-rule.ts'
import { mailedName } from '../../features/notifications/mailed-name.ts'
import { notify } from '../../features/notifications/notify.ts'
import { usersById } from '../../features/users/user.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { deleteWork } from './delete-work.ts'
import { type DueWork, findAnnounced, findDueWork, findWorkToDelete, noticeEnd } from './due-work.ts'

type Ruled = Pick<CourseDoc, '_id' | 'name' | 'instructor_ids' | 'retention_months'>

/** The rule that holds for a course. */
export const retentionOf = (course: Pick<CourseDoc, 'retention_months'>, schoolMonths: number): number =>
  course.retention_months ?? schoolMonths

/** Announces what has become due everywhere, and deletes what was announced two weeks ago. */
export async function applyRetention(services: Services, signal: AbortSignal): Promise<void> {
  const { retention_months: school } = await services.settings.current()
  const courses = CourseModel.find({}, { name: 1, instructor_ids: 1, retention_months: 1 }).lean<Ruled[]>().cursor()
  for await (const course of courses) {
    signal.throwIfAborted()
    await announceWork(course, retentionOf(course, school), services)
  }
  await changeAnnouncements(null, school, services)
  const now = services.clock.now()
  // What nothing was done about for two weeks: whatever was done about it took the announcement back.
  for (const assignment of await findWorkToDelete(now)) await deleteWork(assignment, services, signal)
}

/** Brings a course's announcements in line with its rule, and mails its teachers about those that are new. */
export async function announceWork(course: Ruled, months: number, services: Services): Promise<void> {
  const announced = await changeAnnouncements(course._id, months, services)
  if (announced.length > 0) await mailTeachers(course, months, announced, services)
}

/** @returns what was announced just now */
async function changeAnnouncements(courseId: number | null, months: number, services: Services): Promise<DueWork[]> {
  const now = services.clock.now()
  const due = new Map((await findDueWork(courseId, months, now)).map((one) => [one.assignment._id, one]))
  for (const { _id, work_deletion } of await findAnnounced(courseId)) {
    // One that has begun is completed; what came since is not deleted.
    if (!due.delete(_id) && !work_deletion.begun_at)
      await AssignmentModel.updateOne({ _id }, { $set: { work_deletion: null } })
  }
  const fresh = [...due.values()]
  for (const { assignment, papers } of fresh) {
    const work_deletion = { noticed_at: now, delete_at: noticeEnd(now), papers }
    await AssignmentModel.updateOne({ _id: assignment._id, work_deletion: null }, { $set: { work_deletion } })
  }
  return fresh
}

async function mailTeachers(course: Ruled, months: number, announced: DueWork[], services: Services): Promise<void> {
  const { clock, config } = services
  const deleteAt = noticeEnd(clock.now())
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(deleteAt)
  const name = mailedName(course.name, 'your course')
  const plural = (papers: number) => `${papers} paper${papers === 1 ? '' : 's'}`
  const text = [
    `Student work in ${name} will be deleted on ${day}. The rule of this course: student work is ${describeRetention(months)}.`,
    '',
    ...announced.map(
      ({ assignment, papers }) => `- ${mailedName(assignment.title, 'An assignment')}: ${plural(papers)}`,
    ),
    '',
    'Papers, answers, grades and feedback are deleted; assignments, rubrics and scores already in your LMS stay. To keep grades, export them before. To keep the work, change the rule:',
    `${config.publicUrl}/courses/${course._id}/edit`,
  ].join('\n')
  const subject = `Student work in ${name} will be deleted on ${day}`
  const teachers = [...(await usersById(course.instructor_ids)).values()]
  const key = `retention/${course._id}/${deleteAt.toISOString().slice(0, 10)}`
  await notify(teachers, 'courses', () => ({ subject, text }), key, services)
}
