import { expect, it } from 'vitest'
import { gradeAll, looksRight, openAssignment, pointsOf, rowOf, useSchool } from '../support/lms-workflow.ts'

const school = useSchool({ kind: 'canvas' })
const LMS = 'Northfield School'

it('sends scores to the LMS’s gradebook when a teacher publishes, overrides and retries a refused one', async () => {
  const { lms } = school
  const opened = await openAssignment(school, 'Physics, autumn')
  const { course, students, ada, ben, cleo, item, page, frame, dialog } = opened
  await frame.getByText(`${LMS}: scores are sent when grades are published`).waitFor()
  await gradeAll(frame, 3)

  // Cleo has left the course in the LMS, and the roster is not synced yet.
  lms.unenrol(course, cleo)
  await frame.getByRole('button', { name: 'Publish' }).first().click()
  await dialog.getByText(`3 scores will be sent to ${LMS}, with the feedback.`).waitFor()
  await looksRight(page, frame, 'lms-scores-publish')
  await dialog.getByRole('button', { name: 'Publish' }).click()

  await expect.poll(() => pointsOf(item, ada)).not.toBeNull()
  await frame.getByText('2 of 3 scores in the gradebook · 1 refused').waitFor()
  await rowOf(frame, ada)
    .getByText(`In gradebook: ${pointsOf(item, ada)} of 20`)
    .waitFor()
  const refused = rowOf(frame, cleo)
  await refused.getByText('Refused').waitFor()
  await refused.getByText(`${LMS} says: “User not found in course or is not a student”.`).waitFor()
  await looksRight(page, frame, 'lms-scores-sent')

  await rowOf(frame, ben).getByRole('link', { name: 'Review submission' }).click()
  await frame.locator('canvas').filter({ visible: true }).first().waitFor()
  await frame.getByText(`In ${LMS}: ${pointsOf(item, ben)} of 20`).waitFor()
  await frame.getByRole('button', { name: 'Edit Grade' }).click()
  await frame.getByLabel('Manual override score').fill('82.5')
  await frame.getByRole('button', { name: /^Save/ }).first().click()
  await expect.poll(() => pointsOf(item, ben)).toBe(16.5)
  await frame.getByText(`In ${LMS}: 16.5 of 20`).waitFor()
  await looksRight(page, frame, 'lms-scores-review')
  await frame.getByRole('link', { name: 'Back to submissions' }).click()

  lms.enrol(course, cleo, 'Learner')
  await rowOf(frame, cleo)
    .getByRole('button', { name: /^Send again: the score of/ })
    .click()
  await expect.poll(() => pointsOf(item, cleo)).not.toBeNull()
  await frame.getByText('3 of 3 scores in the gradebook').waitFor()
  expect(students.map((student) => lms.acceptedScoreCount(item, student))).toEqual([1, 2, 1])

  await frame.getByRole('button', { name: 'Unpublish' }).click()
  await dialog.getByRole('checkbox', { name: `Also clear these scores in ${LMS}` }).check()
  await looksRight(page, frame, 'lms-scores-unpublish')
  await dialog.getByRole('button', { name: 'Unpublish' }).click()
  await expect.poll(() => students.map((student) => pointsOf(item, student))).toEqual([null, null, null])
  await rowOf(frame, ada).getByText('Removed').waitFor()
  expect(school.browserErrors).toEqual([])
})
