import { createCourse } from '@assay/shared/courses.ts'
import { getQuestion, type QuestionToGrade } from '@assay/shared/questions.ts'
import type { Page } from 'playwright-core'
import { buildGradedPapers, correctAnswers } from '../../../server/src/testing/build-course.ts'
import { type Product, registerPerson } from './product.ts'

/** What each wrote for question 3, which is 144: three alike, two alike, two of their own, and one nothing. */
const third = ['144', '144', '144.0', '124', '124', '12', '24', '']

export async function buildQuestionClass({ api }: Product) {
  const grace = await registerPerson(api, 'instructor', 'grace', 'Grace Hopper')
  const course = await api.as(grace).send(createCourse, { body: { name: 'Physics 8b' } })
  const papers = third.map((answer, i) => {
    const full_name = `Student ${'ABCDEFGH'[i]}`
    const first = i % 2 === 0 ? (correctAnswers[0] ?? '') : 'Because it is cold and hard.'
    return { file: full_name, full_name, answers: [first, 'B', answer] }
  })
  const built = await buildGradedPapers(api, { instructor: grace, courseId: course.body.id }, papers)
  const load = async (questionId: string): Promise<QuestionToGrade> =>
    (await built.teacher.send(getQuestion, { params: { assignmentId: built.assignmentId, questionId } })).body
  const decided = async () => {
    const byId = new Map((await load('q3')).answers.map((answer) => [answer.submission_id, answer.decided?.q3 ?? null]))
    return built.submissionIds.map((id) => byId.get(id) ?? null)
  }
  return { grace, ...built, load, decided, address: `/assignments/${built.assignmentId}/questions` }
}

export const openGroup = (page: Page) => page.locator('[role=option][data-open]')
export const picture = (page: Page) => page.getByRole('img', { name: /^Answer of / }).first()
