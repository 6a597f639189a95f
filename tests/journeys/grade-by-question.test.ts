import { createCourse } from '@assay/shared/courses.ts'
import { getQuestion, type QuestionToGrade } from '@assay/shared/questions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { accessibilityProblems } from './support/accessibility.ts'
import { phone } from './support/browser.ts'
import { firstAdmin, registerPerson } from './support/people.ts'
import { takeScreenshot } from './support/product.ts'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

/** What each wrote for question 3, which is 144: three alike, two alike, two of their own, and one nothing. */
const third = ['144', '144', '144.0', '124', '124', '12', '24', '']

async function buildClass() {
  const { api } = product
  const grace = await registerPerson(api, 'instructor', 'grace', 'Grace Hopper')
  const course = await api.as(grace).send(createCourse, { body: { name: 'Physics 8b' } })
  const papers = await Promise.all(
    third.map(async (answer, i) => {
      const full_name = `Student ${'ABCDEFGH'[i]}`
      const first = i % 2 === 0 ? (correctAnswers[0] ?? '') : 'Because it is cold and hard.'
      return { name: `${full_name}.pdf`, bytes: await drawPaper({ full_name }, [first, 'B', answer]) }
    }),
  )
  const built = await buildAssignment(api, { instructor: grace, courseId: course.body.id }, papers)
  await gradeAssignment(api, grace, built.assignmentId)
  const load = async (questionId: string): Promise<QuestionToGrade> =>
    (await api.as(grace).send(getQuestion, { params: { assignmentId: built.assignmentId, questionId } })).body
  /** The points people gave, by the papers in order; null for none. */
  const decided = async () => {
    const byId = new Map((await load('q3')).answers.map((answer) => [answer.submission_id, answer.decided?.q3 ?? null]))
    return built.submissionIds.map((id) => byId.get(id) ?? null)
  }
  return { grace, ...built, load, decided, address: `/assignments/${built.assignmentId}/questions` }
}

const openGroup = (page: Page) => page.locator('[role=option][data-open]')
const picture = (page: Page) => page.getByRole('img', { name: /^Answer of / }).first()

it('decides groups by keys alone, splits one, and undoes after a reload', async () => {
  const { grace, assignmentId, decided, address } = await buildClass()
  const { page } = await product.openAs(grace)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('link', { name: 'Grade by question' }).waitFor()
  await takeScreenshot(page, 'submissions-graded')
  await page.getByRole('link', { name: 'Grade by question' }).click()
  await page.getByText('0 of 24 answers').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'questions')
  await page.getByRole('link', { name: 'Grade question 3' }).click()

  // The three that say 144 are open, each cut out of its page.
  await openGroup(page).getByText('3 answers').waitFor()
  await picture(page).locator('xpath=self::img').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question')
  await page.keyboard.press('p')
  await page.getByRole('dialog').locator('svg [aria-pressed="true"]').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-page')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // Points for all of them, half points for the next, then the suggestion.
  await page.keyboard.type('5')
  await takeScreenshot(page, 'question-typed')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 5 groups decided').waitFor()
  await openGroup(page).getByText('2 answers').waitFor()
  await page.keyboard.type('1.5')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 5 groups decided').waitFor()
  await expect.poll(decided).toEqual([5, 5, 5, 1.5, 1.5, null, null, null])
  await page.keyboard.press('a')
  await page.getByText('3 of 5 groups decided').waitFor()
  await expect.poll(async () => (await decided()).filter((points) => points !== null).length).toBe(6)

  // Undone one by one, the rest after a reload.
  await page.keyboard.press('z')
  await page.getByText('2 of 5 groups decided').waitFor()
  await page.reload()
  await page.getByText('2 of 5 groups decided').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('1 of 5 groups decided').waitFor()
  await expect.poll(decided).toEqual([5, 5, 5, null, null, null, null, null])
  await openGroup(page).getByText('2 answers').waitFor()

  // One answer becomes a group of its own, and its points are not the other's.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await page.getByText('1 selected', { exact: true }).waitFor()
  await takeScreenshot(page, 'question-split')
  await page.keyboard.press('s')
  await page.getByText('1 of 6 groups decided').waitFor()
  await openGroup(page).getByText('1 answer').waitFor()
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await decided()).filter((points) => points === 2).length).toBe(1)
  // And together again.
  await page.getByText('2 of 6 groups decided').waitFor()
  await page.keyboard.press('z')
  await page.getByText('1 of 6 groups decided').waitFor()
  await page.keyboard.press('z')
  await page.getByText('1 of 5 groups decided').waitFor()
  await expect.poll(decided).toEqual([5, 5, 5, null, null, null, null, null])

  // A run of neighbours, after saying how many.
  await page.keyboard.press('J')
  await page.keyboard.press('J')
  await page.getByText('3 of 5 selected').waitFor()
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Give 1 of 5 points to 4 answers?').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-run')
  await dialog.getByRole('button', { name: 'Give points' }).click()
  await page.getByText('4 of 5 groups decided').waitFor()
  await expect.poll(decided).toEqual([5, 5, 5, 1, 1, 1, 1, null])
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await page.getByText('All answers to this question are decided.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-decided')
  await page.goto(address)
  await page.getByText('8 of 8 answers decided').waitFor()
  expect(product.browserErrors).toEqual([])
})

