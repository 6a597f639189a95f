import type { Actor } from '../../lib/http/handle.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { coursesById } from '../courses/course.service.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { withoutOutdatedFeedback } from '../grades/grader-feedback.ts'
import { findItemsOfGrades, toRelease } from '../grades/release.service.ts'
import { findPenMarks } from '../pen-marks/pen-mark.service.ts'
import { findRegrades } from '../regrades/regrade.service.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { usersById } from '../users/user.service.ts'
import { buildMarkup, type GradedPaperSource } from './graded-paper-markup.ts'

export async function loadCurrentGrade(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  now: Date,
): Promise<GradedPaperSource | null> {
  const { grade, student_id } = submission
  if (!grade) return null
  const [criteria, outdated, items, course, students, regrades, pen] = await Promise.all([
    findCriterionGrades(grade.id),
    outdatedVersions(assignment),
    findItemsOfGrades([{ submission, grade }]),
    findCourseName(assignment),
    usersById(student_id === null ? [] : [student_id]),
    findRegrades(submission._id),
    findPenMarks(submission, 'grader'),
  ])
  const shown = withoutOutdatedFeedback(criteria ?? [], grade, outdated)
  return {
    assignment,
    courseName: course,
    student: students.get(student_id ?? -1) ?? null,
    submission,
    grade: toRelease(assignment, submission, grade, { criteria: shown, items }, now),
    released: grade.released && assignment.status === 'published',
    regrade: regrades.find((request) => request.student_id === student_id) ?? null,
    pen,
  }
}

/** Without unreleased changes. */
export async function loadReleasedGrade(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  release: ReleaseDoc,
  student: Actor,
): Promise<GradedPaperSource> {
  const [course, students, regrades, pen] = await Promise.all([
    findCourseName(assignment),
    usersById([student.id]),
    findRegrades(release._id),
    findPenMarks(submission, 'student'),
  ])
  return {
    assignment,
    courseName: course,
    student: students.get(student.id) ?? null,
    submission,
    grade: release,
    released: true,
    // The paper may have been assigned to another student, who must not see what its first owner asked.
    regrade: regrades.find((request) => request.student_id === student.id) ?? null,
    pen,
  }
}

async function findCourseName({ course_id }: Pick<AssignmentDoc, 'course_id'>): Promise<string | null> {
  if (course_id === null) return null
  return (await coursesById([course_id])).get(course_id)?.name ?? null
}

/** For a file that can no longer be opened only the cover, which says so. */
export async function drawGradedPaper(
  source: GradedPaperSource,
  hash: string,
  { files, papers, log }: Pick<Services, 'files' | 'papers' | 'log'>,
  options: { signal?: AbortSignal; urgent?: boolean } = {},
): Promise<Buffer> {
  const markup = buildMarkup(source)
  try {
    return await papers.markUp(await files.localPath(hash), markup, options)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (options.signal?.aborted || !(error instanceof PaperError || isGone)) throw error
    log.warn({ err: error, submission_id: source.submission._id }, 'a graded paper has its cover only')
    const notice = { kind: 'notice', text: 'The paper could not be opened, so only this summary is here.' } as const
    const [title, facts, ...rest] = markup.cover
    const cover = [title, facts, notice, ...rest].filter((block) => block !== undefined)
    return papers.markUp(null, { ...markup, cover }, options)
  }
}
