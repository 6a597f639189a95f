import { expect, it } from 'vitest'
import { phone } from './support/browser.ts'
import { buildQuestionClass, openGroup, picture } from './support/class-with-papers.ts'
import { firstAdmin, looksRight, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

it('Grading by question: shows what a second teacher decides beside, and tells who came first', async () => {
  const { grace, decided, address } = await buildQuestionClass(product)
  const admin = await firstAdmin(product)
  const [one, two] = [await product.openAs(grace), await product.openAs(admin)]
  await one.page.goto(`${address}/q3`)
  await openGroup(one.page).getByText('3 answers').waitFor()
  await two.page.goto(`${address}/q3`)
  await openGroup(two.page).getByText('3 answers').waitFor()
  await two.page.getByText('Grace Hopper is here too').waitFor()
  await takeScreenshot(two.page, 'question-together')

  await one.page.keyboard.type('5')
  await one.page.keyboard.press('Enter')
  await two.page.getByText('1 of 5 groups decided').waitFor()

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
  await looksRight(two.page, 'question-conflict')
  await two.page.unroute('**/questions/q3')
  await two.page.getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(decided).toEqual([5, 5, 5, 3, 3, null, null, null])
  expect(product.browserErrors).toEqual([])
})

it('Grading by question: offers worded answers to mark first, one by one, and says what each has changed', async () => {
  const { grace, load, address } = await buildQuestionClass(product)
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
  await looksRight(page, 'question-mark-first')
  const { answers, groups } = await load('q1')
  const same = groups.flatMap(({ variants }) => variants).find((ids) => ids.includes(mark_first[0] ?? 0))
  expect(same).toHaveLength(4)
  const decided = answers.filter(({ decided }) => decided !== null).map((answer) => answer.submission_id)
  expect(decided).toEqual(same?.toSorted((a, b) => a - b))
  expect(product.browserErrors).toEqual([])
})

it('Grading by question: works on a phone, by touch alone, and in the dark', async () => {
  const { grace, decided, address } = await buildQuestionClass(product)
  const { page } = await product.openAs(grace, {
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  })
  await page.goto(address)
  await page.getByText('0 of 24 answers').waitFor()
  await looksRight(page, 'questions-phone')
  await page.getByRole('link', { name: 'Grade question 3' }).tap()
  const groups = page.getByRole('option')
  await groups.first().waitFor()
  await looksRight(page, 'question-phone-list')
  await groups.nth(1).tap()
  await page.getByText('All 2 answers').waitFor()
  await picture(page).locator('xpath=self::img').waitFor()
  await looksRight(page, 'question-phone')
  await page.getByRole('button', { name: 'Give 3', exact: true }).tap()
  await expect.poll(decided).toEqual([null, null, null, 3, 3, null, null, null])
  await page.getByRole('button', { name: 'Back to groups' }).tap()
  await page.getByText('1 of 5 groups decided').waitFor()

  // Without keys; the open group is one of them.
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  await groups.nth(3).tap()
  await groups.nth(4).tap()
  await page.getByText('3 groups, 3 answers').waitFor()
  await looksRight(page, 'question-phone-selected')
  await page.getByRole('button', { name: 'Give 2', exact: true }).tap()
  await page.getByRole('dialog').getByText('Give 2 of 5 points to 3 answers?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Give points' }).tap()
  await expect.poll(decided).toEqual([null, null, null, 3, 3, 2, 2, 2])
  expect(product.browserErrors).toEqual([])
})
