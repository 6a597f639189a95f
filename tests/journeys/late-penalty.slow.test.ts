import { createAssignment, publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper, gradeAssignment, quizFiles } from '../../server/src/testing/build-course.ts'
import { dateTimeIn, desktop, phone } from './support/browser.ts'
import { enrol, looksRight, registerPerson, useProduct } from './support/product.ts'

const product = useProduct()

async function buildLate() {
  const { api } = product
  const grace = await registerPerson(api, 'instructor', 'grace')
  const ada = await registerPerson(api, 'student', 'ada', 'Ada Byron')
  const teacher = api.as(grace)
  const courseId = (await teacher.send(createCourse, { body: { name: 'Physics 101' } })).body.id
  await enrol(product, courseId, ada)
  const { blank, key } = await quizFiles()
  const made = await teacher.send(createAssignment, {
    body: { name: 'Water and heat', course_id: courseId },
    files: { blank_pdf: [blank], answer_key_pdf: [key] },
  })
  const params = { assignmentId: made.body.id }
  const due_at = new Date(Date.now() - 2 * 3_600_000).toISOString()
  await teacher.send(updateAssignment, { params, body: { due_at, late_rule: 'mark_late' } })
  await teacher.send(publishAssignment, { params })
  const file = [{ name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada Byron' }, correctAnswers) }]
  const handedIn = await api.as(ada).send(handInPaper, { params, body: {}, files: { file } })
  if (handedIn.status >= 300) throw new Error(`not handed in: ${handedIn.text}`)
  await gradeAssignment(api, grace, params.assignmentId)
  await teacher.send(publishAssignment, { params })
  return { grace, ada, params }
}

it('takes points for late work and shifts every score; the student sees each step, and no longer the one that is undone', async () => {
  const { grace, ada, params } = await buildLate()
  const { body: rows } = await product.api.as(grace).send(listSubmissions, { params })
  const raw = rows[0]?.final_score_after_review ?? 0
  expect(rows[0]?.late).toBe(true)
  const seen = async () => (await product.api.as(ada).send(getStudentAssignment, { params })).body.overall_score

  const { page: teacher } = await product.openAs(grace)
  const adjust = async (fill: () => Promise<void>) => {
    await teacher.getByRole('button', { name: 'Adjust Scores' }).click()
    const dialog = teacher.getByRole('dialog')
    await dialog.waitFor()
    await fill()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await teacher.goto(`/assignments/${params.assignmentId}/settings`)
  await adjust(async () => {
    await teacher.getByRole('switch', { name: 'Take points for late work' }).check()
    await teacher.getByLabel('Taken per day late').fill('10')
    await teacher.getByLabel('At most').fill('50')
    await teacher.getByLabel('Grace period').fill('0')
  })
  await expect.poll(seen).toBeCloseTo(raw - 10, 1)
  await adjust(async () => {
    await teacher.getByRole('radio', { name: 'Add percentage points' }).check()
    await teacher.getByLabel('Points to add').fill('-4')
  })
  await expect.poll(seen).toBeCloseTo(raw - 14, 1)

  const { page: student } = await product.openAs(ada)
  await student.goto(`/student/assignments/${params.assignmentId}`)
  const steps = student.getByRole('list', { name: 'How the score came about' })
  await steps.waitFor()
  const texts = (await steps.getByRole('listitem').allInnerTexts()).join('; ')
  expect(texts).toMatch(/As graded: .*All scores .4.*Late by 1 day: .2 points/)
  await looksRight(student, 'late-penalty-student')

  await teacher.reload()
  await teacher.getByRole('button', { name: 'Undo' }).click()
  await teacher.getByRole('button', { name: 'Undo Change' }).click()
  await expect.poll(seen).toBeCloseTo(raw - 10, 1)
  await student.reload()
  await steps.waitFor()
  expect(await steps.textContent()).not.toContain('All scores')

  const preview = teacher.getByRole('region', { name: 'Preview' })
  const save = teacher.getByRole('button', { name: 'Save and Change Scores' })
  const looksRightInBoth = async (name: string) => {
    for (const viewport of [phone, desktop]) {
      await teacher.setViewportSize(viewport)
      await preview.scrollIntoViewIfNeeded()
      await looksRight(teacher, `${name}-${viewport.width}`)
    }
  }
  await teacher.getByLabel('Due', { exact: true }).fill(dateTimeIn(-50))
  await teacher.getByRole('button', { name: 'Save Changes' }).click()
  await preview.waitFor()
  await looksRightInBoth('due-preview')
  await save.click()
  await expect.poll(seen).toBeCloseTo(raw - 30, 1)

  await teacher.getByRole('button', { name: 'Give Extension' }).click()
  await teacher.getByRole('combobox', { name: 'Student' }).fill(ada.username)
  await teacher.getByRole('option', { name: ada.username }).click()
  await teacher.getByLabel('Due for this student').fill(dateTimeIn(3))
  await teacher.getByRole('button', { name: 'Save Extension' }).click()
  await preview.waitFor()
  await looksRightInBoth('extension-preview')
  await save.click()
  await expect.poll(seen).toBeCloseTo(raw, 1)
})
