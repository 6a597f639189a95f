import { createCourse } from '@assay/shared/courses.ts'
import { deleteSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import { phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

it('deletes many papers, names the one already deleted, keeps filter and order, and assigns a paper to a student', async () => {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const student = await registerPerson(api, 'student', 'ada', 'Ada Lovelace')
  const teacher = api.as(instructor)
  const course = await teacher.send(createCourse, { body: { name: 'Physics 101' } })
  const courseId = course.body.id
  const bytes = await drawPaper({ full_name: 'Ada Lovelace' }, correctAnswers)
  const names = ['ben', 'cy', 'dee', 'eve', 'scan lovelace']
  const { assignmentId, submissionIds } = await buildAssignment(
    api,
    { instructor, courseId },
    names.map((name) => ({ name: `${name}.pdf`, bytes })),
  )
  await enrol(product, courseId, student)

  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('heading', { name: 'Submissions (5)' }).waitFor()
  for (const name of ['ben', 'cy', 'dee'])
    await page.getByRole('checkbox', { name: new RegExp(`Select submission \\d+ of ${name}`) }).check()
  await page.getByText('3 selected').filter({ visible: true }).first().waitFor()
  await looksRight(page, 'bulk-selected')

  const submissionId = submissionIds[1] ?? 0
  await teacher.send(deleteSubmission, { params: { assignmentId, submissionId } })
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('dialog').getByText('This action cannot be undone.').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByText('Successfully deleted 2 submission(s)!').waitFor()
  await page.getByText('Failed to delete 1 submission(s). Check logs for details. cy').waitFor()
  await takeScreenshot(page, 'bulk-deleted')
  await page.getByRole('heading', { name: 'Submissions (2)' }).waitFor()
  expect(await page.getByText('1 selected').count()).toBe(0)

  // Sorting and search survive a reload; the review follows the shown list.
  await page.getByRole('button', { name: 'Submission ID' }).click()
  await page.waitForURL(/direction=desc/)
  await page.getByLabel('Search submissions').fill('scan')
  await page.waitForURL(/search=scan/)
  await page.reload()
  await page.getByText('scan lovelace', { exact: true }).filter({ visible: true }).first().waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('columnheader', { name: 'Submission ID' }).getAttribute('aria-sort')).toBe('descending')
  await page.getByRole('link', { name: /Review submission/ }).click()
  await page.getByRole('navigation', { name: 'Submissions' }).getByText('1 of 1').waitFor()
  await page.getByRole('link', { name: 'Back to submissions' }).click()
  await page.waitForURL(/search=scan/)

  await page.getByRole('link', { name: /Match to/ }).click()
  await page.getByRole('heading', { name: '2 papers without a student' }).waitFor()
  await page.getByRole('img', { name: /First page of scan lovelace/ }).waitFor()
  await looksRight(page, 'match')
  await page.getByRole('button', { name: `Ada Lovelace (${student.username})`, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '1 paper without a student' }).waitFor()
  const choice = page.getByRole('combobox', { name: /Student of/ })
  await expect.poll(() => choice.evaluate((element) => element === document.activeElement)).toBe(true)
  await choice.fill('lovel')
  await page.getByRole('option', { name: `Ada Lovelace (${student.username})` }).waitFor()
  await takeScreenshot(page, 'match-choosing')
  await page.setViewportSize(phone)
  await page.keyboard.press('Escape')
  await looksRight(page, 'match-phone')
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('heading', { name: 'Submissions (2)' }).waitFor()
  await looksRight(page, 'list-phone')
  expect(product.browserErrors).toEqual([])
})
