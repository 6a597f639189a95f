import { getQuestion, listQuestions } from '@assay/shared/questions.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../../server/src/testing/server.ts'
import type { ClassQuestion } from '../papers/classes/class-of-thirty.ts'
import { weatherQuiz } from '../papers/classes/weather-quiz.ts'
import { buildClassOfThirty, type ClassStudent } from './support/class-with-papers.ts'
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

/** In every document the page opens, reloads included. */
async function countKeys(page: Page): Promise<{ keys: number }> {
  const pressed = { keys: 0 }
  await page.exposeFunction('countKey', () => {
    pressed.keys += 1
  })
  await page.addInitScript(`addEventListener('keydown', (event) => event.isTrusted && countKey(), true)`)
  return pressed
}

interface Seen {
  place: string
  marking: boolean
  offersMarking: boolean
  offersSure: boolean
  done: boolean
  /** Of the open answers that nobody has decided; of all of them where everything is. */
  texts: string[]
  suggestion: number | null
}

/** The list of groups names the open one only once it is drawn. */
async function look(page: Page): Promise<Seen> {
  await page.waitForFunction(`document.querySelector('[role=listbox]:not([aria-activedescendant])') === null`)
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    const words = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
    const page = words(document.querySelector('main') ?? document.body)
    const cards = all('section[aria-label="Answers"] li').filter((card) => card.querySelector(':scope > p'))
    const open = cards.filter((card) => /(suggested|no points yet)( ?Flagged)?$/i.test(words(card.firstElementChild)))
    const text = (card: Element) => words(card.querySelector(':scope > p')).replace(/^(Read as|Left blank) ?/, '')
    const accept = words(document.querySelector('button[aria-keyshortcuts="a"]'))
    const [, points] = /^Accept ([\d.]+)$/.exec(accept) ?? []
    const [progress] = /\d+ of \d+ groups? decided/.exec(page) ?? []
    const [marking] = /Mark these first: \d+ of \d+/.exec(page) ?? []
    const list = document.querySelector('[role=listbox]')
    return {
      place: [
        location.pathname,
        progress,
        marking,
        list?.getAttribute('aria-activedescendant'),
        cards.length,
        open.length,
      ].join(' '),
      marking: marking !== undefined,
      offersMarking: document.querySelector('button[aria-keyshortcuts="o"]') !== null,
      offersSure: document.querySelector('button[aria-keyshortcuts="Shift+A"]') !== null,
      done: /All answers to (this question|all questions) are decided\./.test(page),
      texts: (open.length > 0 ? open : cards).map(text),
      suggestion: points === undefined ? null : Number(points),
    }
  })
}

async function pressAndSee(page: Page, press: () => Promise<unknown>): Promise<Seen> {
  const { place } = await look(page)
  await press()
  for (;;) {
    const seen = await look(page)
    if (seen.place !== place) return seen
    await page.waitForTimeout(20)
  }
}

function deserved({ answers }: ClassQuestion, texts: readonly string[]): number {
  const counts = new Map<number, number>()
  for (const text of texts) {
    const known = answers.find((answer) => answer.text.replace(/\s+/g, ' ') === text)
    if (!known) throw new Error(`Nobody wrote “${text}”`)
    counts.set(known.points, (counts.get(known.points) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  if (!most) throw new Error('No answer is open')
  return most[0]
}

/** By accepting the suggestion, by a key for all or none, or by typing the points. */
async function giveDeserved(page: Page, question: ClassQuestion): Promise<Seen> {
  const { texts, suggestion } = await look(page)
  const points = deserved(question, texts)
  return pressAndSee(page, async () => {
    if (points === suggestion) return page.keyboard.press('a')
    if (points === 0) return page.keyboard.press('-')
    if (points === question.points) return page.keyboard.press('=')
    await page.keyboard.type(String(points))
    return page.keyboard.press('Enter')
  })
}

async function waitForQuestion(page: Page, { number }: ClassQuestion): Promise<void> {
  await page.getByRole('heading', { name: `Question ${number}`, exact: true }).waitFor()
  await page.locator('[role=option][data-open]').waitFor()
}

/** The three answers the grader asks for, or the first three groups where it asks for none and is sure of none. */
async function markThree(page: Page, question: ClassQuestion): Promise<void> {
  await waitForQuestion(page, question)
  let seen = await look(page)
  if (seen.offersMarking) {
    seen = await pressAndSee(page, () => page.keyboard.press('o'))
    while (seen.marking) seen = await giveDeserved(page, question)
    // Who reads what the marks have changed waits that long.
    await page.getByText('Suggestions are being updated by your marks.').waitFor({ state: 'detached' })
    return
  }
  for (let i = 0; i < 3 && !seen.done && !seen.offersSure; i++) seen = await giveDeserved(page, question)
}

async function acceptSure(page: Page): Promise<void> {
  if ((await look(page)).offersSure) await pressAndSee(page, () => page.keyboard.press('Shift+A'))
}

async function decideRest(page: Page, question: ClassQuestion): Promise<void> {
  let seen = await look(page)
  while (!seen.done) seen = await giveDeserved(page, question)
}
