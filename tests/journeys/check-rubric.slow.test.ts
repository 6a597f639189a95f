import { createCourse } from '@assay/shared/courses.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { drawPaper } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { drawSheets, emptySheet, margin, type Sheet, sheetWidth } from '../papers/sheet.ts'
import { phone } from './support/browser.ts'
import { looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
let grace: Person
beforeAll(async () => {
  grace = await registerPerson(product.api, 'instructor', 'grace')
  await product.api.as(grace).send(createCourse, { body: { name: 'Physics 101' } })
})

async function create(page: Page) {
  const { blank, key } = await drawUnclearExam()
  await page.goto('/create-assignment')
  await page.getByLabel('Assignment name').fill('Heat and water')
  const choose = async (label: string, name: string, bytes: Buffer) =>
    page.getByLabel(label).setInputFiles([await product.file(name, bytes)])
  await choose('Choose the blank assignment', 'blank.pdf', blank)
  await choose('Choose the answer key', 'key.pdf', key)
  await choose('Choose student papers', 'ada.pdf', await drawPaper({ full_name: 'Ada' }, ['cold', 'steam', '4']))
  await page.getByRole('button', { name: 'Create Assignment' }).click()
}

async function drag(page: Page, sheet: Locator, from: [x: number, y: number], to: [x: number, y: number]) {
  const frame = await sheet.boundingBox()
  if (!frame) throw new Error('the page is not shown')
  const at = ([x, y]: [number, number]) => [frame.x + x * frame.width, frame.y + y * frame.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at(to), { steps: 4 })
  await page.mouse.up()
}

it('goes from upload to a confirmed rubric, each problem put right on the page', async () => {
  const { api } = product
  const { page } = await product.openAs(grace)
  await create(page)

  await page.waitForURL(/assignments\/\d+\/rubric/)
  const assignmentId = Number(/assignments\/(\d+)/.exec(page.url())?.[1])
  await page.getByRole('heading', { name: 'Check the rubric' }).waitFor()
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByRole('heading', { name: '3 problems to check' }).waitFor()
  await problems.getByText('Number 3 is missing: question 4 comes after question 2.').waitFor()
  await problems.getByText(/^Question 4 was given 10 points: no points are printed/).waitFor()
  await problems.getByText('Question 2: there is no expected answer.').waitFor()
  const blank = page.getByRole('region', { name: 'Blank assignment', exact: true })
  await blank.getByRole('button', { name: 'Answer area of question 4' }).waitFor()
  const key = page.getByRole('region', { name: 'Answer key', exact: true })
  await key.locator('canvas').waitFor()
  await key.getByRole('button', { name: 'Key’s answer of question 4' }).waitFor()
  const sheet = page.getByRole('region', { name: 'Page 1 of 1' })
  await looksRight(page, 'check-rubric')

  await page.getByRole('link', { name: 'Heat and water' }).click()
  await page.getByRole('link', { name: 'Check the Rubric' }).waitFor()
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  const dialog = page.getByRole('dialog', { name: 'Grade 1 paper?' })
  await dialog.getByText('The rubric has 3 open problems').waitFor()
  await takeScreenshot(page, 'process-open-problems')
  await dialog.getByRole('link', { name: 'Check the Rubric' }).click()

  await problems.getByRole('button', { name: 'Renumber 4 to 3' }).click()
  await problems.getByRole('button', { name: 'Pick from the key, question 2' }).click()
  await page.getByText('Drag a rectangle around the answer to question 2 in the key.').waitFor()
  await sheet.locator('canvas').waitFor()
  await takeScreenshot(page, 'check-rubric-pick')
  // “evaporation”, on the line below the note.
  await drag(page, sheet, [0.05, 0.113], [0.6, 0.142])
  await problems.getByRole('heading', { name: '1 problem to check' }).waitFor()
  await problems.getByRole('textbox', { name: 'Question 3' }).fill('8')
  await takeScreenshot(page, 'check-rubric-points')
  await problems.getByRole('button', { name: 'Set points', exact: true }).click()
  await problems
    .getByRole('button', { name: /^It’s fine: The paper says 20 points, the questions add up to 18/ })
    .click()
  await problems.getByRole('heading', { name: 'Nothing left to check' }).waitFor()

  await page.getByRole('radiogroup').getByText('Blank assignment').click()
  await sheet.getByRole('button', { name: 'Answer area of question 2' }).click()
  expect(await page.getByLabel('Expected answer').inputValue()).toBe('evaporation')
  await page.getByRole('button', { name: 'Draw on the page' }).click()
  await drag(page, sheet, [0.09, 0.38], [0.9, 0.5])
  await page.getByLabel('Left (mm), answer area 1').waitFor()
  expect(Number(await page.getByLabel('Left (mm), answer area 1').inputValue())).toBeCloseTo(19, -1)
  await page.getByText('You have unsaved changes').waitFor()
  await looksRight(page, 'check-rubric-drawn')

  await page.getByRole('button', { name: 'Split into parts…' }).click()
  const parts = page.getByRole('dialog', { name: 'Split question 2 into parts' })
  await parts.getByLabel('Points of part 1').fill('2')
  await parts.getByText('4.5 of the question’s 5 points').waitFor()
  await looksRight(page, 'check-rubric-parts')
  await parts.getByRole('button', { name: 'Split', exact: true }).click()
  await problems.getByText('Question 2 b: there is no expected answer.').waitFor()
  await page.getByRole('button', { name: 'Undo the last change' }).click()
  await problems.getByRole('heading', { name: 'Nothing left to check' }).waitFor()

  await page.getByRole('radiogroup').getByText('Both').click()
  await page.getByRole('button', { name: 'Paste the key…' }).click()
  await page.keyboard.type('1 warm\n2 steam')
  await page.getByText('2 questions will change.').waitFor()
  await key.getByRole('button', { name: 'Key’s answer of question 3' }).click({ trial: true })
  await looksRight(page, 'check-rubric-paste')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Confirm Rubric' }).click()
  await page.waitForURL('**/submissions')
  await page
    .getByRole('list', { name: 'Steps' })
    .getByText(/checked$/)
    .waitFor()
  await takeScreenshot(page, 'rubric-checked')
  const { body } = await api.as(grace).send(getRubric, { params: { assignmentId } })
  expect(body).toMatchObject({
    version: 2,
    checked: { by_name: grace.username },
    rubric: { problems: [{ code: 'points_total', dismissed: true }] },
  })
  expect(body.rubric?.questions.map(({ number, criteria }) => [number, criteria[0]?.points])).toEqual([
    ['1', 5],
    ['2', 5],
    ['3', 8],
  ])
  expect(body.rubric?.questions[1]?.regions).toMatchObject([{ page: 1, drawn: true }])

  await page.getByRole('button', { name: 'Process & Grade' }).click()
  await page.getByText('Processing started successfully!').waitFor()
  const rows = async () => (await api.as(grace).send(listSubmissions, { params: { assignmentId } })).body
  await expect.poll(async () => (await rows())[0]?.status).toMatch(/graded|flagged/)

  await page.goto(`/assignments/${assignmentId}/rubric`)
  await page.getByRole('button', { name: 'Undo Confirmation' }).click()
  await page.getByRole('button', { name: 'Confirm Rubric' }).waitFor()
  expect(product.browserErrors).toEqual([])
})

it('is done on a phone too, with the pages in a sheet', async () => {
  const { page } = await product.openAs(grace, { viewport: phone })
  await create(page)
  await page.waitForURL(/assignments\/\d+\/rubric/)
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByRole('heading', { name: '3 problems to check' }).waitFor()
  await looksRight(page, 'check-rubric-phone')
  await page.getByRole('button', { name: 'Paste the key…' }).click()
  await page.getByRole('region', { name: 'Answer key' }).locator('canvas').waitFor()
  await looksRight(page, 'check-rubric-phone-paste')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await problems.getByRole('button', { name: 'Pick from the key, question 2' }).click()
  const sheet = page.getByRole('region', { name: 'Page 1 of 1' })
  await sheet.locator('canvas').waitFor()
  await looksRight(page, 'check-rubric-phone-pick')
  await drag(page, sheet, [0.05, 0.113], [0.6, 0.142])
  await problems.getByRole('heading', { name: '2 problems to check' }).waitFor()
  await problems.getByRole('button', { name: /^It’s fine: Question 4 was given 10 points/ }).click()
  await problems.getByRole('button', { name: 'Renumber 4 to 3' }).click()
  const names = ['Confirm Rubric', 'Save Rubric', 'Undo the last change', 'Discard Changes']
  const boxes = await Promise.all(names.map((name) => page.getByRole('button', { name }).boundingBox()))
  expect(new Set(boxes.map((box) => Math.round(box?.y ?? -1))).size).toBe(1)
  await takeScreenshot(page, 'check-rubric-phone-changed')
  await page.getByRole('button', { name: 'Confirm Rubric' }).click()
  await page.waitForURL('**/submissions')
  await page
    .getByRole('list', { name: 'Steps' })
    .getByText(/checked$/)
    .waitFor()
  expect(product.browserErrors).toEqual([])
})

/** Question 4 follows 2 and has no points; the key says the answer to 2 in a note at the top. */
async function drawUnclearExam(): Promise<{ blank: Buffer; key: Buffer }> {
  const title = 'Heat and water'
  const blank = await drawSheets(
    [
      page(title, [
        ['Name: ______________________', 90],
        ['Total: 20 marks', 112],
        ['1. Why does ice float on water? (5 marks)', 150],
        ['2. What is it called when water becomes vapour below its boiling point? (5 marks)', 300],
        ['4. Heating 1 kg of water by 2 K takes how much energy, in kJ?', 450],
      ]),
    ],
    { title },
  )
  const key = await drawSheets(
    [
      page(`${title}: answers`, [
        ['For the second one accept only', 90],
        ['evaporation', 112],
        ['1. Ice is less dense than water.', 150],
        ['4. 8.4 kJ', 200],
      ]),
    ],
    { title: 'Answers' },
  )
  return { blank, key }
}

function page(title: string, lines: [text: string, y: number][]): Sheet {
  const sheet = emptySheet()
  sheet.ink.push({ text: title, x: margin, y: 60, font: 'Helvetica-Bold', size: 15 })
  for (const [text, y] of lines) {
    sheet.ink.push({ text, x: margin, y, font: 'Helvetica', size: 11 })
    if (/^\d\. .*\?/.test(text))
      for (const line of [40, 70, 100]) sheet.rules.push({ x1: margin, x2: sheetWidth - margin, y: y + line })
  }
  return sheet
}
