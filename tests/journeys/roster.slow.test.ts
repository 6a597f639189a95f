import { createCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { desktop, phone } from './support/browser.ts'
import { gradeOnePaper } from './support/class-with-papers.ts'
import { looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

function gradebook(): Buffer {
  const students = ['Lovelace, Ada', 'Turing, Alan', 'van Dam, Lotte']
  const scores = ',,'.repeat(4)
  const rows = students.map((name, i) => `"${name}",${5100 + i},2048103${i},user${i},8b${scores}`)
  const quizzes = Array.from({ length: 8 }, (_, i) => `Quiz ${i + 1} (87${i})`)
  const header = ['Student,ID,SIS User ID,SIS Login ID,Section', ...quizzes].join(',')
  return Buffer.from([header, `    Points Possible,,,,${scores}`, ...rows, ''].join('\r\n'))
}

it('Roster: shows how a gradebook is read before anybody is added, and keeps names and numbers without a mail', async () => {
  const instructor = await registerPerson(product.api, 'instructor', 'hedy')
  const made = await product.api.as(instructor).send(createCourse, { body: { name: 'Radio 8b' } })
  const { page } = await product.openAs(instructor)
  await page.goto(`/courses/${made.body.id}/roster`)
  await page.getByText('No students enrolled').waitFor()
  const plain = 'Last Name,First Name,Student ID,Email\nHopper,Grace,77,grace@navy.example\nRoth,Ben,78,ben\n'
  await page.getByLabel('Choose a CSV file').setInputFiles(await product.file('plain.csv', Buffer.from(plain)))
  await page.getByText('1 student; 1 row cannot be used.').waitFor()
  await page.getByRole('button', { name: 'Add 1 Student' }).click()
  await page.getByText('Choose whether the students are emailed').waitFor()
  await looksRight(page, 'roster-preview')
  await page.getByRole('button', { name: 'Choose another' }).click()

  await page.setViewportSize(phone)
  await page.getByLabel('Choose a CSV file').setInputFiles(await product.file('gradebook.csv', gradebook()))
  const heading = page.getByRole('heading', { name: 'Check the file from Canvas' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await page.getByText('“Points Possible” in row 2').waitFor()
  await looksRight(page, 'phone-roster-preview')
  await page.getByLabel('What “SIS Login ID” holds').selectOption('Not used')
  await page.getByRole('button', { name: 'Add 3 Students' }).click()
  await page.getByText('Processed 3 students. 3 successful, 0 failed.').waitFor()
  const list = page.getByRole('list', { name: 'Students' })
  await list.getByText('Lotte van Dam', { exact: true }).waitFor()
  expect(await list.getByText('No email address').count()).toBe(3)
  await looksRight(page, 'phone-roster-without-email')

  const corrected = Buffer.from('Name,Student ID\nLotte de Groot,20481032\n')
  await page.getByLabel('Choose a CSV file').setInputFiles(await product.file('corrected.csv', corrected))
  await page.getByText('Row 2: Lotte van Dam becomes Lotte de Groot').waitFor()
  await looksRight(page, 'phone-roster-new-name')
  await page.setViewportSize(desktop)
  await looksRight(page, 'roster-new-name')
  await page.getByRole('button', { name: 'Add 1 Student' }).click()
  const undo = page.getByRole('button', { name: 'Undo 1 new name' })
  await undo.waitFor()
  await list.getByText('Lotte de Groot', { exact: true }).waitFor()
  await looksRight(page, 'roster-renamed')
  await undo.click()
  await list.getByText('Lotte van Dam', { exact: true }).waitFor()
  expect(await undo.count()).toBe(0)
  expect(product.browserErrors).toEqual([])
})

it('Grades: says before an export how many of them nobody has approved', async () => {
  const { instructor, assignmentId } = await gradeOnePaper(product)
  const { page } = await product.openAs(instructor)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  for (const [name, viewport] of Object.entries({ '': desktop, 'phone-': phone })) {
    await page.setViewportSize(viewport)
    await page.getByRole('button', { name: 'More for this assignment' }).click()
    await page.getByText('1 of 1 grade is a suggestion that nobody has approved.').waitFor()
    await takeScreenshot(page, `${name}export-menu`)
    await page.getByRole('menuitem', { name: 'Export for Canvas' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 of 1 grade is a suggestion').waitFor()
    await looksRight(page, `${name}export-for-canvas`)
    await dialog.getByLabel('Export it too').check()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    expect((await saved).suggestedFilename()).toBe(`assignment_${assignmentId}_grades_canvas.csv`)
    await dialog.waitFor({ state: 'detached' })
  }
  expect(product.browserErrors).toEqual([])
})
