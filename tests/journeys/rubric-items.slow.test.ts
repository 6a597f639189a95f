import { getAssignment, publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getQuestion } from '@assay/shared/questions.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers } from '../../server/src/testing/build-course.ts'
import { focusedDialog, phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

/** Right, twice wrong alike, another, and nothing. The first paper is the student's. */
async function buildQuiz(teacher: Awaited<ReturnType<typeof registerPerson>>, courseId: number, student: string) {
  const papers = ['144', '124', '124', '24', ''].map((answer, i) => ({
    file: i === 0 ? student : `other ${i}`,
    full_name: `Student ${'ABCDE'[i]}`,
    answers: [correctAnswers[0] ?? '', 'B', answer],
  }))
  const built = await buildGradedPapers(product.api, { instructor: teacher, courseId }, papers)
  const decided = async () => {
    const params = { assignmentId: built.assignmentId, questionId: 'q3' }
    const { body } = await built.teacher.send(getQuestion, { params })
    const byId = new Map(body.answers.map((answer) => [answer.submission_id, answer.decided?.q3 ?? null]))
    return built.submissionIds.map((id) => byId.get(id) ?? null)
  }
  return { ...built, decided, address: `/assignments/${built.assignmentId}/questions/q3` }
}

const openGroup = (page: Page) => page.locator('[role=option][data-open]')

async function addItem(page: Page, text: string, points: string, screenshot?: string) {
  await page.keyboard.press('i')
  const dialog = await focusedDialog(page)
  await dialog.getByLabel('Points, at most 5').fill(points)
  await dialog.getByLabel('What the student reads').fill(text)
  if (screenshot) await looksRight(page, screenshot)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

it('gives items by keys, changes one for all answers that have it, undoes that after a reload, and finds it again', async () => {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'ida', 'Ida Rhodes')
  const student = await registerPerson(api, 'student', 'sal', 'Sal Khan')
  const course = await api.as(teacher).send(createCourse, { body: { name: 'Physics 8c' } })
  const courseId = course.body.id
  await enrol(product, courseId, student)
  const quiz = await buildQuiz(teacher, courseId, student.username)
  const { page } = await product.openAs(teacher)
  await page.goto(quiz.address)
  await openGroup(page).waitFor()

  await addItem(page, 'Say how you found it.', '1', 'items-add')
  await addItem(page, 'Check the carry: 12 times 12 is 144.', '4')
  await page
    .getByRole('button', { name: /Check the carry/ })
    .first()
    .waitFor()
  await page.keyboard.press('q')
  await page.getByText('1 of 4 groups decided').waitFor()
  await looksRight(page, 'items-given')
  await page.keyboard.press('Enter')
  await openGroup(page).getByText('2 answers').waitFor()
  await page.keyboard.press('q')
  await page.keyboard.press('w')
  await page.getByText('2 of 4 groups decided').waitFor()
  await expect.poll(quiz.decided).toEqual([4, 0, 0, null, null])
  await takeScreenshot(page, 'items-two')

  await page.getByRole('button', { name: 'Edit “Check the carry: 12 times 12 is 144.”' }).click()
  const dialog = await focusedDialog(page)
  await dialog.getByText('This changes 2 answers.').waitFor()
  await dialog.getByLabel('Points, at most 5').fill('2.5')
  await looksRight(page, 'items-edit')
  await dialog.getByRole('button', { name: 'Change 2 answers' }).click()
  await expect.poll(quiz.decided).toEqual([4, 1.5, 1.5, null, null])
  await page.reload()
  await page.getByText('2 of 4 groups decided').waitFor()
  await page.keyboard.press('z')
  await expect.poll(quiz.decided).toEqual([4, 0, 0, null, null])

  await api.as(teacher).send(publishAssignment, { params: { assignmentId: quiz.assignmentId } })
  const read = await api.as(student).send(getStudentAssignment, { params: { assignmentId: quiz.assignmentId } })
  expect(read.body.criterion_grades.at(-1)).toMatchObject({ score: 4, feedback: 'Say how you found it.' })

  const next = await buildQuiz(teacher, courseId, 'nobody')
  const { title } = (await api.as(teacher).send(getAssignment, { params: { assignmentId: quiz.assignmentId } })).body
  await page.goto(next.address)
  await openGroup(page).waitFor()
  await page.keyboard.press('i')
  const bank = page.getByRole('region', { name: 'Comment bank' })
  await bank.getByText(/^The most used/).waitFor()
  await looksRight(page, 'items-bank')
  await page.keyboard.type('found')
  await bank.getByText('1 item with these words.').waitFor()
  await bank.getByText(title).waitFor()
  await bank.getByRole('button', { name: /Say how you found it/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Takes off 1 point/ }).waitFor()
  await page.keyboard.press('q')
  await expect.poll(next.decided).toEqual([4, null, null, null, null])
  expect(product.browserErrors).toEqual([])
})

it('has items on a phone, in the dark', async () => {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'ida', 'Ida Rhodes')
  const course = await api.as(teacher).send(createCourse, { body: { name: 'Physics 8d' } })
  const quiz = await buildQuiz(teacher, course.body.id, 'nobody')
  const { page } = await product.openAs(teacher, {
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  })
  await page.goto(quiz.address)
  await page.getByRole('option').nth(1).tap()
  await page.getByText('All 2 answers').waitFor()
  await page.getByRole('button', { name: 'Add a rubric item' }).tap()
  const dialog = await focusedDialog(page)
  await dialog.getByText('Gives').tap()
  await dialog.getByLabel('Points, at most 5').fill('2')
  await dialog.getByLabel('What the student reads').fill('The way is right, the result is not.')
  await looksRight(page, 'items-phone-add')
  await dialog.getByRole('button', { name: 'Add item' }).tap()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Gives 2 points/ }).tap()
  await expect.poll(quiz.decided).toEqual([null, 2, 2, null, null])
  await looksRight(page, 'items-phone')
  expect(product.browserErrors).toEqual([])
})
