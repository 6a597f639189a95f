import type { RetentionPreview } from '@assay/shared/retention.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { dueAssignments, isDue } from './due-assignments.ts'
import { findNoticed, loadRules, type NoticedAssignment } from './retention-notices.ts'
import { coursesByRule, deletionDate } from './retention-rule.ts'

/** Each assignment that is looked at costs some queries, and somebody waits. */
const MOST_MS = 5_000

/** @param signal aborts when nobody waits any more */
export async function previewCourseRule(
  { _id }: CourseDoc,
  months: number,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<RetentionPreview> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  const noticed = await findNoticed({ course_id: _id })
  return preview(months, dueAssignments([_id], months, now, stop), { noticed, monthsOf: () => months, now, stop })
}

/** @param signal aborts when nobody waits any more */
export async function previewSchoolRule(
  months: number,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<RetentionPreview> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  const noticed = await findNoticed()
  const monthsOf = await loadRules(noticed, months)
  return preview(months, dueInSchool(months, now, stop), { noticed, monthsOf, now, stop })
}

async function* dueInSchool(schoolMonths: number, now: Date, stop: AbortSignal): AsyncGenerator<AssignmentOverview> {
  for await (const { months, courses } of coursesByRule(schoolMonths)) {
    if (stop.aborted) return
    yield* dueAssignments(courses, months, now, stop)
  }
}

interface Noticed {
  noticed: NoticedAssignment[]
  /** The rule they would have. */
  monthsOf: (assignment: AssignmentOverview) => number
  now: Date
  stop: AbortSignal
}

async function preview(
  effective_months: number,
  due: AsyncIterable<AssignmentOverview>,
  { noticed, monthsOf, now, stop }: Noticed,
): Promise<RetentionPreview> {
  const counts = { assignments: 0, papers: 0, noticed: 0, withdrawn: 0 }
  for await (const { _id } of due) {
    counts.assignments++
    counts.papers += await SubmissionModel.countDocuments({ assignment_id: _id })
  }
  for (const assignment of noticed) {
    if (stop.aborted) break
    if (assignment.retention_notice.deleting || (await isDue(assignment, monthsOf(assignment), now))) counts.noticed++
    else counts.withdrawn++
  }
  return { effective_months, ...counts, complete: !stop.aborted, delete_at: deletionDate(now).toISOString() }
}
