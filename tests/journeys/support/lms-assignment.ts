import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from '../../../server/src/testing/build-course.ts'
import type { LineItem, Person } from '../../fake-lms/data/lms-data.ts'
import { accessibilityProblems } from './accessibility.ts'
import { desktop, phone } from './browser.ts'
import { type Product, takeScreenshot } from './product.ts'

/** Nothing scrolls sideways, axe finds nothing, and a picture is taken. */
export async function looksRight(page: Page, frame: Frame, name: string): Promise<void> {
  for (const [size, viewport] of [
    ['wide', desktop],
    ['phone', phone],
  ] as const) {
    await page.setViewportSize(viewport)
    await expect.poll(() => frame.evaluate('innerWidth')).toBeLessThan(viewport.width)
    const sideways = () => frame.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await expect.poll(sideways).toBeLessThanOrEqual(0)
    await takeScreenshot(page, `${name}-${size}`)
    expect([name, size, await accessibilityProblems(frame)]).toEqual([name, size, []])
  }
  await page.setViewportSize(desktop)
}

/** Moodle's own header and navigation leave a frame little more than 500 px of a window of 1280 by 800. */
export const lowerFrame = (page: Page): Promise<void> =>
  page.locator('iframe.tool').evaluate((frame) => {
    frame.style.height = '520px'
  })

const answersByDefault = (student: number) => (student === 0 ? correctAnswers : weakAnswers)

/** In an instructor's first launch: a paper for each student, matched by the name on it. */
export async function createAssignment(
  product: Product,
  frame: Frame,
  students: Person[],
  answersOf: (student: number) => string[] = answersByDefault,
): Promise<void> {
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  const { blank, key } = await quizFiles()
  const file = (name: string, bytes: Buffer | string) => product.file(name, Buffer.from(bytes))
  await frame.getByLabel('Choose the blank assignment').setInputFiles(await file('blank.pdf', blank.bytes))
  await frame.getByLabel('Choose the answer key').setInputFiles(await file('key.pdf', key.bytes))
  const papers: string[] = []
  for (const [i, student] of students.entries()) {
    papers.push(await file(`${student.name}.pdf`, await drawPaper({ full_name: student.name }, answersOf(i))))
  }
  await frame.getByLabel('Choose student papers').setInputFiles(papers)
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByText(`Submissions (${students.length})`).waitFor()
}

export async function gradeAll(frame: Frame, papers: number): Promise<void> {
  await frame.getByRole('button', { name: 'Process & Grade' }).click()
  const graded = frame.getByRole('row').filter({ hasText: /Suggested|Flagged/ })
  await expect.poll(() => graded.count()).toBe(papers)
}

export const pointsOf = (item: LineItem, student: Person) => item.grades.get(student.id)?.points ?? null

export const rowOf = (frame: Frame, student: Person) =>
  frame.getByRole('row').filter({ hasText: student.name }).filter({ visible: true })
