import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import {
  findAssignmentsToAnnounce,
  findAssignmentToAnnounce,
  markAnnounced,
} from '../assignments/announcement.service.ts'
import { datesOf, formatUtc } from '../assignments/assignment-dates.ts'
import { coursesById } from '../courses/course.service.ts'
import { enrolledUsers } from '../courses/enrollment-queries.ts'
import { mailedName } from '../notifications/mailed-name.ts'
import { notify } from '../notifications/notify.ts'
import { studentIdsWithSubmission } from '../submissions/submission-queries.ts'

const Announcement = z.object({ assignmentId: z.number() })

export function createAnnouncementJob(services: Services): Job<typeof Announcement> {
  return defineJob({
    name: 'announce-assignment',
    payload: Announcement,
    run: ({ assignmentId }) => sendAnnouncement(assignmentId, services),
  })
}

export async function queueAnnouncements(services: Services, only?: Pick<AssignmentDoc, '_id'>): Promise<void> {
  const ids = await findAssignmentsToAnnounce(only)
  await services.jobs.add(
    createAnnouncementJob(services),
    ids.map((id) => ({ key: `${id}`, group: `assignment:${id}`, payload: { assignmentId: id } })),
  )
}

async function sendAnnouncement(assignmentId: number, services: Services): Promise<void> {
  const assignment = await findAssignmentToAnnounce(assignmentId)
  // Unpublished meanwhile: the announcement waits until it is published again.
  if (assignment?.status !== 'published' || assignment.course_id === null) return
  const course = (await coursesById([assignment.course_id])).get(assignment.course_id)
  if (!course) return
  const students = await studentsWithoutPaper(assignment._id, course._id)
  const title = mailedName(assignment.title, 'an assignment')
  const text = [
    `There is a new assignment in ${mailedName(course.name, 'your course')}: “${title}”.`,
    ...dateLines(assignment),
    '',
    `${services.config.publicUrl}/student/assignments/${assignment._id}`,
  ].join('\n')
  const subject = `New assignment: ${title}`
  await notify(students, 'courses', () => ({ subject, text }), `announced/${assignment._id}`, services)
  await markAnnounced(assignment._id)
}

/** Students with an extension find theirs on the page. */
function dateLines(assignment: AssignmentDoc): string[] {
  const { available_at, due_at, closes_at } = datesOf(assignment)
  const lines = [
    available_at && `Opens: ${formatUtc(available_at)}`,
    due_at && `Due: ${formatUtc(due_at)}`,
    closes_at && `Closes: ${formatUtc(closes_at)}`,
  ].filter((line) => line !== null)
  return lines.length > 0 ? ['', ...lines] : []
}

/** No paper handed in by themselves or uploaded by a teacher. */
export async function studentsWithoutPaper(assignmentId: number, courseId: number): Promise<UserDoc[]> {
  const [students, owners] = await Promise.all([enrolledUsers(courseId), studentIdsWithSubmission(assignmentId)])
  return students.filter(({ _id }) => !owners.has(_id))
}
