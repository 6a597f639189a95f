import { expect, it } from 'vitest'
import { accessibilityProblems } from './support/accessibility.ts'
import { takeScreenshot } from './support/product.ts'
import { buildQuestionClass, openGroup, picture } from './support/question-class.ts'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

it('Grading by question: decides groups by keys alone, splits one, and undoes after a reload', async () => {
  const { grace, assignmentId, decided, address } = await buildQuestionClass(product)
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
