import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from '../../../server/src/testing/build-course.ts'
import type { LineItem, Link, Person } from '../../fake-lms/data/lms-data.ts'
import { accessibilityProblems } from '../support/accessibility.ts'
import { desktop, phone } from '../support/browser.ts'
import { takeScreenshot } from '../support/product.ts'
import { openLink, useSchool } from '../support/use-school.ts'

const school = useSchool({ kind: 'canvas' })

const LMS = 'Northfield School'

async function looksRight(page: Page, frame: Frame, name: string): Promise<void> {
  for (const [size, viewport] of [
    ['wide', desktop],
    ['phone', phone],
  ] as const) {
    await page.setViewportSize(viewport)
    await expect.poll(() => frame.evaluate('innerWidth')).toBeLessThan(viewport.width)
    const sideways = () => frame.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await expect.poll(sideways).toBeLessThanOrEqual(0)
    await takeScreenshot(page, `lms-scores-${name}-${size}`)
    expect([name, size, await accessibilityProblems(frame)]).toEqual([name, size, []])
  }
  await page.setViewportSize(desktop)
}

/** A paper for each student, matched by the name on it. */
async function createAssignment(frame: Frame, students: Person[]): Promise<void> {
  const { blank, key } = await quizFiles()
  const file = (name: string, bytes: Buffer | string) => school.product.file(name, Buffer.from(bytes))
  await frame.getByLabel('Choose the blank assignment').setInputFiles(await file('blank.pdf', blank.bytes))
  await frame.getByLabel('Choose the answer key').setInputFiles(await file('key.pdf', key.bytes))
  const papers: string[] = []
  for (const [i, student] of students.entries()) {
    const answers = i === 0 ? correctAnswers : weakAnswers
    papers.push(await file(`${student.name}.pdf`, await drawPaper({ full_name: student.name }, answers)))
  }
  await frame.getByLabel('Choose student papers').setInputFiles(papers)
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
}

const pointsOf = (item: LineItem, student: Person) => item.grades.get(student.id)?.points ?? null

/** A student's row in the list, or card on a phone. */
const rowOf = (frame: Frame, student: Person) =>
  frame.getByRole('row').filter({ hasText: student.name }).filter({ visible: true })

it('sends scores to the LMS’s gradebook when a teacher publishes, overrides and retries a refused one', async () => {
  const { lms, deployment } = school
  const { course, teacher, students } = lms.classOf(3, { title: 'Physics, autumn' })
  const [ada, ben, cleo] = students
  if (!ada || !ben || !cleo) throw new Error('the class has fewer than three students')
  const link: Link = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  const [item] = lms.lineItemsOf(link)
  if (!item) throw new Error('the link has no line item')
  for (const student of students) await lms.launcher().go({ as: student, link })

  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await createAssignment(frame, students)
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByText('Submissions (3)').waitFor()
  await frame.getByText(`${LMS}: scores are sent when grades are published`).waitFor()
  await frame.getByRole('button', { name: 'Process & Grade' }).click()
  await expect
    .poll(
      () =>
        frame
          .getByRole('row')
          .filter({ hasText: /Suggested|Flagged/ })
          .count(),
      { timeout: 60_000 },
    )
    .toBe(3)

  // Cleo has left the course in the LMS, and the roster is not synced yet.
  lms.unenrol(course, cleo)
  await frame.getByRole('button', { name: 'Publish' }).first().click()
  const dialog = frame.getByRole('dialog')
  await dialog.getByText(`3 scores will be sent to ${LMS}, with the feedback.`).waitFor()
  await looksRight(page, frame, 'publish')
  await dialog.getByRole('button', { name: 'Publish' }).click()

  // It is sent without a reload, and the gradebook has what the student sees.
  await expect.poll(() => pointsOf(item, ada), { timeout: 20_000 }).not.toBeNull()
  await frame.getByText('2 of 3 scores in the gradebook · 1 refused').waitFor()
  await rowOf(frame, ada)
    .getByText(`In gradebook: ${pointsOf(item, ada)} of 20`)
    .waitFor()
  const refused = rowOf(frame, cleo)
  await refused.getByText('Refused').waitFor()
  await refused.getByText(`${LMS} says: “User not found in course or is not a student”.`).waitFor()
  await looksRight(page, frame, 'sent')

  // The teacher overrides the grade.
  await rowOf(frame, ben).getByRole('link', { name: 'Review submission' }).click()
  await frame.locator('canvas').filter({ visible: true }).first().waitFor()
  await frame.getByText(`In ${LMS}: ${pointsOf(item, ben)} of 20`).waitFor()
  await frame.getByRole('button', { name: 'Edit Grade' }).click()
  await frame.getByLabel('Manual override score').fill('82.5')
  await frame.getByRole('button', { name: /^Save/ }).first().click()
  await expect.poll(() => pointsOf(item, ben), { timeout: 20_000 }).toBe(16.5)
  await frame.getByText(`In ${LMS}: 16.5 of 20`).waitFor()
  await looksRight(page, frame, 'review')
  await frame.getByRole('link', { name: 'Back to submissions' }).click()

  // Cleo is back, and her score is sent again.
  lms.enrol(course, cleo, 'Learner')
  await rowOf(frame, cleo)
    .getByRole('button', { name: /^Send again: the score of/ })
    .click()
  await expect.poll(() => pointsOf(item, cleo), { timeout: 20_000 }).not.toBeNull()
  await frame.getByText('3 of 3 scores in the gradebook').waitFor()
  expect(students.map((student) => lms.acceptedScoreCount(item, student))).toEqual([1, 2, 1])

  // Unpublished again, and cleared from the gradebook on request.
  await frame.getByRole('button', { name: 'Unpublish' }).click()
  await dialog.getByRole('checkbox', { name: `Also clear these scores in ${LMS}` }).check()
  await looksRight(page, frame, 'unpublish')
  await dialog.getByRole('button', { name: 'Unpublish' }).click()
  await expect
    .poll(() => students.map((student) => pointsOf(item, student)), { timeout: 20_000 })
    .toEqual([null, null, null])
  await rowOf(frame, ada).getByText('Removed').waitFor()
  expect(school.browserErrors).toEqual([])
})
