import { z } from 'zod'
import { type BackgroundWork, defineJob, type Job, repeatedWork } from '../../lib/jobs/job.ts'
import type { AssignmentDoc, AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { ReminderModel, reminderKey } from '../../records/assignments/reminder.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import {
  assignmentsDueWithin,
  findAssignmentsToAnnounce,
  findAssignmentToAnnounce,
  markAnnounced,
} from '../assignments/assignment.service.ts'
import { datesOf, formatUtc, handInWindowOf } from '../assignments/assignment-dates.ts'
import { coursesById } from '../courses/course.service.ts'
import { enrolledUsers } from '../courses/enrollment-queries.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { notify, wantsMail } from '../users/notifications/notify.ts'
import { loadGroupmates } from './group-members.ts'
import { studentIdsWithSubmission } from './submission-queries.ts'

const REMIND_EVERY_MS = 5 * 60 * 1000
const REMIND_BEFORE_MS = 24 * 60 * 60 * 1000

function createReminderJob(services: Services): Job<z.ZodObject> {
  return defineJob({
    name: 'send-reminders',
    payload: z.object({}),
    async run(_, signal) {
      await queueAnnouncements(services)
      await sendAllReminders(services, signal)
    },
  })
}

/** With a constant key, so that the queue runs one at a time, however many processes ask for it. */
export const queueReminders = (services: Services): Promise<void> =>
  services.jobs.add(createReminderJob(services), [{ key: 'all', group: 'reminders', payload: {} }])

export function createReminders(services: Services): BackgroundWork {
  const options = { log: services.log, failure: 'reminders could not be queued' }
  return {
    jobs: [createAnnouncementJob(services), createReminderJob(services)],
    ...repeatedWork(REMIND_EVERY_MS, () => queueReminders(services), options),
  }
}

async function sendAllReminders(services: Services, signal: AbortSignal): Promise<void> {
  const now = services.clock.now()
  for (const assignment of await assignmentsDueWithin(now, new Date(now.getTime() + REMIND_BEFORE_MS))) {
    if (signal.aborted) return
    await sendReminders(assignment, now, services)
  }
}

async function sendReminders(assignment: AssignmentOverview, now: Date, services: Services): Promise<void> {
  if (assignment.course_id === null) return
  const students = await studentsWithoutPaper(assignment._id, assignment.course_id)
  const mates = await loadGroupmates(assignment._id)
  const reminders = students.flatMap((student): { student: UserDoc; due: Date; key: string }[] => {
    const { state, due_at } = handInWindowOf(assignment, mates.get(student._id) ?? student._id, now)
    const soon = due_at && due_at > now && due_at.getTime() - now.getTime() <= REMIND_BEFORE_MS
    if (state !== 'open' || !soon || !wantsMail(student, 'reminders')) return []
    return [{ student, due: due_at, key: reminderKey(assignment._id, student._id, due_at) }]
  })
  const keys = reminders.map(({ key }) => key)
  const alreadySent = new Set(
    (await ReminderModel.find({ _id: { $in: keys } }, { _id: 1 }).lean()).map(({ _id }) => _id),
  )
  const unsent = reminders.filter(({ key }) => !alreadySent.has(key))
  for (const [due, group] of Map.groupBy(unsent, (reminder) => reminder.due.getTime())) {
    const text = reminderMessage(assignment, new Date(due), services.config.publicUrl)
    const key = `reminder/${assignment._id}/${due}`
    const recipients = group.map(({ student }) => student)
    // Queued first: after a crash it reminds again, which is better than never.
    await notify(recipients, 'reminders', () => text, key, services)
    const sent = group.map((reminder) => ({ _id: reminder.key, sent_at: now }))
    await ReminderModel.insertMany(sent, { lean: true })
  }
}

function reminderMessage({ _id, title: typed }: AssignmentOverview, due: Date, url: string) {
  const title = mailedName(typed, 'An assignment')
  return {
    subject: `Due soon: ${title}`,
    text: `“${title}” is due on ${formatUtc(due)}, and you have not handed in a paper yet.\n\nHand it in here:\n${url}/student/assignments/${_id}`,
  }
}

const Announcement = z.object({ assignmentId: z.number() })

function createAnnouncementJob(services: Services): Job<typeof Announcement> {
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
  // Unpublished meanwhile: the announcement waits.
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

async function studentsWithoutPaper(assignmentId: number, courseId: number): Promise<UserDoc[]> {
  const [students, owners] = await Promise.all([enrolledUsers(courseId), studentIdsWithSubmission(assignmentId)])
  return students.filter(({ _id }) => !owners.has(_id))
}
