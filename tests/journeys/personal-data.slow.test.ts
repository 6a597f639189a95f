import { readFile } from 'node:fs/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse, createJoinCode } from '@assay/shared/courses.ts'
import { handInPaper, joinCourse } from '@assay/shared/students.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildAssignment, drawPaper, gradeAssignment, weakAnswers } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { desktop, focusedDialog, phone } from './support/browser.ts'
import { firstAdmin, looksRight, registerPerson, takeScreenshot, useOwnProduct } from './support/product.ts'

const product = useOwnProduct()

async function looksRightInBoth(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone)
  await looksRight(page, `phone-${name}`)
  await page.setViewportSize(desktop)
  await looksRight(page, name)
}

async function buildReleased(teacher: Person, students: Person[]): Promise<number> {
  const { api } = product
  const { body: course } = await api.as(teacher).send(createCourse, { body: { name: 'Physics 101' } })
  const { body } = await api.as(teacher).send(createJoinCode, { params: { courseId: course.id } })
  const { assignmentId } = await buildAssignment(api, { instructor: teacher, courseId: course.id }, [])
  const params = { assignmentId }
  await api.as(teacher).send(publishAssignment, { params })
  for (const student of students) {
    await api.as(student).send(joinCourse, { body: { code: body.join_code } })
    const file = [{ name: 'mine.pdf', bytes: await drawPaper({ full_name: student.username }, weakAnswers) }]
    const handed = await api.as(student).send(handInPaper, { params, body: {}, files: { file } })
    expect(handed.status, handed.text).toBe(201)
  }
  await gradeAssignment(api, teacher, assignmentId)
  await api.as(teacher).send(publishAssignment, { params })
  return assignmentId
}

async function exportedGrades(page: Page, assignmentId: number): Promise<string> {
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /Grades.*CSV|CSV/ }).click()
  return readFile(await (await saving).path(), 'utf8')
}

it('lets a student take their data along and go, and leaves the teacher the released score', async () => {
  const teacher = await registerPerson(product.api, 'instructor', 'grace', 'Grace Hopper')
  const ada = await registerPerson(product.api, 'student', 'ada', 'Ada Lovelace')
  const ben = await registerPerson(product.api, 'student', 'ben', 'Ben Osei')
  const assignmentId = await buildReleased(teacher, [ada, ben])

  const { page } = await product.openAs(ada)
  await page.goto('/student/profile')
  const section = page.getByRole('region', { name: 'Your data' })
  await section.scrollIntoViewIfNeeded()
  const saving = page.waitForEvent('download')
  await section.getByRole('button', { name: 'Download my data' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`assay_data_${ada.id}.zip`)
  const zip = await readFile(await saved.path())
  expect(zip.subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'))
  for (const name of ['data.json', 'mine.pdf']) expect(zip.includes(name)).toBe(true)
  await section.getByText(/^Downloaded\./).waitFor()
  await looksRightInBoth(page, 'your-data')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksRightInBoth(page, 'dark-your-data')
  await page.emulateMedia({ colorScheme: 'light' })

  await section.getByRole('button', { name: 'Delete my account…' }).click()
  const dialog = await focusedDialog(page)
  await dialog.getByText('1 paper, with everything read from it').waitFor()
  await dialog.getByText(/1 released score, under a placeholder/).waitFor()
  await looksRightInBoth(page, 'delete-own-account')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksRightInBoth(page, 'dark-delete-own-account')
  await page.emulateMedia({ colorScheme: 'light' })
  await dialog.getByLabel(/^Password of/).fill('not-the-password')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('Password is incorrect').waitFor()
  await dialog.getByLabel(/^Password of/).fill(ada.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('heading', { name: 'Your account is being deleted' }).waitFor()
  await looksRightInBoth(page, 'account-deleted')
  await page.emulateMedia({ colorScheme: 'dark' })
  await looksRightInBoth(page, 'dark-account-deleted')
  await page.goto('/student/dashboard')
  await page.waitForURL('**/auth/login**')

  const { page: other } = await product.openAs(teacher)
  await expect.poll(async () => (await exportedGrades(other, assignmentId)).includes(ada.username)).toBe(false)
  const rows = (await exportedGrades(other, assignmentId)).split('\n').filter((row) => row.includes('Deleted student'))
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatch(/^"Deleted student [0-9a-f]{4,}".*"[0-9.]+"/)
  await other.getByText('Submissions (1)').waitFor()
  await other
    .getByRole('region', { name: 'Deleted accounts' })
    .getByText(/^Deleted student [0-9a-f]{4,}$/)
    .waitFor()
  await other.getByText(ben.username).filter({ visible: true }).first().waitFor()
  await looksRightInBoth(other, 'submissions-of-deleted')
  expect(product.browserErrors).toEqual([])
})

it('lets an administrator download a user’s data and delete the account', async () => {
  const teacher = await registerPerson(product.api, 'instructor', 'mary', 'Mary Somerville')
  const cleo = await registerPerson(product.api, 'student', 'cleo', 'Cleo Marchbanks')
  await buildReleased(teacher, [cleo])
  const { page } = await product.openAs(await firstAdmin(product))
  await page.goto('/admin/users')
  const choose = async ({ id }: { id: number }, name: string, action: string) => {
    const row = page.getByRole('row').filter({ hasText: new RegExp(`· ID ${id}(?!\\d)`) })
    await row.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).waitFor()
    await takeScreenshot(page, 'user-menu')
    await page.getByRole('menuitem', { name: action }).click()
    await focusedDialog(page)
  }
  const dialog = page.getByRole('dialog')

  await choose(cleo, 'Cleo Marchbanks', 'Download data')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download data' }).click()
  expect((await saving).suggestedFilename()).toBe(`assay_data_${cleo.id}.zip`)
  await dialog.getByText(/^Downloaded\./).waitFor()
  await looksRightInBoth(page, 'download-user-data')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  // The only teacher of a course stays until somebody else teaches it.
  await choose(teacher, 'Mary Somerville', 'Delete account…')
  await dialog.getByText(/is the only instructor of “Physics 101”/).waitFor()
  await looksRightInBoth(page, 'delete-user-blocked')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.emulateMedia({ colorScheme: 'dark' })
  await choose(cleo, 'Cleo Marchbanks', 'Delete account…')
  await dialog.getByText('1 paper, with everything read from it').waitFor()
  await looksRightInBoth(page, 'dark-delete-user')
  await dialog.getByLabel(`Type ${cleo.username} to confirm`).fill(cleo.username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('Deleting files, each once it is an hour old').waitFor()
  await looksRightInBoth(page, 'dark-deletion-under-way')
  await page.emulateMedia({ colorScheme: 'light' })
  await looksRightInBoth(page, 'deletion-under-way')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('row').filter({ hasText: `· ID ${cleo.id}` })
  await row.getByText('Personal data deleted').waitFor()
  await looksRightInBoth(page, 'users-with-deleted')
  expect(await page.getByText(cleo.username).count()).toBe(0)

  const ben = await registerPerson(product.api, 'student', 'ben')
  await page.reload()
  await choose(ben, ben.username, 'Delete account…')
  await dialog.getByLabel(`Type ${ben.username} to confirm`).fill(ben.username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('The account is deleted').waitFor()
  await looksRightInBoth(page, 'deletion-done')

  await page.goto('/admin/audit')
  for (const event of ['User’s data downloaded', 'Account deleted'])
    await page.getByRole('listitem').filter({ hasText: event }).first().waitFor()
  await looksRightInBoth(page, 'audit-of-deletions')
  expect(product.browserErrors).toEqual([])
})
