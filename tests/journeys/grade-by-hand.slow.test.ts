import { createAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { gradeAssignment } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { drawBlank, drawKey, drawStudentPaper } from '../papers/draw-papers.ts'
import type { DrawnAssignment } from '../papers/drawn-assignment.ts'
import { phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

/** The points are on the sheet above the answer. */
async function lookOnPhone(teacher: Person, address: string) {
  const { page } = await product.openAs(teacher, { viewport: phone, hasTouch: true, isMobile: true })
  await page.goto(address)
  await page.locator('svg [aria-pressed="true"]').first().waitFor()
  await takeScreenshot(page, 'by-hand-review-phone')
  await page.getByRole('button', { name: /so far/ }).click()
  const field = page.getByLabel(/Your points for “Draw and label a plant cell/)
  await field.click()
  await looksRight(page, 'by-hand-review-phone-sheet')
  expect(await field.isVisible()).toBe(true)
}

const quiz: DrawnAssignment = {
  title: 'Plants',
  course: 'Biology',
  instructions: 'Answer on the lines.',
  questions: [
    { number: '1', prompt: 'Draw and label a plant cell.', points: 4, lines: 3, answer: 'nucleus, wall' },
    { number: '2', prompt: 'Name the green substance in leaves.', points: 2, lines: 1, answer: 'chlorophyll' },
    { number: '3', prompt: 'Draw the life cycle of a fern.', points: 6, lines: 4, answer: 'spore, frond' },
  ],
}

async function buildClass() {
  const { api } = product
  const grace = await registerPerson(api, 'instructor', 'grace')
  const ada = await registerPerson(api, 'student', 'ada')
  const ben = await registerPerson(api, 'student', 'ben')
  const students = [ada, ben]
  const course = await api.as(grace).send(createCourse, { body: { name: 'Biology 101' } })
  for (const student of students) await enrol(product, course.body.id, student)
  const papers = await Promise.all(
    students.map(async ({ username }) => {
      const drawn = { username, full_name: username, email: '', student_number: '' }
      const answers = ['nucleus, cell wall', 'chlorophyll', 'spore, gametophyte']
      return { name: `${username}.pdf`, bytes: await drawStudentPaper(quiz, drawn, answers, 'typed') }
    }),
  )
  const created = await api
    .as(grace)
    .send(createAssignment, {
      body: { name: quiz.title, course_id: course.body.id },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
        student_submission_pdfs: papers,
      },
    })
  const assignmentId = created.body.id
  await gradeAssignment(api, grace, assignmentId)
  const rows = (await api.as(grace).send(listSubmissions, { params: { assignmentId } })).body
  const gradeOf = async ({ username }: Person) => {
    const submissionId = rows.find(({ student_identifier }) => student_identifier === username)?.id ?? 0
    return (await api.as(grace).send(getSubmission, { params: { assignmentId, submissionId } })).body.grade
  }
  return { grace, ada, ben, assignmentId, gradeOf, ids: rows.map(({ id }) => id) }
}

it('grades by hand what the AI gave no score: from the queue, by keyboard, until students see their totals', async () => {
  const { grace, ada, ben, assignmentId, gradeOf, ids } = await buildClass()
  expect(await gradeOf(ada)).toMatchObject({ overall_score: 100, unscored_points: 10 })
  const list = `/assignments/${assignmentId}/submissions`
  const { page } = await product.openAs(grace)
  await page.goto(list)
  await page.getByText('2 papers have answers to grade by hand').waitFor()
  await page.getByRole('button', { name: 'Grade by hand 2' }).waitFor()
  expect(await page.getByText('so far').count()).toBe(2)
  await takeScreenshot(page, 'by-hand-list')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/2 papers have answers to grade by hand; until you do, their students see no total/).waitFor()
  await takeScreenshot(page, 'by-hand-publish')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Assignment published successfully!').waitFor()
  const student = await product.openAs(ada, { viewport: phone, hasTouch: true, isMobile: true })
  await student.page.goto(`/student/assignments/${assignmentId}`)
  await student.page.getByRole('button', { name: 'Not graded yet' }).click()
  await student.page.getByText('Your instructor still has to grade 10 points.').waitFor()
  expect(await student.page.getByText('0 / 4').count()).toBe(0)
  await looksRight(student.page, 'by-hand-student-phone')

  await page.getByRole('button', { name: 'Grade by hand', exact: true }).click()
  const first = page.getByLabel(/Your points for “Draw and label a plant cell/)
  const second = page.getByLabel(/Your points for “Draw the life cycle/)
  await first.waitFor()
  await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByText('Not graded yet: This kind of answer is yours to grade.').first().waitFor()
  await page.locator('svg [aria-pressed="true"]').first().waitFor()
  await looksRight(page, 'by-hand-review')
  await lookOnPhone(grace, `${list}/${ids[0]}?status=by_hand`)
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  expect(await second.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.keyboard.type('4,5')
  await takeScreenshot(page, 'by-hand-review-typed')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: ben.username }).waitFor()
  expect(await gradeOf(ada)).toMatchObject({ unscored_points: 0, final_score_after_review: 79.2, needs_review: false })

  // By the keys alone: to the first field, out of it, and to the next one.
  await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('h')
  expect(await first.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('9')
  await page.keyboard.press('Control+Enter')
  await page.getByText('At most 4').waitFor()
  await first.fill('4')
  await page.keyboard.press('Enter')
  await page.keyboard.type('6')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(`**${list}?status=by_hand`)
  await page.getByText('2 papers have answers').waitFor({ state: 'detached' })
  expect(await gradeOf(ben)).toMatchObject({ unscored_points: 0, final_score_after_review: 100 })

  await student.page.reload()
  await student.page.getByText('79.2').first().waitFor()
  expect(await student.page.getByText('Not graded yet').count()).toBe(0)
  expect(product.browserErrors).toEqual([])
})