it('shows what a second teacher decides beside, and tells who came first', async () => {
  const { grace, decided, address } = await buildClass()
  const admin = await firstAdmin(product)
  const [one, two] = [await product.openAs(grace), await product.openAs(admin)]
  await one.page.goto(`${address}/q3`)
  await openGroup(one.page).getByText('3 answers').waitFor()
  await two.page.goto(`${address}/q3`)
  await openGroup(two.page).getByText('3 answers').waitFor()
  await two.page.getByText('Grace Hopper is here too').waitFor()
  await takeScreenshot(two.page, 'question-together')

  // What one decides, the other sees.
  await one.page.keyboard.type('5')
  await one.page.keyboard.press('Enter')
  await two.page.getByText('1 of 5 groups decided').waitFor()

  // Both decide the same group, the second without having heard of the first.
  await two.page.keyboard.press('n')
  await openGroup(two.page).getByText('2 answers').waitFor()
  await two.context.setOffline(true)
  await one.page.keyboard.type('1')
  await one.page.keyboard.press('Enter')
  await expect.poll(decided).toEqual([5, 5, 5, 1, 1, null, null, null])
  await two.page.keyboard.type('3')
  await two.page.keyboard.press('Enter')
  await two.page.getByText(/The points for 2 answers were not saved and are taken back/).waitFor()
  await two.context.setOffline(false)
  await two.page.route('**/questions/q3', (route) => route.abort())
  await two.page.getByRole('button', { name: 'Try again' }).click()
  await two.page.getByText('Grace Hopper gave 1 point to 2 of these; they were left as they are.').waitFor()
  expect(await accessibilityProblems(two.page)).toEqual([])
  await takeScreenshot(two.page, 'question-conflict')
  await two.page.unroute('**/questions/q3')
  await two.page.getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(decided).toEqual([5, 5, 5, 3, 3, null, null, null])
  expect(product.browserErrors).toEqual([])
})

it('offers worded answers to mark first, one by one, and says what each has changed', async () => {
  const { grace, load, address } = await buildClass()
  const { mark_first } = await load('q1')
  expect(mark_first.length).toBeGreaterThan(0)
  const { page } = await product.openAs(grace)
  await page.goto(`${address}/q1`)
  await page.getByRole('button', { name: /^Mark (them|it)$/ }).click()
  await page.getByText(`Mark these first: 1 of ${mark_first.length}`).waitFor()
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page
    .getByRole('note')
    .getByText(/Suggestions are now expected to be off by about [\d.]+ points? on average/)
    .waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-mark-first')
  // With it the others of the same words are decided, and nothing else.
  const { answers, groups } = await load('q1')
  const same = groups.flatMap(({ variants }) => variants).find((ids) => ids.includes(mark_first[0] ?? 0))
  expect(same).toHaveLength(4)
  const decided = answers.filter(({ decided }) => decided !== null).map((answer) => answer.submission_id)
  expect(decided).toEqual(same?.toSorted((a, b) => a - b))
  expect(product.browserErrors).toEqual([])
})

it('works on a phone, by touch alone, and in the dark', async () => {
  const { grace, decided, address } = await buildClass()
  const { page } = await product.openAs(grace, {
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  })
  await page.goto(address)
  await page.getByText('0 of 24 answers').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'questions-phone')
  await page.getByRole('link', { name: 'Grade question 3' }).tap()
  const groups = page.getByRole('option')
  await groups.first().waitFor()
  await takeScreenshot(page, 'question-phone-list')
  expect(await accessibilityProblems(page)).toEqual([])
  await groups.nth(1).tap()
  await page.getByText('All 2 answers').waitFor()
  await picture(page).locator('xpath=self::img').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-phone')
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await page.getByRole('button', { name: 'Give 3', exact: true }).tap()
  await expect.poll(decided).toEqual([null, null, null, 3, 3, null, null, null])
  await page.getByRole('button', { name: 'Back to groups' }).tap()
  await page.getByText('1 of 5 groups decided').waitFor()

  // Several groups, without keys; the open one is one of them.
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  await groups.nth(3).tap()
  await groups.nth(4).tap()
  await page.getByText('3 groups, 3 answers').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'question-phone-selected')
  await page.getByRole('button', { name: 'Give 2', exact: true }).tap()
  await page.getByRole('dialog').getByText('Give 2 of 5 points to 3 answers?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Give points' }).tap()
  await expect.poll(decided).toEqual([null, null, null, 3, 3, 2, 2, 2])
  expect(product.browserErrors).toEqual([])
})
