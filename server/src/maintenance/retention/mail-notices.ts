import { RETENTION_NOTICE_DAYS, retentionWords } from '@assay/shared/rules/retention.ts'
import { coursesById } from '../../features/courses/course.service.ts'
import { mailedName } from '../../features/notifications/mailed-name.ts'
import { notify } from '../../features/notifications/notify.ts'
import { usersById } from '../../features/users/user.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { Services } from '../../services.ts'
import { type NoticedAssignment, schoolMonths } from './retention-notices.ts'
import { deletionDate, effectiveMonths } from './retention-rule.ts'

/** Of a course with hundreds of assignments the mail names the first; the course's page has all. */
const MAX_LISTED = 30

const formatDay = (moment: Date) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(moment)

/** Mails the instructors of each course, once for all its assignments; of assignments outside a course, their creators. */
export async function mailNotices(noticed: NoticedAssignment[], services: Services): Promise<void> {
  const unmailed = noticed.filter(({ retention_notice }) => !retention_notice.mailed)
  const courses = await coursesById([...new Set(unmailed.flatMap(({ course_id }) => course_id ?? []))])
  const groups = Map.groupBy(unmailed, ({ course_id, created_by }) =>
    course_id === null ? `creator/${created_by}` : `course/${course_id}`,
  )
  for (const [key, assignments] of groups) {
    const course = courses.get(assignments[0]?.course_id ?? 0) ?? null
    const receivers = course ? course.instructor_ids : assignments.slice(0, 1).map(({ created_by }) => created_by)
    await mailGroup(key, await postponeOverdue(assignments, services), course, receivers, services)
  }
}

/** Where Assay did not run since the notice was stored, the days count from the mail. */
async function postponeOverdue(assignments: NoticedAssignment[], { clock }: Services): Promise<NoticedAssignment[]> {
  const soonest = new Date(clock.now().getTime() + (RETENTION_NOTICE_DAYS - 1) * 24 * 60 * 60 * 1000)
  const late = assignments.filter(({ retention_notice }) => retention_notice.delete_at < soonest)
  if (late.length === 0) return assignments
  const delete_at = deletionDate(clock.now())
  await AssignmentModel.updateMany(
    { _id: { $in: late.map(({ _id }) => _id) }, 'retention_notice.deleting': { $exists: false } },
    { $set: { 'retention_notice.delete_at': delete_at } },
  )
  return assignments.map((one) =>
    late.includes(one) ? { ...one, retention_notice: { ...one.retention_notice, delete_at } } : one,
  )
}

async function mailGroup(
  key: string,
  assignments: NoticedAssignment[],
  course: CourseDoc | null,
  receivers: number[],
  services: Services,
): Promise<void> {
  const dates = assignments.map(({ retention_notice }) => retention_notice.delete_at.getTime())
  const deleteAt = new Date(Math.min(...dates))
  const months = effectiveMonths(course, await schoolMonths(services))
  const users = [...(await usersById(receivers)).values()]
  const message = composeNotice({ assignments, course, deleteAt, months, url: services.config.publicUrl })
  // Queued first: after a crash in between it is mailed again, which is better than never.
  await notify(users, 'courses', () => message, `retention/${key}/${deleteAt.getTime()}`, services)
  await AssignmentModel.updateMany(
    { _id: { $in: assignments.map(({ _id }) => _id) }, 'retention_notice.mailed': false },
    { $set: { 'retention_notice.mailed': true } },
  )
}

interface NoticeMail {
  assignments: NoticedAssignment[]
  course: CourseDoc | null
  deleteAt: Date
  months: number
  url: string
}

function composeNotice({ assignments, course, deleteAt, months, url }: NoticeMail) {
  const name = course ? mailedName(course.name, 'your course') : 'your assignments'
  const listed = assignments.slice(0, MAX_LISTED).map(({ title, retention_notice: { papers } }) => {
    return `- “${mailedName(title, 'An assignment')}”: ${papers} ${papers === 1 ? 'paper' : 'papers'}`
  })
  const more = assignments.length - listed.length
  const text = [
    `The rule of ${name} is to ${retentionWords(months)}. On ${formatDay(deleteAt)} the student work of these assignments will be deleted:`,
    '',
    ...listed,
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    'Papers, answers, grades and comments go; the assignments with their blanks, answer keys and rubrics stay. Scores sent to an LMS stay there.',
    '',
    ...(course
      ? [
          `To download grades first, open the assignments: ${url}/courses/${course._id}`,
          `To keep the work for longer, change the rule: ${url}/courses/${course._id}/edit`,
        ]
      : [`To download grades first, open the assignments: ${url}/dashboard`]),
  ].join('\n')
  return { subject: `Student work in ${name} will be deleted on ${formatDay(deleteAt)}`, text }
}
