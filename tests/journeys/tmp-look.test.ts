import { getSeparatorSheets } from '@assay/shared/printing.ts'
import { PDFDocument } from 'pdf-lib'
import { it } from 'vitest'
import { drawBlank } from '../papers/draw-papers.ts'
import { longQuiz } from '../bench/long-quiz.ts'
import { copySheets } from '../papers/copier.ts'
import { phone } from './support/browser.ts'
import { buildClassWithPapers } from './support/class-with-papers.ts'
import { takeScreenshot } from './support/product.ts'
import { useProduct } from './support/use-product.ts'
const product = useProduct()
const quiz = { ...longQuiz, title: 'Six questions of science', questions: longQuiz.questions.slice(0, 6) }
it('looks', async () => {
  const { teacher, params } = await buildClassWithPapers(product, ['Abena Osei', 'Elena Garcia'], quiz)
  const separators = (await product.api.as(teacher).send(getSeparatorSheets, { params, query: { sheets: 1 } })).bytes
  const document = await PDFDocument.create()
  for (const [pdf, n] of [[separators, 1], [await drawBlank(quiz), 2]] as const) {
    const source = await PDFDocument.load(pdf)
    for (const page of await document.copyPages(source, [...Array(n).keys()])) document.addPage(page)
  }
  const stack = await copySheets(Buffer.from(await document.save()), [1, 2, 3, 1, 2, 3].map((page) => ({ page, turned: 1, dpi: 100 })), 3)
  for (const [name, options] of [['wide', {}], ['phone', { viewport: phone, hasTouch: true, isMobile: true }]] as const) {
    const { page } = await product.openAs(teacher, options)
    await page.goto(`/assignments/${params.assignmentId}/class-scans`)
    await takeScreenshot(page, `look-upload-${name}`)
    await page.locator('input[type=file]').setInputFiles(await product.file('copier.pdf', stack))
    await page.getByRole('button', { name: 'Upload and split' }).click()
    await page.getByRole('button', { name: 'Confirm papers' }).waitFor({ timeout: 90_000 })
    await takeScreenshot(page, `look-review-${name}`)
    await page.getByRole('region', { name: 'Dropped pages' }).scrollIntoViewIfNeeded()
    await takeScreenshot(page, `look-dropped-${name}`)
    await page.goto(`/assignments/${params.assignmentId}/submissions`)
    await page.getByRole('button', { name: 'More for this assignment' }).click()
    await page.getByRole('menuitem', { name: 'Print for the class' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print for the class' })
    await dialog.getByRole('button', { name: 'Download separator sheets' }).scrollIntoViewIfNeeded()
    await takeScreenshot(page, `look-separators-${name}`)
  }
}, 200_000)
