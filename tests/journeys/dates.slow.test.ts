import { createAssignment } from '@assay/shared/assignments.ts'
import { confirmEmail } from '@assay/shared/auth.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper, quizFiles } from '../../server/src/testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../server/src/testing/mail-server.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { dateTimeIn, phone } from './support/browser.ts'
import { emailOf, enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

async function buildStudent(name: string): Promise<Person> {
  const person = await registerPerson(product.api, 'student', name)
  const { token } = await waitForMail(product.dataDir, emailOf(person.username))
  const confirmed = await product.api.as(person).send(confirmEmail, { body: { token } })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  return person
}

it('lets one student submit with an extension, refuses the other or marks them late, and sends reminders', async () => {
  const grace = await registerPerson(product.api, 'instructor', 'grace')
  const [ada, ben] = [await buildStudent('ada'), await buildStudent('ben')]
  const caller = product.api.as(grace)
  const courseId = (await caller.send(createCourse, { body: { name: 'Physics 101' } })).body.id
  for (const student of [ada, ben]) await enrol(product, courseId, student)
  const { blank, key } = await quizFiles()
  const files = { blank_pdf: [blank], answer_key_pdf: [key] }
  const made = await caller.send(createAssignment, { body: { name: 'Water and heat', course_id: courseId }, files })
  const assignmentId = made.body.id

  // Due an hour ago, no late submissions; Ada has an extension until this evening.
  const { page: teacher } = await product.openAs(grace)
  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await teacher.getByRole('button', { name: 'More for this assignment' }).click()
  await teacher.getByRole('menuitem', { name: 'Settings' }).click()
  await teacher.getByLabel('Due', { exact: true }).fill(dateTimeIn(-1))
  await teacher.getByRole('radio', { name: 'Refuse' }).check()
  await teacher.getByRole('button', { name: 'Save Changes' }).click()
  await teacher.getByRole('button', { name: 'Give Extension' }).click()
  await teacher.getByRole('combobox', { name: 'Student' }).fill(ada.username)
  await teacher.getByRole('option', { name: ada.username }).click()
  await teacher.getByLabel('Due for this student').fill(dateTimeIn(3))
  await looksRight(teacher, 'assignment-settings')
  await teacher.getByRole('button', { name: 'Save Extension' }).click()
  await teacher.getByRole('list', { name: 'Extensions' }).getByText(ada.username).waitFor()
  await teacher.setViewportSize(phone)
  await looksRight(teacher, 'assignment-settings-phone')
  await teacher.setViewportSize({ width: 1280, height: 800 })

  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await teacher.getByRole('button', { name: 'Publish', exact: true }).click()
  await teacher.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await teacher.getByText('Assignment published successfully!').waitFor()

  const work = `/student/assignments/${assignmentId}`
  const { page: bens } = await product.openAs(ben)
  await bens.goto(work)
  await bens.getByText('You can’t hand in now').waitFor()
  await takeScreenshot(bens, 'student-closed')

  // Ben, whose due date has passed, gets no mail.
  const reminders = async (person: Person) =>
    (await readMailsTo(product.dataDir, emailOf(person.username))).filter(({ subject }) => /^Due soon/.test(subject))
  await expect.poll(async () => (await reminders(ada)).length).toBe(1)
  expect((await reminders(ada))[0]?.link).toBe(work)
  expect(await reminders(ben)).toEqual([])

  const paper = await product.file('mine.pdf', await drawPaper({ full_name: 'Someone' }, correctAnswers))
  const handIn = async (page: Page) => {
    await page.goto(work)
    await page.getByLabel('Choose your paper').setInputFiles(paper)
    await page.getByRole('button', { name: 'Hand in', exact: true }).click()
    await page
      .getByText(/^Handed in on/)
      .first()
      .waitFor()
  }
  const { page: adas } = await product.openAs(ada)
  await handIn(adas)
  expect(await adas.getByText('late', { exact: false }).count()).toBe(0)

  await teacher.goto(`/assignments/${assignmentId}/settings`)
  await teacher.getByRole('radio', { name: 'Mark late' }).check()
  await teacher.getByRole('button', { name: 'Save Changes' }).click()
  await teacher.getByText('Settings saved.').waitFor()
  await handIn(bens)
  await bens.getByText(/· late/).waitFor()
  expect(product.browserErrors).toEqual([])
})
