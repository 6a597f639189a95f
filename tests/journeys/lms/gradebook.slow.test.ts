import type { Frame } from 'playwright-core'
import { expect, it } from 'vitest'
import { gradeAll, looksRight, openAssignment, pointsOf, rowOf, useSchool } from '../support/lms-workflow.ts'

const school = useSchool({ kind: 'moodle' })
const LMS = 'Northfield School'
const readGradebook = (frame: Frame) => frame.getByRole('button', { name: 'Read the gradebook' }).click()

it('says what the gradebook shows, sends again when asked, and detaches an activity that was deleted', async () => {
  const { lms, deployment } = school
  const opened = await openAssignment(school, 'Physics, winter')
  const { course, students, ada, ben, link, item, page, frame, dialog } = opened
  await gradeAll(frame, 3)
  await frame.getByRole('button', { name: 'Publish' }).first().click()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await frame.getByText(`${LMS}: 3 of 3 scores in the gradebook`).waitFor()

  // In Moodle somebody sets Ada's grade, and Ben's is dropped as he is unenrolled and enrolled again.
  const [ours, theirs] = [pointsOf(item, ada), pointsOf(item, ben)]
  if (ours === null || theirs === null) throw new Error('Ada and Ben have grades')
  lms.overrideGrade(item, ada, 7.25)
  lms.unenrol(course, ben)
  lms.enrol(course, ben, 'Learner')
  await readGradebook(frame)
  // Ben's is sent again by itself, and Moodle drops it once more.
  await expect.poll(() => pointsOf(item, ben)).toBe(theirs)
  item.grades.delete(ben.id)
  await frame.getByText('1 of 3 scores in the gradebook · 1 differs · 1 not there any more').waitFor()
  await rowOf(frame, ada).getByText('Moodle shows 7.25 of 20, set there').waitFor()
  await rowOf(frame, ada).getByText(`Assay sent ${ours} of 20.`).waitFor()
  await rowOf(frame, ben).getByText('Not in Moodle any more').waitFor()
  await looksRight(page, frame, 'lms-gradebook-differs')

  await rowOf(frame, ben)
    .getByRole('button', { name: /^Send again/ })
    .click()
  await expect.poll(() => pointsOf(item, ben)).toBe(theirs)
  await frame.getByText('2 of 3 scores in the gradebook · 1 differs').waitFor()
  await frame.getByRole('button', { name: 'Send again', exact: true }).last().click()
  await dialog.getByText(`1 score was changed in ${LMS}. All others are sent again.`).waitFor()
  await looksRight(page, frame, 'lms-gradebook-send-again')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => lms.acceptedScoreCount(item, ada)).toBe(2)
  // Moodle answers 200, and keeps what was set there.
  await frame.getByText('2 of 3 scores in the gradebook · 1 differs').waitFor()
  expect(pointsOf(item, ada)).toBe(7.25)

  // A copy of the activity opens the same assignment; then the first one is deleted.
  const assignment_id = /assignments\/(\d+)/.exec(frame.url())?.[1] ?? ''
  const copy = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20, custom: { assignment_id } })
  const [copied] = lms.lineItemsOf(copy)
  for (const student of students) await lms.launcher().go({ as: student, link: copy })
  await expect.poll(() => copied?.grades.size).toBe(3)
  await frame.getByText(/first opened .*: 3 of 3 scores/).waitFor()
  await looksRight(page, frame, 'lms-gradebook-two')
  lms.deleteLink(link)
  await readGradebook(frame)
  await frame.getByText('this activity is gone, and no scores are sent to it').waitFor()
  await looksRight(page, frame, 'lms-gradebook-gone')
  await frame.getByRole('button', { name: /^Detach activity/ }).click()
  await dialog.getByText('no longer counts for this assignment').waitFor()
  await looksRight(page, frame, 'lms-gradebook-detach')
  await dialog.getByRole('button', { name: 'Detach activity' }).click()
  await frame.getByText(`${LMS}: 3 of 3 scores in the gradebook`).waitFor()
  expect(await frame.getByText('is gone').count()).toBe(0)
  expect(school.browserErrors).toEqual([])
})
