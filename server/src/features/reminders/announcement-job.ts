import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs/job.ts'
import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { datesOf, formatUtc } from '../assignments/assignment-dates.ts'
import { coursesById } from '../courses/course.service.ts'
import { notify } from '../notifications/notify.ts'
import { studentsWithoutPaper } from './students-without-paper.ts'

const Announcement = z.object({ assignmentId: z.number() })

/** Mails a course's students, once, that an assignment is there. */
export function createAnnouncementJob(services: Services): Job<typeof Announcement> {
  return defineJob({
    name: 'announce-assignment',
    payload: Announcement,
    attempts: 3,
    lane: 'aside',
    run: ({ assignmentId }) => sendAnnouncement(assignmentId, services),
  })
}

/** To be called before a draft is published: kept with it, so that a process that dies in between forgets nothing. */
export async function requestAnnouncement(assignment: AssignmentDoc): Promise<void> {
  if (assignment.status === 'published' || assignment.course_id === null) return
  await AssignmentModel.updateOne({ _id: assignment._id, announcement: null }, { $set: { announcement: 'wanted' } })
}

/** Queues the news of one that has just been published, or of all whose news is still wanted. */
export async function queueAnnouncements(services: Services, only?: Pick<AssignmentDoc, '_id'>): Promise<void> {
  const wanted = { announcement: 'wanted' as const, status: 'published' as const }
  const found = await AssignmentModel.find(only ? { ...wanted, _id: only._id } : wanted, { _id: 1 }).lean()
  await services.jobs.add(
    createAnnouncementJob(services),
    found.map(({ _id }) => ({
      key: `${_id}`,
      group: `assignment:${_id}`,
      payload: { assignmentId: _id },
    })),
  )
}

async function sendAnnouncement(assignmentId: number, services: Services): Promise<void> {
  const assignment = await AssignmentModel.findOne({ _id: assignmentId, announcement: 'wanted' }).lean()
  // Hidden again meanwhile: the news waits until it is published once more.
  if (assignment?.status !== 'published' || assignment.course_id === null) return
  const course = (await coursesById([assignment.course_id])).get(assignment.course_id)
  if (!course) return
  const students = await studentsWithoutPaper(assignment._id, course._id)
  const text = [
    `There is a new assignment in ${course.name}: “${assignment.title}”.`,
    ...dateLines(assignment),
    '',
    `${services.config.publicUrl}/student/assignments/${assignment._id}`,
  ].join('\n')
  const subject = `New assignment: ${assignment.title}`
  await notify(students, 'courses', () => ({ subject, text }), `announced/${assignment._id}`, services)
  await AssignmentModel.updateOne({ _id: assignment._id }, { $set: { announcement: 'sent' } })
}

/** Of a student with an extension the page tells their own dates. */
function dateLines(assignment: AssignmentDoc): string[] {
  const { available_at, due_at, closes_at } = datesOf(assignment)
  const lines = [
    available_at && `Opens: ${formatUtc(available_at)}`,
    due_at && `Due: ${formatUtc(due_at)}`,
    closes_at && `Closes: ${formatUtc(closes_at)}`,
  ].filter((line) => line !== null)
  return lines.length > 0 ? ['', ...lines] : []
}
