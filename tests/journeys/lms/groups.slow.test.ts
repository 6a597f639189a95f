import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper } from '../../../server/src/testing/build-course.ts'
import type { Person } from '../../fake-lms/data/lms-data.ts'
import { chooseQuizFiles, looksRight, openLink, pointsOf, publish, rowOf, useSchool } from '../support/lms-workflow.ts'

const school = useSchool({ kind: 'canvas' })

/** With “Students may work in groups”, up to three. */
async function createAssignment(page: Page, frame: Frame): Promise<void> {
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await chooseQuizFiles(school.product, frame)
  await frame.getByLabel('Students may work in groups').check()
  await frame.getByLabel('Groups of up to').fill('3')
  await looksRight(page, frame, 'groups-allowed')
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByRole('button', { name: 'Publish', exact: true }).waitFor()
}

it('leads a group of three through hand-in, grade, an exception, a regrade and the LMS’s gradebook', async () => {
  const { lms, deployment } = school
  const { course, teacher, students } = lms.classOf(4, { title: 'Physics, autumn' })
  const [ada, ben, cleo, dan] = students as [Person, Person, Person, Person]
  const link = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  const [item] = lms.lineItemsOf(link)
  if (!item) throw new Error('the link has no line item')
  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await createAssignment(page, frame)
  await publish(frame, 'Publish')

  // Each in a browser of their own.
  const open = async (person: Person) => {
    const { page: own } = await school.open()
    return { page: own, frame: await openLink(school, own, person, link) }
  }
  for (const student of students) await lms.launcher().go({ as: student, link })
  const first = await open(ada)
  for (const guest of [ben, cleo]) {
    await first.frame.getByLabel('Invite by email, username or student number').fill(guest.email)
    await first.frame.getByRole('button', { name: 'Invite', exact: true }).click()
    await first.frame.getByText(`${guest.email}, not answered yet`).waitFor()
  }
  await looksRight(first.page, first.frame, 'groups-invited')
  const second = await open(ben)
  await second.frame.getByText('invites you').waitFor()
  await looksRight(second.page, second.frame, 'groups-invitation')
  for (const own of [second, await open(cleo)]) {
    await own.frame.getByRole('button', { name: 'Join', exact: true }).click()
    await own.frame.getByRole('button', { name: 'Join the Group' }).click()
    await own.frame.getByText('(you)').waitFor()
  }

  const paper = await school.product.file('ours.pdf', await drawPaper({ full_name: ben.name }, correctAnswers))
  await second.frame.getByLabel('Choose your paper').setInputFiles(paper)
  await second.frame.getByRole('button', { name: 'Hand in', exact: true }).click()
  await second.frame.getByText('ours.pdf', { exact: true }).first().waitFor()
  const third = await open(cleo)
  await third.frame.getByText('ours.pdf', { exact: true }).first().waitFor()
  await looksRight(third.page, third.frame, 'groups-handed-in')

  await frame.getByText('Submissions (1)').waitFor()
  await frame.getByRole('button', { name: 'Process & Grade' }).click()
  await rowOf(frame, cleo)
    .getByText(/Suggested|Flagged/)
    .first()
    .waitFor()
  await looksRight(page, frame, 'groups-list')
  await frame.getByRole('button', { name: 'More for this assignment' }).click()
  await frame.getByRole('menuitem', { name: 'Groups' }).click()
  await frame.getByText('1 student in no group').waitFor()
  await frame.getByText(dan.name).waitFor()
  await looksRight(page, frame, 'groups-page')
  await frame.getByRole('link', { name: 'Paper of Group 1' }).click()
  await frame.getByRole('button', { name: `Exception for ${cleo.name}` }).click()
  await frame.getByLabel('Points more or less').fill('-2')
  await frame.getByLabel(`Why, for ${cleo.name} to read`).fill('Joined late')
  await frame.getByRole('button', { name: 'Save', exact: true }).click()
  await frame.getByText('−2, Joined late').waitFor()
  await looksRight(page, frame, 'groups-exception')
  await frame.getByRole('link', { name: 'Back to submissions' }).click()
  await publish(frame, /^Release 1 new grade/)

  await expect.poll(() => [ada, ben, cleo].map((one) => pointsOf(item, one) !== null)).toEqual([true, true, true])
  const before = pointsOf(item, ada) ?? 0
  expect([pointsOf(item, ben), pointsOf(item, cleo), pointsOf(item, dan)]).toEqual([before, before - 2, null])

  const back = await open(cleo)
  await back.frame.getByText('For this student alone: Joined late: −2 points').waitFor()
  await looksRight(back.page, back.frame, 'groups-graded')
  await back.frame.getByRole('button', { name: 'Request a regrade' }).click()
  await back.frame.getByLabel('Reason').fill('We did say why ice floats.')
  await back.frame.getByRole('button', { name: 'Send request' }).click()
  await back.frame.getByText('Waiting for an answer').waitFor()

  await frame.getByRole('link', { name: 'Review submission' }).click()
  await frame.getByText('We did say why ice floats.').waitFor()
  await frame.getByLabel('Your answer').fill('You did.')
  await frame.getByRole('button', { name: 'Change the grade' }).click()
  await frame.getByLabel('Manual override score').fill('80')
  await frame.getByRole('button', { name: 'Save grade and answer' }).click()
  await expect.poll(() => [ada, ben, cleo].map((one) => pointsOf(item, one))).toEqual([16, 16, 14])
  const told = await open(ada)
  await told.frame.getByText('You did.', { exact: true }).waitFor()
  expect(await told.frame.getByText('Joined late').count()).toBe(0)
  expect(school.browserErrors).toEqual([])
})
