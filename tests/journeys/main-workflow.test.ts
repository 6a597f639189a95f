import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper, quizFiles, rowsOf, weakAnswers } from '../../server/src/testing/build-course.ts'
import { waitForMail } from '../../server/src/testing/mail-server.ts'
import { phone } from './support/browser.ts'
import { accessibilityProblems, emailOf, takeScreenshot, unique, useProduct } from './support/product.ts'
import { registerAndSignIn } from './support/sign-in.ts'

const product = useProduct()

async function confirmAddress(page: Page, username: string): Promise<void> {
  const { link } = await waitForMail(product.dataDir, emailOf(username))
  await page.goto(link)
  await page.getByRole('button', { name: 'Yes, confirm it' }).click()
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
}

it('Main workflow: goes from registration to a reviewed grade that the student sees and the CSV has', async () => {
  const [ada, grace] = [unique('ada'), unique('grace')]
  const { page: student } = await product.open()
  await registerAndSignIn(student, 'student', ada)
  await student
    .getByText(/No Courses Yet|Welcome to Your Dashboard/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await takeScreenshot(student, 'student-dashboard-empty')
  await confirmAddress(student, ada)

  const { page } = await product.open({ acceptDownloads: true })
  await registerAndSignIn(page, 'instructor', grace)
  await page.getByText('No Assignments Yet').waitFor()
  await takeScreenshot(page, 'dashboard-empty')
  expect(await accessibilityProblems(page)).toEqual([])

  await page.goto('/courses/create')
  await page.getByLabel('Course Name').fill('Physics 101')
  await page.getByRole('button', { name: 'Create Course' }).click()
  await page.waitForURL(/courses\/\d+\/roster$/)
  const courseId = Number(/courses\/(\d+)\/roster$/.exec(page.url())?.[1])
  await page.goto(`/courses/${courseId}`)
  await page.getByRole('heading', { name: 'Physics 101' }).waitFor()
  await page.getByRole('button', { name: 'Enroll Student' }).click()
  await page.getByRole('link', { name: 'Add others by email' }).click()
  await page.getByLabel(/^Email/).fill(emailOf(ada))
  await page.getByRole('button', { name: 'Add Student' }).click()
  await page.getByText('was enrolled').first().waitFor()
  await page.goto(`/courses/${courseId}`)
  const enrolled = page.getByRole('list', { name: 'Enrolled students' }).getByRole('listitem')
  await enrolled.getByText('Ada Lovelace', { exact: true }).waitFor()
  expect(await enrolled.allTextContents()).toEqual([expect.stringMatching(new RegExp(`Ada Lovelace${ada} · ID \\d+`))])
  await takeScreenshot(page, 'course')

  // A file that is not a PDF is named, and no input is lost.
  await page.getByRole('link', { name: 'Create Assignment' }).last().click()
  await page.waitForURL('**/create-assignment**')
  const { blank, key } = await quizFiles()
  await page.getByLabel('Assignment name').fill('Water and heat')
  const choose = async (label: string, ...paths: string[]) => page.getByLabel(label).setInputFiles(paths)
  await choose('Choose the blank assignment', await product.file('blank.pdf', Buffer.from(blank.bytes)))
  await choose('Choose the answer key', await product.file('key.pdf', Buffer.from('PK not a pdf at all')))
  const papers = [
    await product.file(`${ada}.pdf`, await drawPaper({ full_name: 'Someone Else' }, correctAnswers)),
    await product.file('ben.pdf', await drawPaper({ full_name: 'Ben' }, weakAnswers)),
    await product.file('cy.pdf', await drawPaper({ full_name: 'Cy' }, ['', '', ''])),
  ]
  await choose('Choose student papers', ...papers)
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await page
    .getByText(/key\.pdf.*Only PDF files are allowed/)
    .filter({ visible: true })
    .first()
    .waitFor()
  expect(await page.getByLabel('Assignment name').inputValue()).toBe('Water and heat')
  await takeScreenshot(page, 'create-assignment-refused')
  await page.getByRole('button', { name: /Remove key\.pdf/ }).click()
  await choose('Choose the answer key', await product.file('key2.pdf', Buffer.from(key.bytes)))
  expect(await page.getByText('Only PDF files are allowed').count()).toBe(0)
  await takeScreenshot(page, 'create-assignment')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await page.waitForURL(/assignments\/\d+\/rubric/)
  await page.getByRole('button', { name: 'Confirm Rubric' }).click()
  await page.waitForURL(/assignments\/\d+\/submissions/)
  const assignmentId = Number(/assignments\/(\d+)/.exec(page.url())?.[1])

  await page.getByText('Submissions (3)').waitFor()
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  await expect
    .poll(
      () =>
        page
          .getByRole('row')
          .filter({ hasText: /Suggested|Flagged/ })
          .count(),
      { timeout: 180_000 },
    )
    .toBe(3)
  await takeScreenshot(page, 'submissions')
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByRole('link', { name: 'Review submission' }).first().click()
  await page.getByRole('heading', { name: /ada|Ada Lovelace/ }).waitFor()
  const submissionId = Number(/submissions\/(\d+)$/.exec(page.url())?.[1])
  await page.locator('canvas').filter({ visible: true }).first().waitFor()
  await page.keyboard.press('1')
  const chosen = page.locator('[aria-current="true"], [aria-pressed="true"], [aria-expanded="true"]').first()
  await chosen.waitFor()
  const marks = page.locator('svg rect, svg [data-evidence]')
  await expect.poll(() => marks.count()).toBeGreaterThan(0)
  await takeScreenshot(page, 'review')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('e')
  const score = page.getByLabel('Manual override score')
  await expect.poll(() => score.evaluate((element) => element === document.activeElement)).toBe(true)
  await score.fill('88.5')
  await page.getByLabel('Manual feedback').fill('Well put. Say why the molecules are further apart.')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(`**/submissions/${submissionId + 1}`)
  // In the header, as the grade too says how many of how many it is sure of.
  await page.getByRole('navigation', { name: 'Submissions' }).getByText('2 of 3').waitFor()
  await page.keyboard.press('k')
  await page.waitForURL(`**/submissions/${submissionId}`)
  await page.getByText('88.5', { exact: false }).filter({ visible: true }).first().waitFor()
  await page.getByText('Override', { exact: true }).filter({ visible: true }).first().waitFor()
  await takeScreenshot(page, 'review-overridden')

  await student.goto(`/student/courses/${courseId}`)
  await student.getByText('No Assignments Yet').waitFor()

  await page.getByRole('link', { name: 'Back to submissions' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByText(/flagged/i)
    .filter({ visible: true })
    .first()
    .waitFor()
  await takeScreenshot(page, 'publish')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Assignment published successfully!').waitFor()

  await student.goto('/student/dashboard')
  await student.getByText(/88\.5/).filter({ visible: true }).first().waitFor()
  await takeScreenshot(student, 'student-dashboard')
  expect(await accessibilityProblems(student)).toEqual([])
  await student.goto(`/student/courses/${courseId}`)
  await student
    .getByText('Say why the molecules are further apart.', { exact: false })
    .filter({ visible: true })
    .first()
    .waitFor()
  await student.getByText(/88\.5/).filter({ visible: true }).first().waitFor()
  await takeScreenshot(student, 'student-course')
  expect(await accessibilityProblems(student)).toEqual([])

  await page.getByRole('button', { name: 'More for this assignment' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`assignment_${assignmentId}_grades.csv`)
  const rows = rowsOf(await readFile(await download.path(), 'utf8'))
  expect(rows.join('\n')).toMatch(
    new RegExp(`^${ada},Ada Lovelace,${ada}@school\\.example,.*,reviewed,[\\d.]+,88\\.5,88\\.5,B\\+,no,`, 'm'),
  )

  const screens = [
    [page, `/assignments/${assignmentId}/submissions`, 'phone-submissions'],
    [page, `/assignments/${assignmentId}/submissions/${submissionId}`, 'phone-review'],
    [page, '/dashboard', 'phone-dashboard'],
    [student, '/student/dashboard', 'phone-student-dashboard'],
    [student, `/student/courses/${courseId}`, 'phone-student-course'],
  ] as const
  for (const [who, path, name] of screens) {
    await who.setViewportSize(phone)
    await who.goto(path)
    await who.waitForLoadState('networkidle')
    await takeScreenshot(who, name)
    expect([name, await accessibilityProblems(who)]).toEqual([name, []])
    const overflow = await who.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect([name, overflow]).toEqual([name, 0])
  }

  expect(product.browserErrors).toEqual([])
})
