import type { RetentionPreview } from '@assay/shared/retention.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { dueAssignments, isDue } from './due-assignments.ts'
import { findNoticed, loadRules, type NoticedAssignment } from './retention-notices.ts'
import { coursesByRule, deletionDate } from './retention-rule.ts'

/** Each costs some queries, and somebody waits. */
const MOST_COUNTED = 500

export async function previewCourseRule({ _id }: CourseDoc, months: number, now: Date): Promise<RetentionPreview> {
  const noticed = await findNoticed({ course_id: _id })
  return preview(months, dueAssignments([_id], months, now), noticed, () => months, now)
}

export async function previewSchoolRule(months: number, now: Date): Promise<RetentionPreview> {
  const noticed = await findNoticed()
  return preview(months, dueInSchool(months, now), noticed, await loadRules(noticed, months), now)
}

async function* dueInSchool(schoolMonths: number, now: Date): AsyncGenerator<AssignmentOverview> {
  for await (const { months, courses } of coursesByRule(schoolMonths)) yield* dueAssignments(courses, months, now)
}

async function preview(
  effective_months: number,
  due: AsyncIterable<AssignmentOverview>,
  noticed: NoticedAssignment[],
  monthsOf: (assignment: AssignmentOverview) => number,
  now: Date,
): Promise<RetentionPreview> {
  const counts = { assignments: 0, papers: 0, complete: true, noticed: 0, withdrawn: 0 }
  for await (const { _id } of due) {
    if (counts.assignments === MOST_COUNTED) {
      counts.complete = false
      break
    }
    counts.assignments++
    counts.papers += await SubmissionModel.countDocuments({ assignment_id: _id })
  }
  for (const assignment of noticed) {
    if (assignment.retention_notice.deleting || (await isDue(assignment, monthsOf(assignment), now))) counts.noticed++
    else counts.withdrawn++
  }
  return { effective_months, ...counts, delete_at: deletionDate(now).toISOString() }
}
