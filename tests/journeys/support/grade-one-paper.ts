import { expect } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper } from '../../../server/src/testing/build-course.ts'
import type { Person } from '../../../server/src/testing/server.ts'
import { type Product, registerPerson } from './product.ts'

/** Files, queue and live updates must work together for it. */
export async function gradeOnePaper(product: Product): Promise<{ instructor: Person; assignmentId: number }> {
  const instructor = await registerPerson(product.api, 'instructor', 'grace')
  const { assignmentId } = await buildAssignment(product.api, { instructor }, [])
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('button', { name: 'Upload Files' }).first().click()
  const form = page.getByRole('form', { name: 'Upload Files' })
  const paper = await drawPaper({ full_name: 'Ada' }, correctAnswers)
  await form.locator('input[type=file]').setInputFiles(await product.file('ada.pdf', paper))
  await form.getByRole('button', { name: /^Upload 1 file/ }).click()
  await page.getByText('Submissions (1)').waitFor()
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  const graded = page.getByRole('row').filter({ hasText: /Suggested|Flagged/ })
  await expect.poll(() => graded.count()).toBe(1)
  expect(product.browserErrors).toEqual([])
  return { instructor, assignmentId }
}
