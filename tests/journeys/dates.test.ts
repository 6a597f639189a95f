import { join } from 'node:path'
import { createAssignment } from '@assay/shared/assignments.ts'
import { confirmEmail, registerInstructor, registerStudent } from '@assay/shared/auth.ts'
import { createCourse, enrolStudent } from '@assay/shared/courses.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, createTestApi, type Person } from '../../server/src/testing/api.ts'
import { correctAnswers, drawPaper, quizFiles } from '../../server/src/testing/build-course.ts'
import { readMailsTo, waitForMail } from '../../server/src/testing/outbox.ts'
import { accessibilityProblems } from './accessibility.ts'
import { phone } from './browser.ts'
import { type Product, startProduct, takeScreenshot } from './product.ts'
import { PASSWORD } from './sign-in.ts'

const addressOf = (username: string) => `${username}@school.example`

let product: Product
let api: Api
beforeAll(async () => {
  product = await startProduct()
  api = createTestApi({ running: product })
})
afterAll(async () => {
  await product.close()
})

const outbox = () => join(product.folder, 'data')

async function buildTeacher(username: string): Promise<Person> {
  const body = { username, email: addressOf(username), password: PASSWORD, role: 'instructor' as const }
  const made = await api.nobody.send(registerInstructor, { body })
  return { id: made.body.id, username, password: PASSWORD }
}

/** A student with a confirmed address, as mail goes to no other. */
async function buildStudent(username: string): Promise<Person> {
  const body = { username, email: addressOf(username), password: PASSWORD }
  const made = await api.nobody.send(registerStudent, { body })
  const person = { id: made.body.id, username, password: PASSWORD }
  const { token } = await waitForMail(outbox(), addressOf(username))
  const confirmed = await api.as(person).send(confirmEmail, { body: { token } })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  return person
}

async function signIn(person: Person, options?: Parameters<Product['open']>[0]): Promise<Page> {
  const { page } = await product.open(options)
  await page.goto('/auth/login')
  await page.getByLabel('Username or email').fill(person.username)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/dashboard$/)
  return page
}

/** The value of a `datetime-local` field, in so many hours; browser and test share a time zone. */
function fromNow(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

it('lets one student submit with an extension, refuses the other or marks them late, and sends reminders', async () => {
  const grace = await buildTeacher('grace')
  const [ada, ben] = [await buildStudent('ada'), await buildStudent('ben')]
  const caller = api.as(grace)
  const courseId = (await caller.send(createCourse, { body: { name: 'Physics 101' } })).body.id
  for (const { id } of [ada, ben]) await caller.send(enrolStudent, { params: { courseId }, body: { user_id: id } })
  const { blank, key } = await quizFiles()
  const files = { blank_pdf: [blank], answer_key_pdf: [key] }
  const made = await caller.send(createAssignment, {
    body: { name: 'Water and heat', course_id: courseId },
    files,
  })
  const assignmentId = made.body.id

  // Due an hour ago, no late submissions; Ada has an extension until this evening.
  const teacher = await signIn(grace)
  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await teacher.getByRole('button', { name: 'More for this assignment' }).click()
  await teacher.getByRole('menuitem', { name: 'Settings' }).click()
  await teacher.getByLabel('Due', { exact: true }).fill(fromNow(-1))
  await teacher.getByRole('radio', { name: 'Refuse' }).check()
  await teacher.getByRole('button', { name: 'Save Changes' }).click()
  await teacher.getByRole('button', { name: 'Give Extension' }).click()
  await teacher.getByRole('combobox', { name: 'Student' }).fill('ada')
  await teacher.getByRole('option', { name: 'ada' }).click()
  await teacher.getByLabel('Due for this student').fill(fromNow(3))
  await takeScreenshot(teacher, 'assignment-settings')
  expect(await accessibilityProblems(teacher)).toEqual([])
  await teacher.getByRole('button', { name: 'Save Extension' }).click()
  await teacher.getByRole('list', { name: 'Extensions' }).getByText('ada').waitFor()
  await teacher.setViewportSize(phone)
  await takeScreenshot(teacher, 'assignment-settings-phone')
  const { scrollWidth, clientWidth } = await teacher.evaluate<{ scrollWidth: number; clientWidth: number }>(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  )
  expect(scrollWidth).toBe(clientWidth)
  await teacher.setViewportSize({ width: 1280, height: 800 })

  await teacher.goto(`/assignments/${assignmentId}/submissions`)
  await teacher.getByRole('button', { name: 'Publish', exact: true }).click()
  await teacher.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await teacher.getByText('Assignment published successfully!').waitFor()

  const work = `/student/assignments/${assignmentId}`
  const bens = await signIn(ben)
  await bens.goto(work)
  await bens.getByText('You can’t hand in now').waitFor()
  await takeScreenshot(bens, 'student-closed')

  // The mail has Ada's due date; Ben, whose due date has passed, gets none.
  const reminders = async (person: Person) =>
    (await readMailsTo(outbox(), addressOf(person.username))).filter(({ subject }) => /^Due soon/.test(subject))
  await expect.poll(async () => (await reminders(ada)).length, { timeout: 20_000 }).toBe(1)
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
  const adas = await signIn(ada)
  await handIn(adas)
  expect(await adas.getByText('late', { exact: false }).count()).toBe(0)

  // The teacher accepts late work after all, and it is marked late.
  await teacher.goto(`/assignments/${assignmentId}/settings`)
  await teacher.getByRole('radio', { name: 'Mark late' }).check()
  await teacher.getByRole('button', { name: 'Save Changes' }).click()
  await teacher.getByText('Settings saved.').waitFor()
  await handIn(bens)
  await bens.getByText(/· late/).waitFor()
  expect(product.browserErrors).toEqual([])
})
