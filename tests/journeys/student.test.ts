import { createCourse, createJoinCode } from '@assay/shared/courses.ts'
import { formatJoinCode } from '@assay/shared/rules/join-code.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildAssignment, drawPaper, weakAnswers } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { phone } from './support/browser.ts'
import { accessibilityProblems, registerPerson, takeScreenshot, unique, useProduct } from './support/product.ts'
import { registerAndSignIn } from './support/sign-in.ts'

const product = useProduct()

async function buildCourse(instructor: Person): Promise<{ courseId: number; assignmentId: number; code: string }> {
  const { api } = product
  const made = await api.as(instructor).send(createCourse, { body: { name: 'Physics 101' } })
  const courseId = made.body.id
  const { body } = await api.as(instructor).send(createJoinCode, { params: { courseId } })
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  return { courseId, assignmentId, code: formatJoinCode(body.join_code) }
}

async function publish(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^(Publish|Release)/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function handIn(page: Page, name: string, answers: string[]): Promise<void> {
  const path = await product.file(name, await drawPaper({ full_name: 'Ada Lovelace' }, answers))
  await page.getByLabel('Choose your paper').setInputFiles(path)
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page
    .getByText(/Handed in on/)
    .first()
    .waitFor()
  await page.getByText(name, { exact: true }).first().waitFor()
  // The paper may be seen before the upload has ended, which axe must not see half-way.
  await page.getByLabel('Choose your paper').waitFor()
}

async function looksRight(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name)
  expect([name, await accessibilityProblems(page)]).toEqual([name, []])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect([name, overflow]).toEqual([name, 0])
}

it('leads a student from joining a course to the answer to a regrade request', async () => {
  const instructor = await registerPerson(product.api, 'instructor', 'grace')
  const { courseId, assignmentId, code } = await buildCourse(instructor)
  const { page: teacher } = await product.openAs(instructor)
  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await publish(teacher, 'Publish')

  const { page: student } = await product.open({ viewport: phone })
  await registerAndSignIn(student, 'student', unique('ada'))
  await student.getByRole('link', { name: 'Join a Course' }).click()
  await student.getByLabel('Course code').fill('AAAA-AAAA')
  await student.getByRole('button', { name: 'Join Course' }).click()
  await student.getByText(/No course has this code/).waitFor()
  await looksRight(student, 'student-join')
  await student.getByLabel('Course code').fill(code.toLowerCase())
  await student.getByRole('button', { name: 'Join Course' }).click()
  await student.waitForURL(`**/student/courses/${courseId}`)

  await student.getByRole('link', { name: 'Hand in Water and heat' }).click()
  await student.getByLabel('Choose your paper').waitFor()
  await looksRight(student, 'student-hand-in')
  await handIn(student, 'first.pdf', weakAnswers)
  await looksRight(student, 'student-handed-in')

  await teacher.getByText('Submissions (1)').waitFor()

  await handIn(student, 'second.pdf', ['Ice is less dense than water.', 'B', '144'])
  await student.getByRole('heading', { name: 'Earlier papers' }).waitFor()
  await student.getByRole('button', { name: 'Download first.pdf' }).waitFor()
  await looksRight(student, 'student-handed-in-again')

  await teacher.getByRole('button', { name: 'Process & Grade' }).click()
  await teacher
    .getByText(/^(Suggested|Flagged)$/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await teacher.reload()
  await publish(teacher, /^Release 1 new grade/)

  await student.goto('/student/dashboard')
  await student.getByRole('link', { name: 'Water and heat' }).waitFor()
  await looksRight(student, 'student-dashboard-graded')
  await student.getByRole('link', { name: 'Water and heat' }).click()
  await student.locator('canvas').filter({ visible: true }).first().waitFor()
  await expect.poll(() => student.locator('svg g[role="button"]').count()).toBeGreaterThan(0)
  await looksRight(student, 'student-feedback-paper')
  await student.getByRole('button', { name: /%/, expanded: false }).click()
  await student.getByRole('button', { name: 'Your grade', expanded: true }).waitFor()
  await student.getByRole('heading', { name: 'Criteria' }).waitFor()
  await looksRight(student, 'student-feedback-sheet')
  await student.getByRole('button', { name: 'Request a regrade' }).click()
  await student.getByLabel('Reason').fill('I did say that the molecules are further apart.')
  await looksRight(student, 'student-ask')
  await student.getByRole('button', { name: 'Send request' }).click()
  await student.getByText('Waiting for an answer').waitFor()

  await teacher.getByRole('link', { name: 'Review submission' }).click()
  await teacher.getByText('Regrade requested', { exact: true }).waitFor()
  await teacher.getByText('I did say that the molecules are further apart.').waitFor()
  await looksRight(teacher, 'regrade-asked')
  await teacher.getByLabel('Your answer').fill('You did. I have given you the points.')
  await teacher.getByRole('button', { name: 'Change the grade' }).click()
  await teacher.getByLabel('Manual override score').fill('97')
  await looksRight(teacher, 'regrade-answering')
  await teacher.getByRole('button', { name: 'Save grade and answer' }).click()
  await teacher.getByText('Granted', { exact: true }).waitFor()
  await looksRight(teacher, 'regrade-answered')

  await student.setViewportSize({ width: 1280, height: 800 })
  await student.goto(`/student/assignments/${assignmentId}`)
  await student.getByText('You did. I have given you the points.').waitFor()
  await student.getByText(/The grade changed from .* to 97\.0/).waitFor()
  await student.getByText('A+').filter({ visible: true }).first().waitFor()
  await student
    .getByRole('button', { name: /Why does ice float/, pressed: false })
    .first()
    .click()
  await student.locator('blockquote').filter({ visible: true }).first().waitFor()
  await looksRight(student, 'student-feedback-wide')

  for (const [path, name] of [
    ['/student/dashboard', 'student-dashboard-wide'],
    ['/student/courses', 'student-courses'],
    [`/student/courses/${courseId}`, 'student-course'],
    ['/student/grades', 'student-grades'],
    [`/student/courses/${courseId}/grades`, 'student-course-grades'],
  ] as const) {
    await student.setViewportSize({ width: 1280, height: 800 })
    await student.goto(path)
    await student.waitForLoadState('networkidle')
    await looksRight(student, name)
    await student.setViewportSize(phone)
    await looksRight(student, `phone-${name}`)
  }
  expect(product.browserErrors).toEqual([])
})
