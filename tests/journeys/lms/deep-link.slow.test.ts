import type { Frame } from 'playwright-core'
import { expect, it } from 'vitest'
import { chooseQuizFiles, looksRight, openLink, toolFrame, useSchool } from '../support/lms-workflow.ts'

const school = useSchool({ kind: 'canvas' })

async function create(frame: Frame, name: string): Promise<void> {
  await frame.getByLabel('Assignment name').fill(name)
  await chooseQuizFiles(school.product, frame)
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
}

it('lets a teacher add two assignments from the LMS course, each with a link and a gradebook column that open it', async () => {
  const { lms } = school
  const { course, teacher, students } = lms.classOf(1, { title: 'Biology, spring' })
  const [student = teacher] = students
  const { page } = await school.open()
  await page.goto(lms.signedInUrl(teacher, `/courses/${course.id}`))
  await page.getByRole('link', { name: 'Add from Assay' }).click()
  const frame = await toolFrame(page)

  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByRole('heading', { name: 'Biology, spring has no assignments yet' }).waitFor()
  await looksRight(page, frame, 'deep-link-empty')
  await frame.getByRole('link', { name: 'Create an assignment' }).click()
  await create(frame, 'Quiz 1')
  await frame.getByRole('checkbox', { name: /Quiz 1/, checked: true }).waitFor()
  await frame.getByRole('link', { name: 'Check the Rubric' }).click()
  await frame.getByRole('heading', { name: 'Check the rubric' }).waitFor()
  await looksRight(page, frame, 'deep-link-check-rubric')
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByRole('checkbox', { name: /Quiz 1/, checked: true }).waitFor()
  await frame.getByRole('link', { name: 'Create a new one' }).click()
  await create(frame, 'Quiz 2')
  await frame.getByRole('link', { name: 'Check the Rubric' }).click()
  await frame.getByRole('heading', { name: 'Check the rubric' }).waitFor()
  await frame.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Add assignments' }).click()
  await frame.getByRole('checkbox', { name: /Quiz 2/, checked: true }).waitFor()
  await frame.getByRole('checkbox', { name: /Quiz 1/, checked: true }).waitFor()
  await looksRight(page, frame, 'deep-link-choose')

  await frame.getByRole('button', { name: 'Add 2 assignments' }).click()
  await page.getByText('2 assignments were chosen in Assay.').waitFor()
  expect(lms.deepLinked.map(({ problem }) => problem)).toEqual([null])
  await page.getByRole('link', { name: 'Quiz 1' }).waitFor()
  await page.getByRole('link', { name: 'Quiz 2' }).waitFor()
  await page.getByRole('link', { name: 'Gradebook' }).click()
  await page.getByRole('columnheader', { name: /Quiz 1 of 20/ }).waitFor()
  await page.getByRole('columnheader', { name: /Quiz 2 of 20/ }).waitFor()

  const link = [...lms.links.values()].find(({ title }) => title === 'Quiz 2')
  if (!link) throw new Error('the LMS made no link')
  const opened = await openLink(school, page, teacher, link)
  await opened.getByRole('heading', { name: 'Quiz 2' }).waitFor()
  // The heading comes with the page, before its script sets the address.
  await opened.waitForURL(/assignments\/\d+/)
  const assignmentId = /assignments\/(\d+)/.exec(opened.url())?.[1]
  await opened.getByRole('button', { name: 'Publish' }).first().click()
  await opened
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click()
  await opened.getByText('Published', { exact: true }).first().waitFor()
  const theirs = await openLink(school, (await school.open()).page, student, link)
  await theirs.waitForURL(new RegExp(`/l/[^/]+/student/assignments/${assignmentId}$`))
  await theirs.getByRole('heading', { name: 'Quiz 2' }).waitFor()
  expect(school.browserErrors).toEqual([])
})

it('shows what is linked already, and can be cancelled', async () => {
  const { lms } = school
  const { page } = await school.open()
  const course = [...lms.courses.values()].find(({ title }) => title === 'Biology, spring')
  const teacher = [...(course?.members.values() ?? [])].find(({ roles }) => roles.includes('Instructor'))
  if (!course || !teacher) throw new Error('depends on the first test')
  const links = lms.links.size
  await page.goto(lms.signedInUrl(teacher.person, `/courses/${course.id}`))
  await page.getByRole('link', { name: 'Add from Assay' }).click()
  const frame = await toolFrame(page)
  await frame.getByRole('checkbox', { name: /Quiz 2.*Published.*Linked in this course/ }).check()
  await frame.getByText('It is already linked in this course.').waitFor()
  await frame.getByRole('checkbox', { name: /Quiz 1.*Draft.*Added .*not opened yet/ }).waitFor()
  await looksRight(page, frame, 'deep-link-again')
  await frame.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('No assignment was chosen in Assay.').waitFor()
  expect(lms.deepLinked.at(-1)).toMatchObject({ problem: null, links: [] })
  expect(lms.links.size).toBe(links)
  expect(school.browserErrors).toEqual([])
})
