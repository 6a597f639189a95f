import { recordAudit, SYSTEM_ACTOR } from '../../audit/audit.service.ts'
import { coursesById } from '../../features/courses/course.service.ts'
import {
  AssignmentModel,
  type AssignmentOverview,
  type RetentionNotice,
} from '../../records/assignments/assignment.model.ts'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RubricAmendmentModel } from '../../records/grading/rubric-amendment.model.ts'
import { activeStatuses, RunModel } from '../../records/grading/run.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { coursesByRule, deletionDate, effectiveMonths, retentionCutoff } from './retention-rule.ts'

export type NoticedAssignment = AssignmentOverview & { retention_notice: RetentionNotice }

type Rules = Pick<Services, 'clock' | 'settings'>

export const subjectOf = ({ _id, course_id }: Pick<AssignmentOverview, '_id' | 'course_id'>) => ({
  ...(course_id === null ? {} : { course_id }),
  assignment_id: _id,
})

export async function schoolMonths({ settings }: Pick<Services, 'settings'>): Promise<number> {
  return (await settings.current()).retention_months
}

/** In months. */
export async function loadRules(assignments: AssignmentOverview[], school: number) {
  const courses = await coursesById([...new Set(assignments.flatMap(({ course_id }) => course_id ?? []))])
  return ({ course_id }: AssignmentOverview) => effectiveMonths(courses.get(course_id ?? 0) ?? null, school)
}

export async function isStillDue(assignment: AssignmentOverview, services: Rules): Promise<boolean> {
  const monthsOf = await loadRules([assignment], await schoolMonths(services))
  return isDue(assignment, monthsOf(assignment), services.clock.now())
}

export async function giveNotices(courses: number[] | null, months: number, { clock }: Rules): Promise<void> {
  const now = clock.now()
  for await (const assignment of dueAssignments(courses, months, now)) {
    const papers = await SubmissionModel.countDocuments({ assignment_id: assignment._id })
    const notice: RetentionNotice = { warned_at: now, delete_at: deletionDate(now), papers, mailed: false }
    const given = await AssignmentModel.updateOne(
      { _id: assignment._id, retention_notice: { $exists: false } },
      { $set: { retention_notice: notice } },
    )
    if (given.modifiedCount === 0) continue
    await recordAudit(SYSTEM_ACTOR, 'assignment.work_deletion_announced', subjectOf(assignment), now, {
      after: { papers, retention_months: months, delete_at: notice.delete_at },
    })
  }
}

export async function giveAllNotices(services: Rules, signal: AbortSignal): Promise<void> {
  for await (const { months, courses } of coursesByRule(await schoolMonths(services))) {
    signal.throwIfAborted()
    await giveNotices(courses, months, services)
  }
}

export const findNoticed = (of: { course_id?: number } = {}): Promise<NoticedAssignment[]> =>
  AssignmentModel.find({ ...of, 'retention_notice.delete_at': { $gt: new Date(0) } }, { rubric: 0 })
    .sort({ 'retention_notice.delete_at': 1, _id: 1 })
    .lean<NoticedAssignment[]>()

/** A deletion that has begun is completed: half a class’s work is of no use. */
async function withdrawNotice(assignment: NoticedAssignment, { clock }: Rules): Promise<void> {
  const { delete_at } = assignment.retention_notice
  const withdrawn = await AssignmentModel.updateOne(
    { _id: assignment._id, 'retention_notice.delete_at': delete_at, 'retention_notice.deleting': { $exists: false } },
    { $unset: { retention_notice: 1 } },
  )
  if (withdrawn.modifiedCount > 0)
    await recordAudit(SYSTEM_ACTOR, 'assignment.work_deletion_withdrawn', subjectOf(assignment), clock.now())
}

export async function withdrawNotices(noticed: NoticedAssignment[], services: Rules): Promise<NoticedAssignment[]> {
  const monthsOf = await loadRules(noticed, await schoolMonths(services))
  const now = services.clock.now()
  const staying: NoticedAssignment[] = []
  for (const assignment of noticed) {
    const stays = assignment.retention_notice.deleting || (await isDue(assignment, monthsOf(assignment), now))
    if (stays) staying.push(assignment)
    else await withdrawNotice(assignment, services)
  }
  return staying
}

/** Older than the rule, and nobody is at work on it. False without student work. */
export async function isDue(assignment: AssignmentOverview, months: number, now: Date): Promise<boolean> {
  const cutoff = retentionCutoff(months, now)
  if (!cutoff || assignment.updated_at >= cutoff) return false
  const last = await lastActivity(assignment)
  return last !== null && last < cutoff && !(await isUnderWay(assignment))
}

/** Without notice yet, until `signal` aborts; null for assignments outside a course. */
export async function* dueAssignments(courses: number[] | null, months: number, now: Date, signal?: AbortSignal) {
  const cutoff = retentionCutoff(months, now)
  if (!cutoff) return
  // Anything changed since cannot be due, so only old ones are read, by the index.
  const old = {
    course_id: courses === null ? null : { $in: courses },
    updated_at: { $lt: cutoff },
    retention_notice: { $exists: false },
  }
  for await (const assignment of AssignmentModel.find(old, { rubric: 0 }).lean<AssignmentOverview>().cursor()) {
    if (signal?.aborted) return
    if (await isDue(assignment, months, now)) yield assignment
  }
}

/** By its dates and everything of it, by index. Null without student work. */
async function lastActivity(assignment: AssignmentOverview): Promise<Date | null> {
  const mine = { assignment_id: assignment._id }
  const [submission, scan] = await Promise.all([
    SubmissionModel.findOne(mine, { updated_at: 1 }).sort({ updated_at: -1 }).lean(),
    ClassScanModel.findOne(mine, { created_at: 1 }).sort({ _id: -1 }).lean(),
  ])
  if (!submission && !scan) return null
  const [run, check, regrade] = await Promise.all([
    RunModel.findOne(mine, { started_at: 1, finished_at: 1 }).sort({ _id: -1 }).lean(),
    AccuracyCheckModel.findOne(mine, { started_at: 1, finished_at: 1 }).sort({ _id: -1 }).lean(),
    RegradeModel.findOne(mine, { answered_at: 1 }).sort({ answered_at: -1 }).lean(),
  ])
  const { created_at, updated_at, published_at, available_at, due_at, closes_at, extensions = [] } = assignment
  const moments = [
    ...[created_at, updated_at, published_at, available_at, due_at, closes_at],
    ...extensions.flatMap((extension) => [extension.due_at, extension.closes_at]),
    ...[submission?.updated_at, scan?.created_at, regrade?.answered_at],
    ...[run, check].flatMap((work) => [work?.started_at, work?.finished_at]),
  ]
  return new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)))
}

/** Grading, splitting, an open request, or points being changed after one. */
async function isUnderWay({ _id, active_run_id }: Pick<AssignmentOverview, '_id' | 'active_run_id'>): Promise<boolean> {
  const found = await Promise.all([
    active_run_id === null ? null : RunModel.exists({ _id: active_run_id, status: { $in: activeStatuses } }),
    RegradeModel.exists({ assignment_id: _id, state: 'open' }),
    RubricAmendmentModel.exists({ assignment_id: _id, state: { $in: ['applying', 'undoing'] } }),
    ClassScanModel.exists({ assignment_id: _id, state: { $in: ['analysing', 'confirming'] } }),
  ])
  return found.some((document) => document !== null)
}
