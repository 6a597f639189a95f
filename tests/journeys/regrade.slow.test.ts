import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { decideAnswers } from '@assay/shared/questions.ts'
import { requestRegrade } from '@assay/shared/regrades.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { buildGradedPapers, correctAnswers } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()
/** Question 3, which is 144. */
const third = ['124', '124', '124', '124', '144']
const names = ['Ada Byron', 'Ben Okri', 'Cleo Sand', 'Dan Brown', 'Eve Adams']

/** Dan's 124 has a point from a person; Ada and Eve ask for a regrade. */
async function buildReleased() {
  const { api } = product
  const grace = await registerPerson(api, 'instructor', 'grace', 'Grace Hopper')
  const teacher = api.as(grace)
  const { body: course } = await teacher.send(createCourse, { body: { name: 'Physics 8b' } })
  const students: Person[] = []
  for (const full_name of names) {
    const student = await registerPerson(api, 'student', full_name.split(' ')[0]?.toLowerCase() ?? '', full_name)
    await enrol(product, course.id, student)
    students.push(student)
  }
  const papers = names.map((full_name, i) => ({
    file: students[i]?.username ?? '',
    full_name,
    answers: [correctAnswers[0] ?? '', 'B', third[i] ?? ''],
  }))
  const built = await buildGradedPapers(api, { instructor: grace, courseId: course.id }, papers)
  const { assignmentId, submissionIds, params } = built
  await teacher.send(decideAnswers, {
    params: { ...params, questionId: 'q3' },
    body: { answers: [{ submission_id: submissionIds[3] ?? 0, decided: null }], points: { q3: 1 } },
  })
  await teacher.send(publishAssignment, { params })
  for (const [student, reason, place] of [
    [students[0], String.raw`In base 12, $12 \times 12 = 124_{12}$.`, 2],
    [students[4], 'I also wrote that the molecules are further apart.', 0],
  ] as const) {
    const as = api.as(student as Person)
    const { body } = await as.send(getStudentAssignment, { params })
    await as.send(requestRegrade, { params, body: { reason, criterion_id: body.criterion_grades[place]?.id ?? 0 } })
  }
  return { grace, students, assignmentId }
}

it('grants a request at its question, accepts the answer for everyone, and moves two others', async () => {
  const { grace, students, assignmentId } = await buildReleased()
  const { page } = await product.openAs(grace)
  await page.goto(`/assignments/${assignmentId}/submissions`)
  await page.getByText('2 open regrade requests').waitFor()
  await takeScreenshot(page, 'regrade-notice')
  await page.getByRole('link', { name: 'Answer requests' }).click()
  await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
  await looksRight(page, 'regrades')
  await page.getByRole('link', { name: 'Ada Byron' }).click()
  await page.getByLabel('Points for question 3').fill('5')
  const formulas = page.locator('math')
  await expect.poll(() => formulas.count()).toBe(1)
  // Its last words are no formula.
  await page.getByLabel('Your answer').fill(String.raw`You are right: $\frac{288}{2}$. Books cost $5 and $6.`)
  await expect.poll(() => formulas.count()).toBe(2)
  await looksRight(page, 'regrade-grant')
  await page.getByRole('button', { name: 'Give 5 and answer' }).click()
  await page.getByText('Granted').waitFor()
  await looksRight(page, 'regrade-granted')

  await page.getByRole('button', { name: 'Accept this answer for everyone' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Accepted answer for question 3').inputValue()).toBe('124')
  await looksRight(page, 'regrade-words')
  await dialog.getByRole('button', { name: 'Find like answers' }).click()
  await dialog.getByText('The points of 3 other answers would change.').waitFor()
  expect(await dialog.getByRole('checkbox', { name: /^Ben Okri/ }).isChecked()).toBe(true)
  expect(await dialog.getByRole('checkbox', { name: /^Dan Brown/ }).isChecked()).toBe(false)
  await dialog.getByRole('button', { name: 'Change the rubric and 2 answers' }).waitFor()
  await looksRight(page, 'regrade-like-answers')
  await dialog.getByRole('button', { name: 'Change the rubric and 2 answers' }).click()
  await dialog.getByText(/The points of 2 other answers changed/).waitFor()
  await takeScreenshot(page, 'regrade-applied')
  await dialog.locator('footer, div').getByRole('button', { name: 'Close' }).last().click()
  await page.keyboard.press('r')
  const reason = page.getByText('I also wrote that the molecules')
  await reason.waitFor()
  expect((await reason.boundingBox())?.y).toBeGreaterThan(0)
  await takeScreenshot(page, 'regrade-next')

  const seen = async (place: number) => {
    const as = product.api.as(students[place] as Person)
    return (await as.send(getStudentAssignment, { params: { assignmentId } })).body
  }
  expect((await seen(1)).criterion_grades[2]?.score).toBe(5)
  expect((await seen(2)).criterion_grades[2]?.score).toBe(5)
  expect((await seen(3)).criterion_grades[2]?.score).toBe(1)
  const { page: ada } = await product.openAs(students[0] as Person)
  await ada.goto(`/student/assignments/${assignmentId}`)
  await ada.getByText('Books cost $5 and $6.').waitFor()
  await expect
    .poll(() => ada.locator('math').allTextContents())
    .toEqual([expect.stringContaining('124_{12}'), expect.stringContaining('288')])
  await takeScreenshot(ada, 'regrade-formula-student')

  const { page: ben } = await product.openAs(students[1] as Person, { viewport: phone })
  await ben.goto(`/student/assignments/${assignmentId}`)
  await ben
    .getByText('Your instructor accepted another answer for question 3: 0 → 5 points.')
    .waitFor({ state: 'attached' })
  await takeScreenshot(ben, 'regrade-amended-student')
})
