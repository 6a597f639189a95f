import { readFile } from 'node:fs/promises'
import { AccuracyRecord, getAccuracyCheck, getReviewList } from '@assay/shared/accuracy-checks.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  buildGradedPapers,
  correctAnswers,
  gradeAssignment,
  weakAnswers,
} from '../../server/src/testing/build-course.ts'
import { looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
const PAPERS = 8
const SAMPLE = 20

async function buildQuiz(courseName: string) {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'mary', 'Mary Somerville')
  const { body: course } = await api.as(teacher).send(createCourse, { body: { name: courseName } })
  const papers = [...'ABCDEFGH'].map((letter, i) => ({
    file: `paper ${i + 1}`,
    full_name: `Student ${letter}`,
    answers: i % 2 ? correctAnswers : weakAnswers,
  }))
  const built = await buildGradedPapers(api, { instructor: teacher, courseId: course.id }, papers)
  return { teacher, caller: built.teacher, params: built.params, address: `/assignments/${built.assignmentId}` }
}

async function markByKeys(page: Page, from: number, to: number): Promise<void> {
  for (let position = from; position <= to; position++) {
    await page.getByText(`Answer ${position} of ${SAMPLE}`).waitFor()
    const points = page.getByRole('textbox', { name: 'Points' })
    await points.waitFor()
    await expect.poll(() => points.evaluate((field) => field === document.activeElement)).toBe(true)
    const words = await page.getByRole('region', { name: 'Mark the sample' }).textContent()
    expect(words).not.toMatch(/suggest|confiden|flag|Student [A-H]|paper \d/i)
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
  }
}

async function startByKeys(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the check' }).focus()
  await page.keyboard.press('Enter')
}

it('leads by keys from a blind sample to the figures and flagged papers, tells them again after a change of the rubric, and saves the record', async () => {
  const { teacher, caller, params, address } = await buildQuiz('Physics 9a')
  const { page } = await product.openAs(teacher)
  await page.goto(`${address}/questions`)
  await page.getByRole('link', { name: 'Check accuracy' }).click()
  await page.getByText(`There are ${3 * PAPERS} answers with a suggestion.`).waitFor()
  await looksRight(page, 'accuracy-start')
  await startByKeys(page)
  await markByKeys(page, 1, 3)
  await page.getByText(`Answer 4 of ${SAMPLE}`).waitFor()
  await page.getByRole('textbox', { name: 'Points' }).waitFor()
  await looksRight(page, 'accuracy-marking')
  await page.reload()
  await markByKeys(page, 4, SAMPLE)

  await page.getByText(/The grader is too generous/).waitFor()
  await page.getByText(`By ${SAMPLE} marked answers of ${3 * PAPERS}`).waitFor()
  await page.getByText(/^Look at /).waitFor()
  await looksRight(page, 'accuracy-result')
  await page.getByRole('heading', { name: 'Papers to look at' }).scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'accuracy-papers')

  const { body: list } = await caller.send(getReviewList, { params })
  expect(list.papers.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: /^Flag th(is|ese) papers?$/ }).press('Enter')
  await page.getByText(`${list.papers.length} papers flagged for review.`).waitFor()
  await looksRight(page, 'accuracy-flagged')
  const { body: flagged } = await caller.send(listSubmissions, { params, query: { status: 'flagged' } })
  expect(flagged.map(({ id }) => id)).toEqual(
    expect.arrayContaining(list.papers.map(({ submission_id }) => submission_id)),
  )

  // The same marks are then compared with the new suggestions.
  const { body } = await caller.send(getRubric, { params })
  const questions = (body.rubric?.questions ?? []).map((question) => ({
    ...question,
    criteria: question.criteria.map((one) => (question.id === 'q3' ? { ...one, expected: '24' } : one)),
  }))
  const rubric = { ...body.rubric, questions } as NonNullable<typeof body.rubric>
  const saved = await caller.send(saveRubric, { params, body: { rubric, version: body.version } })
  expect(saved.status).toBe(200)
  await gradeAssignment(product.api, teacher, params.assignmentId, { outdated: true })
  const { check } = (await caller.send(getAccuracyCheck, { params })).body
  expect(check?.result?.earlier?.changed).toBeGreaterThan(0)
  await page.reload()
  await page.getByText(/of these suggestions ha(s|ve) changed since you marked\./).waitFor()
  await looksRight(page, 'accuracy-told-again')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as JSON' }).press('Enter')
  const record = AccuracyRecord.parse(JSON.parse(await readFile(await (await downloading).path(), 'utf8')))
  expect(record.marks).toHaveLength(SAMPLE)
  expect(record.marks.every(({ points }) => points !== null && Object.values(points).every((one) => one === 0))).toBe(
    true,
  )
  expect(record.check.result).toEqual(check?.result)
  expect(product.browserErrors).toEqual([])
})
