import { AssignmentModel, type AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RubricAmendmentModel } from '../../records/grading/rubric-amendment.model.ts'
import { activeStatuses, RunModel } from '../../records/grading/run.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { retentionCutoff } from './retention-rule.ts'

/** Whether student work is older than the rule and nobody is at work on it. False without student work. */
export async function isDue(assignment: AssignmentOverview, months: number, now: Date): Promise<boolean> {
  const cutoff = retentionCutoff(months, now)
  if (!cutoff || assignment.updated_at >= cutoff) return false
  const last = await lastActivity(assignment)
  return last !== null && last < cutoff && !(await isUnderWay(assignment))
}

/** Without those already noticed, until `signal` aborts; null for assignments outside a course. */
export async function* dueAssignments(
  courses: number[] | null,
  months: number,
  now: Date,
  signal?: AbortSignal,
): AsyncGenerator<AssignmentOverview> {
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

type Dated = Pick<
  AssignmentOverview,
  '_id' | 'created_at' | 'updated_at' | 'published_at' | 'available_at' | 'due_at' | 'closes_at' | 'extensions'
>

/** By its dates and everything that belongs to it, each by an index. Null without student work. */
async function lastActivity(assignment: Dated): Promise<Date | null> {
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

/** Grading, splitting, an unanswered request, or points being changed after one. */
async function isUnderWay({ _id, active_run_id }: Pick<AssignmentOverview, '_id' | 'active_run_id'>): Promise<boolean> {
  const found = await Promise.all([
    active_run_id === null ? null : RunModel.exists({ _id: active_run_id, status: { $in: activeStatuses } }),
    RegradeModel.exists({ assignment_id: _id, state: 'open' }),
    RubricAmendmentModel.exists({ assignment_id: _id, state: { $in: ['applying', 'undoing'] } }),
    ClassScanModel.exists({ assignment_id: _id, state: { $in: ['analysing', 'confirming'] } }),
  ])
  return found.some((document) => document !== null)
}
