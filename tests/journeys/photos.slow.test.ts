import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildAssignment } from '../../server/src/testing/build-course.ts'
import { drawEssay } from '../papers/draw-essay.ts'
import { drawPhotoJpeg } from '../papers/photo.ts'
import { desktop, phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

async function buildPublished() {
  const { api } = product
  const instructor = await registerPerson(api, 'instructor', 'grace')
  const student = await registerPerson(api, 'student', 'ada', 'Ada Lovelace')
  const courseId = (await api.as(instructor).send(createCourse, { body: { name: 'Physics 101' } })).body.id
  await enrol(product, courseId, student)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  return { instructor, student, assignmentId }
}

async function photographs(tables: readonly ('wood' | 'checks' | 'white')[]): Promise<string[]> {
  const pdf = await drawEssay(2)
  const drawn = tables.map(async (table, i) =>
    product.file(`IMG_${i + 1}.jpg`, await drawPhotoJpeg(pdf, { seed: 20 + i, page: 1, table, width: 1000 })),
  )
  return Promise.all(drawn)
}

async function pull(page: Page, handle: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await handle.boundingBox()
  if (!box) throw new Error('the handle is out of sight')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by.x, y + by.y, { steps: 4 })
  await page.mouse.up()
}

it('takes a student from photos on a phone, through a lost connection, to a paper the teacher sees', async () => {
  const { instructor, student, assignmentId } = await buildPublished()
  const { page, context } = await product.openAs(student, { viewport: phone, hasTouch: true })
  await page.goto(`/student/assignments/${assignmentId}`)
  await page.getByLabel('Take or choose photos').waitFor()
  await looksRight(page, 'photos-none')
  const [first = '', second = '', third = ''] = await photographs(['wood', 'checks', 'white'])
  await page.getByLabel('Take or choose photos').setInputFiles(first)
  await page.getByRole('img', { name: 'Page 1, straightened' }).waitFor()

  // What was not sent when the connection was lost goes on by itself.
  await context.setOffline(true)
  await page.getByLabel('Add photos').setInputFiles([second, third])
  await page.getByText('No connection. It is sent as soon as there is one.').waitFor()
  await page.getByText('Waiting for the photos before it').waitFor()
  await looksRight(page, 'photos-offline')
  await context.setOffline(false)
  await page.getByRole('img', { name: 'Page 3, straightened' }).waitFor()

  await page.reload()
  await page.getByRole('img', { name: 'Page 3, straightened' }).waitFor()
  await looksRight(page, 'photos-there-after-reload')
  await page.getByRole('button', { name: 'Move page 3 up' }).tap()
  await page.getByRole('list', { name: 'Pages' }).getByRole('listitem').nth(1).getByText('IMG_3.jpg').waitFor()

  const turned = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Turn page 3' }).tap()
  expect((await turned).status()).toBe(200)

  await page.getByRole('button', { name: 'Crop page 1' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Crop page 1' })
  const corner = dialog.getByRole('button', { name: /^Upper left corner/ })
  await corner.waitFor()
  await looksRight(page, 'photos-crop')
  await page.setViewportSize(desktop)
  await looksRight(page, 'photos-crop-desktop')
  await page.setViewportSize(phone)
  const before = await corner.getAttribute('aria-label')
  await pull(page, corner, { x: 20, y: 30 })
  await expect.poll(() => corner.getAttribute('aria-label')).not.toBe(before)
  const pulled = await corner.getAttribute('aria-label')
  await corner.press('Shift+ArrowUp')
  await expect.poll(() => corner.getAttribute('aria-label')).not.toBe(pulled)
  await takeScreenshot(page, 'photos-cropped')
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Hand in 3 pages' }).tap()
  await page
    .getByText(/Handed in on/)
    .first()
    .waitFor()
  await page.getByText('Photos (3 pages).pdf').first().waitFor()
  await looksRight(page, 'photos-handed-in')

  const { page: teacher } = await product.openAs(instructor)
  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await teacher.getByText('Submissions (1)').waitFor()
  await teacher
    .getByRole('link', { name: /Review|View/ })
    .first()
    .click()
  await teacher.locator('canvas').filter({ visible: true }).first().waitFor()
  await teacher.getByRole('button', { name: 'Original photos' }).click()
  await teacher.getByRole('img', { name: 'Page 1 as it was taken' }).waitFor()
  await looksRight(teacher, 'photos-original')
  await teacher.setViewportSize(phone)
  await looksRight(teacher, 'photos-original-phone')
})

it('lets a teacher photograph a student’s paper with a phone', async () => {
  const { instructor, student, assignmentId } = await buildPublished()
  const { page } = await product.openAs(instructor, { viewport: phone, hasTouch: true })
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('button', { name: 'More for this assignment' }).tap()
  await page.getByRole('menuitem', { name: 'Upload photos of a paper' }).tap()
  const [first = ''] = await photographs(['wood'])
  await page.getByLabel('Add photos').setInputFiles(first)
  await page.getByRole('img', { name: 'Page 1, straightened' }).waitFor()
  await page.getByRole('combobox', { name: 'Student' }).fill(student.username)
  await page.getByRole('option', { name: `Ada Lovelace (${student.username})` }).click()
  await looksRight(page, 'photos-by-teacher')
  await page.getByRole('button', { name: 'Upload 1 page' }).tap()
  await page.getByText('Paper uploaded').waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByText('Ada Lovelace').first().waitFor()
})
