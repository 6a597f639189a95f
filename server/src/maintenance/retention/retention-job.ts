import { retentionWords } from '@assay/shared/rules/retention.ts'
import { withoutDoubtfulResults } from '@assay/shared/rules/rubric-problems.ts'
import { z } from 'zod'
import { AuditModel, recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { changeRubricProblems } from '../../features/assignments/assignment-queries.ts'
import { coursesById } from '../../features/courses/course.service.ts'
import { deleteClassScans } from '../../features/intake/class-scans/class-scan.service.ts'
import { notifyListChanged } from '../../features/submissions/submission.events.ts'
import { mailedName } from '../../features/users/notifications/mailed-name.ts'
import { usersById } from '../../features/users/user.service.ts'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import { type BackgroundWork, defineJob, repeatedWork } from '../../lib/jobs/job.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { LtiScoreModel } from '../../records/lti/score.model.ts'
import { type UserDoc, UserModel } from '../../records/people/user.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { deleteSubmissions } from '../deletion/delete-course.ts'
import { deleteWorkRecords } from '../deletion/delete-work-records.ts'
import {
  findNoticed,
  giveAllNotices,
  isStillDue,
  type NoticedAssignment,
  schoolMonths,
  subjectOf,
  withdrawNotices,
} from './retention-notices.ts'
import { deletionDate, effectiveMonths } from './retention-rule.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

const review = { name: 'review-retention', payload: z.object({ all: z.boolean() }) } as const
const deletion = { name: 'delete-due-work', payload: z.object({ assignmentId: z.number() }) } as const

/** Mails new notices, withdraws void ones, deletes where one ran out. `all` also finds new ones. */
export async function queueRetentionReview({ jobs }: Services, { all }: { all: boolean }): Promise<void> {
  await jobs.trigger(review, [{ key: all ? 'all' : 'notices', group: 'retention', payload: { all } }])
}

async function reviewRetention(all: boolean, services: Services, signal: AbortSignal): Promise<void> {
  if (all) await giveAllNotices(services, signal)
  const noticed = await withdrawNotices(await findNoticed(), services)
  signal.throwIfAborted()
  await mailNotices(noticed, services)
  const now = services.clock.now()
  const due = noticed.filter(({ retention_notice: { deleting, delete_at } }) => deleting || delete_at <= now)
  await services.jobs.add(
    deletion,
    due.map(({ _id }) => ({ key: `${_id}`, group: `retention/${_id}`, payload: { assignmentId: _id } })),
  )
}

export function retentionWork(services: Services): BackgroundWork[] {
  const jobs = [
    defineJob({
      ...review,
      // Notices and mails are sent once, however many processes look.
      run: ({ all }, signal) =>
        withDatabaseLock(
          'retention',
          (lost) => reviewRetention(all, services, AbortSignal.any([signal, lost])),
          signal,
        ),
    }),
    defineJob({
      ...deletion,
      attempts: 5,
      run: ({ assignmentId }, signal) => deleteDueWork(assignmentId, services, signal),
    }),
  ]
  const options = { log: services.log, failure: 'the retention review could not be queued' }
  return [
    { jobs, ...repeatedWork(DAY_MS, () => queueRetentionReview(services, { all: true }), options) },
    {
      jobs: [],
      ...repeatedWork(HOUR_MS, () => queueRetentionReview(services, { all: false }), { ...options, atStart: false }),
    },
  ]
}

const BATCH = 100

/** Idempotent at any write: what has begun is completed, and audited once. */
export async function deleteDueWork(assignmentId: number, services: Services, signal: AbortSignal): Promise<void> {
  const assignment = await beginDeletion(assignmentId, services)
  const begun = assignment?.retention_notice.deleting
  if (!assignment || !begun) return
  const old = { assignment_id: assignmentId, updated_at: { $lt: begun.since } }
  for (;;) {
    signal.throwIfAborted()
    const batch = await SubmissionModel.find(old, { _id: 1 }).sort({ updated_at: 1, _id: 1 }).limit(BATCH).lean()
    if (batch.length === 0) break
    await deleteSubmissions(batch)
  }
  await deleteTraces(assignmentId, begun.since, services)
  await auditOnce(assignment, begun, services)
  await AssignmentModel.updateOne(
    { _id: assignmentId, 'retention_notice.deleting.since': begun.since },
    { $unset: { retention_notice: 1 } },
  )
  notifyListChanged(assignmentId, services)
}

async function beginDeletion(assignmentId: number, services: Services): Promise<NoticedAssignment | null> {
  const now = services.clock.now()
  const found = await AssignmentModel.findById(assignmentId, { rubric: 0 }).lean<NoticedAssignment>()
  const notice = found?.retention_notice
  if (!found || !notice || notice.deleting) return notice ? found : null
  if (!notice.mailed || notice.delete_at > now || !(await isStillDue(found, services))) return null
  const papers = await SubmissionModel.countDocuments({ assignment_id: assignmentId })
  return AssignmentModel.findOneAndUpdate(
    {
      _id: assignmentId,
      updated_at: found.updated_at,
      active_run_id: found.active_run_id,
      'retention_notice.delete_at': notice.delete_at,
      'retention_notice.deleting': { $exists: false },
    },
    { $set: { 'retention_notice.deleting': { since: now, papers }, work_deleted_at: now } },
    { projection: { rubric: 0 } },
  ).lean<NoticedAssignment>()
}

/** The rubric with its items stays, and runs, which are only numbers. */
async function deleteTraces(assignmentId: number, before: Date, services: Services): Promise<void> {
  const scans = await ClassScanModel.find(
    { assignment_id: assignmentId, created_at: { $lt: before } },
    { _id: 1 },
  ).lean()
  await deleteClassScans(
    scans.map(({ _id }) => _id),
    services,
  )
  await deleteWorkRecords(assignmentId)
  const assignment = await AssignmentModel.findOne({ _id: assignmentId }, { rubric_version: 1 }).lean()
  if (assignment) await changeRubricProblems(assignment, withoutDoubtfulResults)
  // Without our record nothing more is sent, so the LMS keeps what it has.
  await LtiScoreModel.deleteMany({ assignment_id: assignmentId })
}

async function auditOnce(
  assignment: NoticedAssignment,
  { since, papers }: { since: Date; papers: number },
  { clock }: Services,
): Promise<void> {
  const action = 'assignment.work_deleted'
  const subject = subjectOf(assignment)
  const done = { action, at: { $gte: since }, 'subject.assignment_id': assignment._id }
  if (await AuditModel.exists(done)) return
  await recordAudit(SYSTEM_ACTOR, action, subject, clock.now(), {
    after: { papers, by: 'the retention rule', warned_at: assignment.retention_notice.warned_at },
  })
}

const MAX_LISTED = 30

const formatDay = (moment: Date) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(moment)

/** To a course's instructors, else to creators. The 14 days begin with an accepted mail. */
async function mailNotices(noticed: NoticedAssignment[], services: Services): Promise<void> {
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
  const message = composeNotice(assignments, course, { deleteAt, months, url: services.config.publicUrl })
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

const administrators = () => UserModel.find({ role: 'admin', account: 'active' }).sort({ _id: 1 }).lean()

/** A warning ignores preferences, and a queued mail may fail unnoticed. @returns whether one was taken */
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

function composeNotice(
  assignments: NoticedAssignment[],
  course: CourseDoc | null,
  { deleteAt, months, url }: { deleteAt: Date; months: number; url: string },
): Message {
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
