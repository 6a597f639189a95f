import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers, decideGrade, weakAnswers } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { phone } from './support/browser.ts'
import {
  accessibilityProblems,
  enrol,
  looksRight,
  registerPerson,
  takeScreenshot,
  useProduct,
} from './support/product.ts'

const product = useProduct()

const worked = [
  ['ada', 92, 97],
  ['ben', 74, 61.5],
  ['cleo', 55, 72],
  ['dan', '-', '-'],
] as const

async function publishGraded(instructor: Person, courseId: number, students: Person[], column: 1 | 2): Promise<void> {
  const grades = students.flatMap(({ username }, index) => {
    const score = worked[index]?.[column] ?? '-'
    return score === '-' ? [] : [{ name: username, score }]
  })
  const papers = grades.map(({ name, score }) => ({
    file: name,
    full_name: name,
    answers: score > 70 ? correctAnswers : weakAnswers,
  }))
  const { teacher, submissionIds, params } = await buildGradedPapers(product.api, { instructor, courseId }, papers)
  for (const [index, submissionId] of submissionIds.entries())
    await decideGrade(teacher, { ...params, submissionId }, { overall_score: grades[index]?.score ?? 0 })
  await teacher.send(publishAssignment, { params })
}

it('shows a course’s statistics', async () => {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const course = await api.as(instructor).send(createCourse, { body: { name: 'Physics 101' } })
  const courseId = course.body.id
  const students = await Promise.all(worked.map(([name]) => registerPerson(api, 'student', name)))
  for (const student of students) await enrol(product, courseId, student)

  const { page } = await product.openAs(instructor)
  await page.goto(`/courses/${courseId}`)
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByRole('heading', { name: 'No Analytics Data Available' }).waitFor()
  await takeScreenshot(page, 'analytics-empty')

  await publishGraded(instructor, courseId, students, 1)
  await publishGraded(instructor, courseId, students, 2)
  await page.reload()
  await page.getByRole('heading', { name: 'Student Performance' }).waitFor()

  // Usernames are unique.
  const named = (text: string) =>
    students.reduce((text, { username }, index) => text.replace(username, worked[index]?.[0] ?? ''), text)
  const rows = page.getByRole('row').filter({ hasText: '/ 2' })
  const texts = async () => (await rows.allInnerTexts()).map((text) => named(text.replace(/\s+/g, ' ').trim()))
  expect((await texts())[1]).toMatch(/^ben Struggling: grades falling 100\.0 % 2 \/ 2 67\.8 % D\+ Declining/)

  // By keyboard; students without a grade stay last in both directions.
  const byGrade = page.getByRole('button', { name: 'Average Grade' })
  await byGrade.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Table sorted by average grade in ascending order').waitFor({ state: 'attached' })
  expect((await texts()).map((text) => text.split(' ')[0])).toEqual(['cleo', 'ben', 'ada', 'dan'])

  const bar = page.locator('.recharts-bar-rectangle path').last()
  await bar.hover()
  await page.locator('.recharts-tooltip-wrapper').getByText('2 grades (33.3%)').waitFor()

  await page.getByRole('heading', { name: 'Question 1' }).waitFor()
  const example = page.getByRole('link', { name: /See an example/ }).first()
  expect(await example.getAttribute('href')).toMatch(/^\/assignments\/\d+\/submissions\/\d+$/)
  await takeScreenshot(page, 'analytics')
  await page.mouse.move(0, 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([colorScheme, await accessibilityProblems(page)]).toEqual([colorScheme, []])
  }
  await takeScreenshot(page, 'analytics-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await page.setViewportSize(phone)
  await page.getByRole('button', { name: /^Grade/ }).click()
  await page.getByRole('button', { name: /^Name/ }).waitFor()
  await looksRight(page, 'phone-analytics')
  expect(product.browserErrors).toEqual([])
})
