import { RETENTION_NOTICE_DAYS } from '@assay/shared/rules/retention-rule.ts'
import { type AssignmentDoc, AssignmentModel, type WorkDeletion } from '../../records/assignments/assignment.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Dated = Pick<
  AssignmentDoc,
  | '_id'
  | 'title'
  | 'course_id'
  | 'created_by'
  | 'updated_at'
  | 'published_at'
  | 'due_at'
  | 'closes_at'
  | 'extensions'
  | 'active_run_id'
  | 'work_deletion'
>
const dated = {
  title: 1,
  course_id: 1,
  created_by: 1,
  updated_at: 1,
  published_at: 1,
  due_at: 1,
  closes_at: 1,
  extensions: 1,
  active_run_id: 1,
  work_deletion: 1,
} as const

export type Announced = Dated & { work_deletion: WorkDeletion }

/** An assignment whose student work is older than the rule keeps it. */
export interface DueWork {
  assignment: Dated
  papers: number
}

/** The moment so many months before; the last day of a shorter month. */
export function monthsBefore(now: Date, months: number): Date {
  const day = now.getUTCDate()
  const then = new Date(now)
  then.setUTCDate(1)
  then.setUTCMonth(then.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate()
  then.setUTCDate(Math.min(day, lastDay))
  return then
}

export const noticeEnd = (now: Date): Date => new Date(now.getTime() + RETENTION_NOTICE_DAYS * DAY_MS)

/**
 * What a rule would delete of a course, or of assignments without a course. Never what is being graded, or somebody has asked to have looked
 * at again.
 */
export async function findDueWork(courseId: number | null, months: number, now: Date): Promise<DueWork[]> {
  if (months === 0) return []
  const before = monthsBefore(now, months)
  const candidates = await AssignmentModel.find(
    { course_id: courseId, updated_at: { $lt: before }, active_run_id: null },
    dated,
  ).lean<Dated[]>()
  const due: DueWork[] = []
  for (const assignment of candidates) {
    const papers = await countDuePapers(assignment, before)
    if (papers > 0) due.push({ assignment, papers })
  }
  return due
}

/** 0 where anything has happened since. */
async function countDuePapers(assignment: Dated, before: Date): Promise<number> {
  const { published_at, due_at, closes_at, extensions = [] } = assignment
  const dates = [published_at, due_at, closes_at, ...extensions.flatMap((one) => [one.due_at, one.closes_at])]
  if (dates.some((date) => date && date >= before)) return 0
  const mine = { assignment_id: assignment._id }
  const newest = await SubmissionModel.findOne(mine, { updated_at: 1 }).sort({ updated_at: -1, _id: -1 }).lean()
  if (!newest || newest.updated_at >= before) return 0
  if (await RegradeModel.exists({ ...mine, state: 'open' })) return 0
  return SubmissionModel.countDocuments(mine)
}

/** What was announced long enough ago, or has begun to be deleted. */
export function findWorkToDelete(now: Date): Promise<Announced[]> {
  return AssignmentModel.find({ 'work_deletion.delete_at': { $lte: now } }, dated).lean<Announced[]>()
}

/** What was announced of these assignments and has not been carried out. */
export function findAnnounced(courseId: number | null): Promise<Announced[]> {
  return AssignmentModel.find({ course_id: courseId, 'work_deletion.delete_at': { $exists: true } }, dated).lean<
    Announced[]
  >()
}
