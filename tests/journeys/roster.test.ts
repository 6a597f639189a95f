import { createCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { phone } from './support/browser.ts'
import { accessibilityProblems, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

const bad: [place: number, line: string, reason: string][] = [
  [3, 'not-an-address,E,S', 'Please enter a valid email address'],
  [50, ',E,S', 'Email is required'],
  [120, 'student0@roster.example,E,S', 'This address is already in row 2.'],
  [200, 'a@b..example,E,S', 'Invalid email domain format'],
  [300, '"open@roster.example,E,S', 'A quotation mark is missing or misplaced'],
  [400, 'more@roster.example,E,S,5', 'The row has more cells than the header.'],
  [480, '<b>@roster.example,E,S', 'Invalid email format - contains prohibited characters'],
]

function rosterOf500(): Buffer {
  const lines = Array.from({ length: 493 }, (_, i) => `student${i}@roster.example,"E,${i}",S${i}`)
  for (const [place, line] of bad) lines.splice(place, 0, line)
  return Buffer.from(`\ufeffEmail,External_User_ID,SIS_User_ID\r\n${lines.join('\r\n')}\r\n`)
}

it('Roster: imports a roster of 500 from CSV, names each of its 7 invalid rows, and enrols 493', async () => {
  const instructor = await registerPerson(product.api, 'instructor', 'grace')
  const made = await product.api.as(instructor).send(createCourse, { body: { name: 'Physics 101' } })
  const course = `/courses/${made.body.id}`
  const { page } = await product.openAs(instructor)
  await page.goto(course)
  await page.getByRole('link', { name: 'Manage Roster' }).click()
  await page.getByText('No students enrolled').waitFor()
  const choose = page.getByLabel('Choose a CSV file')
  await choose.setInputFiles(await product.file('class.xlsx', Buffer.from('PK')))
  await page.getByText('Please select a CSV file').waitFor()
  await choose.setInputFiles(await product.file('class.csv', rosterOf500()))
  await page.getByText('493 students; 7 rows cannot be used.').waitFor()
  await page.getByRole('radio', { name: 'Yes, email them' }).check()
  await page.getByRole('button', { name: 'Add 493 Students' }).click()
  await page.getByText('Processed 500 students. 493 successful, 7 failed.').waitFor({ timeout: 180_000 })

  const results = page.getByRole('region', { name: 'Upload results' })
  const rows = await results.locator('tbody tr').allInnerTexts()
  expect(rows).toHaveLength(500)
  for (const [i, [place, , reason]] of bad.entries()) {
    expect(rows[i]).toContain(String(place + 2))
    expect(rows[i]).toContain('Failed')
    expect(rows[i]).toContain(reason)
  }
  await page.getByRole('heading', { name: 'Current Roster (493)' }).waitFor()
  await takeScreenshot(page, 'roster')
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByLabel('Search students by name, email or number').fill('student492@')
  await page.getByText('1 of 493 students shown').waitFor()
  await page.getByRole('button', { name: 'Remove student492' }).click()
  await page.getByText('Are you sure you want to remove student492 from this course?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('student492@roster.example was removed from the course.').waitFor()
  await page.getByText('No students match your search.').waitFor()

  await page.setViewportSize(phone)
  await page.goto(`${course}/roster`)
  await page.getByRole('heading', { name: 'Current Roster (492)' }).waitFor()
  await takeScreenshot(page, 'phone-roster')
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow).toBe(0)

  await page.goto(`${course}/edit`)
  await page.getByLabel('Course Name').fill('Donaudampfschifffahrt'.repeat(9))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('heading', { name: /^Donau/ }).waitFor()
  await page.goto(course)
  await page.getByRole('button', { name: 'More for this course' }).click()
  await page.getByRole('menuitem', { name: 'Delete Course' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Type Donau/).waitFor()
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  expect(product.browserErrors).toEqual([])
})
