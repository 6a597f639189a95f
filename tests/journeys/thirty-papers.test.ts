import { listQuestions } from '@assay/shared/questions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../../server/src/testing/api.ts'
import type { ClassQuestion, ClassQuiz } from '../papers/classes/class-of-thirty.ts'
import { weatherQuiz } from '../papers/classes/weather-quiz.ts'
import { accessibilityProblems } from './support/accessibility.ts'
import { buildClassOfThirty } from './support/class-of-thirty.ts'
import { acceptSure, countPresses, decideRest, markThree } from './support/decide-by-keys.ts'
import { registerPerson } from './support/people.ts'
import { takeScreenshot } from './support/product.ts'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

/** A class of thirty is decided with so many keys, by all teachers together. */
const MOST_KEYS = 100

/** Each question in turn: three answers, what the grader is sure of, and the rest group by group. */
async function decideQuestions(page: Page, questions: readonly ClassQuestion[]): Promise<void> {
  for (const [i, question] of questions.entries()) {
    await markThree(page, question)
    if (question.number === '7') await takeScreenshot(page, 'thirty-sure')
    await acceptSure(page)
    if (question.number === '7') await takeScreenshot(page, 'thirty-accepted')
    await decideRest(page, question)
    if (i === questions.length - 1) continue
    await page.getByRole('link', { name: /^Grade question/ }).waitFor()
    if (question.number === '7') await takeScreenshot(page, 'thirty-next')
    await page.keyboard.press('n')
  }
}

/** Undecided answers, of all questions. */
async function countUndecided(grace: Person, assignmentId: number): Promise<number> {
  const { body } = await product.api.as(grace).send(listQuestions, { params: { assignmentId } })
  return body.reduce((sum, { answers, decided }) => sum + answers - decided, 0)
}

const registerGrace = () => registerPerson(product.api, 'instructor', 'grace', 'Grace Hopper')

async function decideClass(quiz: ClassQuiz, seed: number) {
  const grace = await registerGrace()
  const { assignmentId } = await buildClassOfThirty(product, grace, quiz, seed)
  expect(await countUndecided(grace, assignmentId)).toBe(240)
  const { page } = await product.openAs(grace)
  const presses = await countPresses(page)
  await page.goto(`/assignments/${assignmentId}/questions`)
  await page.getByRole('link', { name: 'Grade question 1' }).click()
  await decideQuestions(page, quiz.questions)
  await expect.poll(() => countUndecided(grace, assignmentId)).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  return presses
}

it('decides 240 answers of thirty papers with at most 100 keys', async () => {
  const presses = await decideClass(weatherQuiz, 7)
  expect(presses.keys).toBeLessThanOrEqual(MOST_KEYS)
  expect(product.browserErrors).toEqual([])
})
