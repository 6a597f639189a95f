import { createAssignment } from '@assay/shared/assignments.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import {
  correctAnswers,
  drawPaper,
  gradeAssignment,
  quizFiles,
  smallQuiz,
  weakAnswers,
} from '../../server/src/testing/build-course.ts'
import { drawHandwrittenPaper } from '../papers/handwritten.ts'
import { phone } from './support/browser.ts'
import { looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

async function buildScanned() {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const { blank, key } = await quizFiles()
  const typed = await Promise.all(
    [correctAnswers, weakAnswers, correctAnswers, correctAnswers].map(async (answers, i) => ({
      name: `typed-${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, answers),
    })),
  )
  const scan = {
    name: 'ada.pdf',
    bytes: await drawHandwrittenPaper(smallQuiz, { full_name: 'Ada Byron' }, correctAnswers, { wild: 0.75, seed: 3 }),
  }
  const created = await api
    .as(instructor)
    .send(createAssignment, {
      body: { name: 'Water and heat', student_submissions_are_handwritten: [true, false, false, false, false] },
      files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: [scan, ...typed] },
    })
  const assignmentId = created.body.id
  await gradeAssignment(api, instructor, assignmentId)
  const rows = (await api.as(instructor).send(listSubmissions, { params: { assignmentId } })).body
  const submissionId = rows.find(({ file_name }) => file_name === 'ada.pdf')?.id ?? 0
  const params = { assignmentId, submissionId }
  return { instructor, params, submission: async () => (await api.as(instructor).send(getSubmission, { params })).body }
}

it('shows the OCR text of handwriting, lets the teacher correct it, and regrades it', async () => {
  const { instructor, params, submission } = await buildScanned()
  const before = await submission()
  expect(before.grade?.review_reasons.map(({ code }) => code)).toContain('poor_reading')
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${params.assignmentId}/submissions/${params.submissionId}`)
  await page.getByRole('button', { name: 'Edit Grade' }).waitFor()

  await page.getByRole('button', { name: 'Edit Grade' }).click()
  await page.getByLabel('Manual override score').fill('55')
  await page.getByRole('button', { name: 'Save' }).first().click()
  // The form holds the focus, and with it the keys, until the grade is saved.
  await page.getByRole('button', { name: 'Edit Grade' }).waitFor()
  await page.getByText('override').filter({ visible: true }).first().waitFor()

  await page.keyboard.press('t')
  const card = page.getByTestId('answer 1')
  await card.waitFor()
  await page.getByText(/may be misread/).waitFor()
  await page.locator('svg [data-tone="poor"]').first().waitFor()
  await looksRight(page, 'transcription')

  const row = card.locator('button[aria-pressed]').first()
  await row.click()
  expect(await page.locator('svg [data-tone][aria-pressed="true"]').count()).toBe(1)

  await page.getByRole('button', { name: 'Correct answer 1' }).click()
  await page.getByLabel('Text on the page for question 1').fill(correctAnswers[0] ?? '')
  await takeScreenshot(page, 'transcription-editing')
  await page.getByRole('button', { name: 'Save and regrade' }).click()
  await card.getByText('corrected', { exact: true }).waitFor()
  const after = await submission()
  const pointsOf = (of: typeof after) => of.grade?.criterion_grades_collection[0]?.score ?? 0
  expect(pointsOf(after)).toBeGreaterThan(pointsOf(before))
  expect(after).toMatchObject({ final_score_after_review: 55, manual_score_override: 55 })
  await expect.poll(() => card.textContent()).toContain(`${pointsOf(after)} / 10`)
  await takeScreenshot(page, 'transcription-corrected')
  await page.emulateMedia({ colorScheme: 'dark' })
  await takeScreenshot(page, 'transcription-dark')

  const { page: small } = await product.openAs(instructor, { viewport: phone, hasTouch: true, isMobile: true })
  await small.goto(`/assignments/${params.assignmentId}/submissions/${params.submissionId}`)
  await small.getByRole('button', { name: 'Transcription' }).click()
  await small.locator('svg [data-tone]').first().waitFor()
  await takeScreenshot(small, 'transcription-phone')
  await small.locator('svg [data-tone="poor"], svg [data-tone="read"]').first().click()
  await small.getByTestId('answer 1').waitFor()
  await looksRight(small, 'transcription-phone-sheet')
  expect(product.browserErrors).toEqual([])
})
