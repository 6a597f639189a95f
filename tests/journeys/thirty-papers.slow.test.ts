import { getQuestion, listQuestions } from '@assay/shared/questions.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../../server/src/testing/server.ts'
import type { ClassQuestion } from '../papers/classes/class-of-thirty.ts'
import { weatherQuiz } from '../papers/classes/weather-quiz.ts'
import { buildClassOfThirty, type ClassStudent } from './support/class-with-papers.ts'
import { acceptSure, countKeys, decideRest, markThree } from './support/decide-by-keys.ts'
import { firstAdmin, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
/** For a class of thirty, by all teachers together. */
const MOST_KEYS = 100

/** Three answers, what the grader is sure of, and the rest group by group. */
async function decideQuestions(
  page: Page,
  questions: readonly ClassQuestion[],
  between: (question: ClassQuestion) => Promise<void> = async () => {},
): Promise<void> {
  for (const [i, question] of questions.entries()) {
    await markThree(page, question)
    await takeScreenshot(page, `thirty-${question.number}-marked`)
    await acceptSure(page)
    await between(question)
    await decideRest(page, question)
    if (i === questions.length - 1) continue
    await page.getByRole('link', { name: /^Grade question/ }).waitFor()
    await page.keyboard.press('n')
  }
}

async function countUndecided(grace: Person, assignmentId: number, only?: string): Promise<number> {
  const { body } = await product.api.as(grace).send(listQuestions, { params: { assignmentId } })
  const asked = body.filter(({ number }) => only === undefined || number === only)
  return asked.reduce((sum, { answers, decided }) => sum + answers - decided, 0)
}

/** Of 24 points. */
async function errorsOfTotals(grace: Person, assignmentId: number, students: ClassStudent[]): Promise<number[]> {
  const errors = new Map(students.map(({ submissionId }) => [submissionId, 0]))
  const { body: questions } = await product.api.as(grace).send(listQuestions, { params: { assignmentId } })
  for (const [place, { question_id: questionId }] of questions.entries()) {
    const { body } = await product.api.as(grace).send(getQuestion, { params: { assignmentId, questionId } })
    for (const { submission_id, decided } of body.answers) {
      const deserved = students.find(({ submissionId }) => submissionId === submission_id)?.paper.answers[place]?.points
      const given = Object.values(decided ?? {}).reduce((sum, points) => sum + points, 0)
      errors.set(submission_id, (errors.get(submission_id) ?? 0) + given - (deserved ?? 0))
    }
  }
  return [...errors.values()].map(Math.abs)
}

/** A tenth of the 24 points. */
const MOST_OFF = 2.4

async function countFlagged(grace: Person, assignmentId: number): Promise<number> {
  const params = { assignmentId }
  const { body } = await product.api
    .as(grace)
    .send(listSubmissions, { params, query: { status: 'flagged', limit: 500 } })
  return body.length
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

it('leads a class of thirty from three marks a question to published grades, beside a second teacher', async () => {
  const quiz = weatherQuiz
  const grace = await registerPerson(product.api, 'instructor', 'grace', 'Grace Hopper')
  const admin = await firstAdmin(product)
  const { assignmentId, students } = await buildClassOfThirty(product, grace, quiz, 7)
  const address = `/assignments/${assignmentId}`
  const [{ page: one }, { page: two }] = [await product.openAs(grace), await product.openAs(admin)]
  const presses = [await countKeys(one), await countKeys(two)]
  const keys = () => presses.reduce((sum, { keys }) => sum + keys, 0)

  await one.goto(`${address}/submissions`)
  await one.getByRole('link', { name: 'Grade by question' }).click()
  await one.getByRole('link', { name: 'Grade question 1' }).click()

  // Each takes half of the questions. One takes a step back after a reload.
  await two.goto(`${address}/questions`)
  await two.getByRole('link', { name: 'Grade question 5' }).click()
  const undoAfterReload = async ({ number }: ClassQuestion) => {
    if (number !== '2') return
    const undecided = () => one.getByText(/\d+ of \d+ groups decided/).textContent()
    await one.getByText(/suggestions accepted\./).waitFor()
    await looksRight(one, 'thirty-accepted')
    const accepted = await undecided()
    await expect.poll(() => countUndecided(grace, assignmentId, number)).toBeLessThan(students.length)
    await one.reload()
    await expect.poll(undecided).toBe(accepted)
    await one.keyboard.press('z')
    await one.getByText('0 of 8 groups decided').waitFor()
    await acceptSure(one)
    await expect.poll(undecided).toBe(accepted)
  }
  await Promise.all([
    decideQuestions(one, quiz.questions.slice(0, 4), undoAfterReload),
    decideQuestions(two, quiz.questions.slice(4)),
  ])
  await expect.poll(() => countUndecided(grace, assignmentId)).toBe(0)
  expect(keys()).toBeLessThanOrEqual(MOST_KEYS)
  const errors = await errorsOfTotals(grace, assignmentId, students)
  expect(mean(errors)).toBeLessThan(1)
  expect(Math.max(...errors)).toBeLessThanOrEqual(MOST_OFF)
  // To decide every answer settles what papers were flagged for.
  await expect.poll(() => countFlagged(grace, assignmentId)).toBe(0)
  await two.goto(`${address}/questions`)
  await two.getByText('All answers are decided').waitFor()
  await looksRight(two, 'thirty-all-decided')

  await one.goto(`${address}/questions`)
  await one.getByRole('link', { name: 'Look over and publish' }).click()
  await one.getByRole('button', { name: 'Show Names' }).waitFor()
  await one.getByText('Submissions (30)').waitFor()
  await looksRight(one, 'thirty-names-hidden')
  await one.getByRole('button', { name: 'Show Names' }).click()
  await one.getByRole('dialog').getByRole('button', { name: 'Show Names' }).click()
  await one
    .getByText(students[0]?.full_name ?? '')
    .first()
    .waitFor()
  await looksRight(one, 'thirty-names-shown')
  await one.getByRole('button', { name: 'Publish', exact: true }).click()
  await takeScreenshot(one, 'thirty-publish')
  await one.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await one.getByText('Assignment published successfully!').waitFor()

  expect(product.browserErrors).toEqual([])
})
