import { readFile } from 'node:fs/promises'
import { createCourse } from '@assay/shared/courses.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers, weakAnswers } from '../../server/src/testing/build-course.ts'
import { focusedDialog, phone } from './support/browser.ts'
import { looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
const answerSets = [correctAnswers, weakAnswers, [...correctAnswers.slice(0, 2), '12 dozen'], correctAnswers]

async function buildGraded() {
  const { api } = product
  const grace = await registerPerson(api, 'instructor', 'grace')
  const course = await api.as(grace).send(createCourse, { body: { name: 'Physics 101' } })
  const papers = answerSets.map((answers, i) => ({ file: `paper-${i + 1}`, full_name: `Student ${i + 1}`, answers }))
  const built = await buildGradedPapers(api, { instructor: grace, courseId: course.body.id }, papers)
  const gradeOf = async (index: number) => {
    const params = { ...built.params, submissionId: built.submissionIds[index] ?? 0 }
    const { grade } = (await built.teacher.send(getSubmission, { params })).body
    if (!grade) throw new Error('no grade')
    return grade
  }
  return { ...built, grace, gradeOf }
}

it('accepts another answer, and regrades only that question', async () => {
  const { assignmentId, grace, gradeOf } = await buildGraded()
  const before = await Promise.all(answerSets.map((_, i) => gradeOf(i)))
  expect(before[2]?.criterion_grades_collection[2]?.score).toBe(0)

  const { page } = await product.openAs(grace, { acceptDownloads: true })
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Rubric' }).click()
  await page.getByRole('heading', { name: 'Rubric', exact: true }).waitFor()
  for (const way of ['goBack', 'goForward', 'goBack', 'goForward'] as const) {
    await page[way]()
    // Left again while its pages are drawn.
    if (way === 'goForward') await page.locator('canvas').first().waitFor({ state: 'attached' })
  }
  await page.getByText('Page 1 of 1').first().waitFor()

  await page.getByRole('button', { name: /How much is 12 times 12/ }).click()
  const points = page.getByLabel('Points', { exact: true })
  await points.fill('0')
  await page.getByText('The paper says 5 points, but the criteria add up to 0.').waitFor()
  await page.getByRole('button', { name: 'Save Rubric' }).click()
  await page.getByText('Points must be more than 0').waitFor()
  await expect.poll(() => points.evaluate((field) => field === document.activeElement)).toBe(true)
  await points.fill('5')

  await page.getByRole('button', { name: 'Add an accepted answer, criterion 1' }).click()
  await page.keyboard.type('12 dozen')
  await page.getByText('You have unsaved changes').waitFor()
  await looksRight(page, 'rubric-edited')

  await page.getByRole('link', { name: 'Courses' }).first().click()
  await page.getByRole('button', { name: 'Keep editing' }).click()

  await page.getByRole('button', { name: 'Save Rubric' }).click()
  const dialog = await focusedDialog(page, 'Save the rubric?')
  await dialog.getByText('4 grades rest on question 3, which changed.').waitFor()
  await dialog.getByLabel('Version note').fill('Dozens are numbers too')
  await takeScreenshot(page, 'rubric-save')
  await dialog.getByRole('button', { name: 'Save Rubric' }).click()
  await page.getByText('4 grades were based on an earlier rubric').waitFor()
  await takeScreenshot(page, 'rubric-outdated')

  await page.getByRole('link', { name: 'Show outdated' }).click()
  await page.getByRole('button', { name: /^Earlier rubric 4/ }).waitFor()
  await page.getByText('Earlier rubric: question 3').first().waitFor()
  await takeScreenshot(page, 'submissions-outdated')
  await page.getByRole('button', { name: 'Regrade outdated' }).click()
  await page.getByText('4 graded.').waitFor()

  const after = await Promise.all(answerSets.map((_, i) => gradeOf(i)))
  const words = (grade: (typeof after)[number] | undefined) =>
    grade?.criterion_grades_collection.map(({ id: _, ...criterion }) => criterion)
  for (const [i, grade] of after.entries()) expect(words(grade)?.slice(0, 2)).toEqual(words(before[i])?.slice(0, 2))
  expect(after.map(({ criterion_grades_collection: all }) => all[2]?.score)).toEqual([5, 0, 5, 5])
  expect(after[2]?.overall_score).toBeCloseTo((before[2]?.overall_score ?? 0) + 25)

  await page.goto(`/assignments/${assignmentId}/rubric`)
  await page.getByRole('button', { name: 'Versions' }).click()
  const drawer = page.getByRole('dialog', { name: 'Versions of the rubric' })
  await drawer.getByText('Dozens are numbers too').waitFor()
  await takeScreenshot(page, 'rubric-versions')
  await drawer.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('4 grades were based on an earlier rubric').waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export to a file' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('"assay-rubric/1"')
  const changed = await product.file('changed.json', Buffer.from(text.replace('"144"', '"a gross"')))
  await page.getByLabel('Rubric file').setInputFiles(changed)
  await page.getByText('Changes question 3: the expected answer.').waitFor()
  await takeScreenshot(page, 'rubric-import')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  const { body } = await product.api.as(grace).send(getRubric, { params: { assignmentId } })
  expect(body.version).toBe(3)

  const { page: small } = await product.openAs(grace, { viewport: phone, colorScheme: 'dark' })
  await small.goto(`/assignments/${assignmentId}/rubric`)
  await small.getByRole('button', { name: /Why does ice float/ }).click()
  await looksRight(small, 'rubric-phone-dark')
  await small.getByRole('button', { name: 'Blank and Key' }).click()
  await small.getByText('Page 1 of 1').waitFor()
  await takeScreenshot(small, 'rubric-phone-papers')
  expect(product.browserErrors).toEqual([])
})
