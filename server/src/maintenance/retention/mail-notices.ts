import { retentionWords } from '@assay/shared/rules/retention.ts'
import { coursesById } from '../../features/courses/course.service.ts'
import { mailedName } from '../../features/notifications/mailed-name.ts'
import { administrators, usersById } from '../../features/users/user.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { type NoticedAssignment, schoolMonths } from './retention-notices.ts'
import { deletionDate, effectiveMonths } from './retention-rule.ts'

/** Of a course with hundreds of assignments the mail names the first; the course's page has all. */
const MAX_LISTED = 30

const formatDay = (moment: Date) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(moment)

/**
 * Mails the instructors of each course, once for all its assignments; of assignments outside a course, their creators. The 14 days begin with a
 * mail that was taken: until somebody could be told, nothing is deleted.
 */
export async function mailNotices(noticed: NoticedAssignment[], services: Services): Promise<void> {
  const unmailed = noticed.filter(({ retention_notice }) => !retention_notice.mailed)
  const courses = await coursesById([...new Set(unmailed.flatMap(({ course_id }) => course_id ?? []))])
  const groups = Map.groupBy(unmailed, ({ course_id, created_by }) =>
    course_id === null ? `creator/${created_by}` : `course/${course_id}`,
  )
  for (const assignments of groups.values()) {
    const course = courses.get(assignments[0]?.course_id ?? 0) ?? null
    const receivers = course ? course.instructor_ids : assignments.slice(0, 1).map(({ created_by }) => created_by)
    await mailGroup(assignments, course, receivers, services)
  }
}

async function mailGroup(
  assignments: NoticedAssignment[],
  course: CourseDoc | null,
  receivers: number[],
  services: Services,
): Promise<void> {
  const deleteAt = deletionDate(services.clock.now())
  const months = effectiveMonths(course, await schoolMonths(services))
  const message = composeNotice({ assignments, course, deleteAt, months, url: services.config.publicUrl })
  const teachers = [...(await usersById(receivers)).values()]
  const told =
    (await mailNow(teachers, message, services)) || (await mailNow(await administrators(), message, services))
  const ids = assignments.map(({ _id }) => _id)
  if (!told) {
    services.log.warn({ assignments: ids }, 'nobody could be told that student work is to be deleted, so it is kept')
    return
  }
  await AssignmentModel.updateMany(
    { _id: { $in: ids }, 'retention_notice.mailed': false },
    { $set: { 'retention_notice.mailed': true, 'retention_notice.delete_at': deleteAt } },
  )
}

/**
 * To everyone with a confirmed address, whatever mail they have chosen: it is a warning. Handed over at once, since a queued mail may fail when
 * nobody waits for it any more. @returns whether one was taken
 */
async function mailNow(users: UserDoc[], message: Message, { mail, log }: Services): Promise<boolean> {
  let taken = false
  for (const { _id, email, account, email_verified_at } of users) {
    if (account !== 'active' || email_verified_at == null) continue
    try {
      await mail.sendNow({ to: email, ...message })
      taken = true
    } catch (error) {
      log.warn({ err: error, user_id: _id }, 'a notice of the retention rule could not be mailed')
    }
  }
  return taken
}

interface Message {
  subject: string
  text: string
}

interface NoticeMail {
  assignments: NoticedAssignment[]
  course: CourseDoc | null
  deleteAt: Date
  months: number
  url: string
}

function composeNotice({ assignments, course, deleteAt, months, url }: NoticeMail): Message {
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
