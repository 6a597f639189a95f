import type { Assignment } from '@assay/shared/assignments.ts'
import type { CourseDetail } from '@assay/shared/courses.ts'
import { only } from '../../lib/only.ts'
import type { FileStore } from '../../lib/storage/file-store.ts'
import type { AnonymousGrading, AssignmentDoc, AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { coursesById } from '../courses/course.service.ts'
import { namesById } from '../users/user.service.ts'
import { assignmentsOfCourse } from './assignment.service.ts'
import { handInWindowOf, presentDates } from './assignment-dates.ts'
import type { UploadedPaper } from './uploaded-paper.ts'

type Presented = AssignmentOverview & Partial<Pick<AssignmentDoc, 'rubric'>>
type PresentHooks = Pick<AssignmentHooks, 'countSubmissions' | 'lmsNames'>

export async function presentAssignments(
  assignments: Presented[],
  now: Date,
  hooks: PresentHooks,
): Promise<Assignment[]> {
  const courseIds = assignments.flatMap(({ course_id }) => (course_id === null ? [] : [course_id]))
  const lastShown = assignments.flatMap(({ anonymous }) => anonymous?.shown?.at(-1) ?? [])
  const [courses, counts, lmsNames, people] = await Promise.all([
    coursesById([...new Set(courseIds)]),
    hooks.countSubmissions(assignments),
    hooks.lmsNames(assignments.map(({ _id }) => _id)),
    namesById(lastShown.map(({ user_id }) => user_id)),
  ])
  return assignments.map((assignment) => {
    const counted = counts.get(assignment._id)
    if (!counted) throw new Error('each one is counted')
    const lms_names = lmsNames.get(assignment._id)
    return {
      id: assignment._id,
      title: assignment.title,
      status: assignment.status,
      course_id: assignment.course_id,
      course_name: assignment.course_id === null ? null : (courses.get(assignment.course_id)?.name ?? null),
      counts: counted,
      created_at: assignment.created_at.toISOString(),
      updated_at: assignment.updated_at.toISOString(),
      published_at: assignment.published_at?.toISOString() ?? null,
      ...presentDates(assignment),
      ...(assignment.score_rules?.late_penalty ? { late_penalty: assignment.score_rules.late_penalty } : {}),
      ...(assignment.score_rules?.adjustment ? { score_adjustment: assignment.score_rules.adjustment } : {}),
      ...(assignment.groups ? { groups: assignment.groups } : {}),
      dates_state: handInWindowOf(assignment, null, now).state,
      ...(lms_names ? { lms_names } : {}),
      ...(assignment.rubric_check ? { rubric_checked: true as const } : {}),
      ...presentDoubtfulResults(assignment),
      ...(assignment.anonymous ? { anonymous: presentAnonymousGrading(assignment.anonymous, people) } : {}),
      ...presentDeletionDate(assignment),
      ...(assignment.work_deleted_at ? { work_deleted_at: assignment.work_deleted_at.toISOString() } : {}),
    }
  })
}

function presentDoubtfulResults({ rubric }: Presented): Pick<Assignment, 'doubtful_results'> {
  const doubtful_results = (rubric?.problems ?? []).flatMap(({ code, question_id, message, dismissed }) =>
    code === 'results_doubtful' && question_id && !dismissed ? [{ question_id, message }] : [],
  )
  return doubtful_results.length > 0 ? { doubtful_results } : {}
}

function presentDeletionDate({ retention_notice }: AssignmentOverview): { work_deletion_at?: string } {
  if (!retention_notice || retention_notice.deleting) return {}
  return { work_deletion_at: retention_notice.delete_at.toISOString() }
}

function presentAnonymousGrading({ names_hidden, shown = [] }: AnonymousGrading, people: Map<number, string>) {
  const last = shown.at(-1)
  const by_name = people.get(last?.user_id ?? 0) ?? ''
  return { names_hidden, times_shown: shown.length, last_shown: last ? { by_name, at: last.at.toISOString() } : null }
}

export const presentAssignment = async (assignment: Presented, now: Date, hooks: PresentHooks): Promise<Assignment> =>
  only(await presentAssignments([assignment], now, hooks))

export async function presentAssignmentsOfCourse(
  courseId: number,
  which: { publishedOnly: boolean },
): Promise<CourseDetail['assignments']> {
  return (await assignmentsOfCourse(courseId, which)).map((assignment) => ({
    id: assignment._id,
    title: assignment.title,
    status: assignment.status,
    created_at: assignment.created_at.toISOString(),
    ...presentDates(assignment),
    ...(which.publishedOnly ? {} : presentDeletionDate(assignment)),
  }))
}

/** What assignments need of features that import this one. */
export interface AssignmentHooks {
  /** Has an entry for every assignment asked for. */
  countSubmissions(assignments: Pick<AssignmentDoc, '_id' | 'status'>[]): Promise<Map<number, Assignment['counts']>>
  lmsNames(assignmentIds: number[]): Promise<Map<number, string[]>>
  /** The assignment is stored after them. */
  storeSubmissions(
    assignment: AssignmentDoc,
    papers: UploadedPaper[],
    uploader: { id: number },
    files: FileStore,
    now: Date,
  ): Promise<SubmissionDoc[]>
  deleteSubmissionRows(submissions: Pick<SubmissionDoc, '_id'>[]): Promise<void>
  moveSubmissionsToCourse(assignment: Pick<AssignmentDoc, '_id'>, courseId: number | null): Promise<void>
  recomputeLateness(assignment: AssignmentDoc, studentId?: number): Promise<void>
  queueReminders(): Promise<void>
  numberAllPapers(assignmentId: number): Promise<void>
}
