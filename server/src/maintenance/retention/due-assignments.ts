import { AssignmentModel, type AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { isUnderWay, lastActivity } from './last-activity.ts'
import { retentionCutoff } from './retention-rule.ts'

/** Whether its student work is older than the rule, and nobody is at work on it. False where there is none. */
export async function isDue(assignment: AssignmentOverview, months: number, now: Date): Promise<boolean> {
  const cutoff = retentionCutoff(months, now)
  if (!cutoff || assignment.updated_at >= cutoff) return false
  const last = await lastActivity(assignment)
  return last !== null && last < cutoff && !(await isUnderWay(assignment))
}

/** The assignments of these courses that are due and have no notice, until `signal` aborts; null for those outside a course. */
export async function* dueAssignments(
  courses: number[] | null,
  months: number,
  now: Date,
  signal?: AbortSignal,
): AsyncGenerator<AssignmentOverview> {
  const cutoff = retentionCutoff(months, now)
  if (!cutoff) return
  // What was changed since cannot be due, whatever else was done: by the index only old ones are looked at.
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
