import type { AssignmentQuestions } from '@assay/shared/analytics.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { QuestionStats } from '../../records/grading/analytics.model.ts'
import { publishedAssignmentsWithRubric } from '../assignments/assignment.service.ts'
import { findTestUserIds } from '../courses/enrollment-queries.ts'
import { releasedCriteria } from '../grades/release-queries.ts'
import { analyseQuestions } from './analyse-questions.ts'
import { cachedStats } from './analytics-cache.ts'
import { newestReleases } from './newest-releases.ts'

/** Question statistics of a course's published assignments, newest first, or of the one asked for. */
export async function courseQuestionStatistics(
  course: CourseDoc,
  assignmentId?: number,
): Promise<AssignmentQuestions[]> {
  const assignments = await publishedAssignmentsWithRubric(course._id, assignmentId)
  const figures = await cachedStats(
    'questions',
    assignments.map(({ _id }) => _id),
    (id) => [`assignment/${id}`, `course/${course._id}`],
    (id) => computeQuestionStats(id, course._id),
  )
  return assignments.flatMap((assignment) => {
    const found = figures.get(assignment._id)
    return found ? [presentQuestions(assignment, found)] : []
  })
}

async function computeQuestionStats(assignmentId: number, courseId: number): Promise<QuestionStats> {
  const releases = await releasedCriteria(assignmentId)
  const tests = await findTestUserIds(courseId)
  const counted = newestReleases(releases).filter(({ student_id }) => student_id === null || !tests.has(student_id))
  return analyseQuestions(counted.map(({ _id, criteria }) => ({ submissionId: _id, criteria })))
}

function presentQuestions(assignment: AssignmentDoc, { papers, questions }: QuestionStats): AssignmentQuestions {
  const inRubric = new Map((assignment.rubric?.questions ?? []).map((question) => [question.id, question]))
  return {
    assignment_id: assignment._id,
    title: assignment.title,
    papers,
    questions: questions.map((question) => {
      const known = inRubric.get(question.question_id)
      return { ...question, number: known?.number ?? null, prompt: known?.prompt ?? question.prompt }
    }),
  }
}
