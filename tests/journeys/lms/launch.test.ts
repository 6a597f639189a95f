import type { Frame, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Person } from '../../fake-lms/data/lms-data.ts'
import type { Link } from '../../fake-lms/data/records.ts'
import { phone } from '../support/browser.ts'
import { openLink, useSchool } from '../support/lms-workflow.ts'
import { accessibilityProblems, takeScreenshot } from '../support/product.ts'

const heading = (where: Page | Frame, name: string) => where.getByRole('heading', { level: 1, name })
const school = useSchool({ kind: 'moodle' })
let teacher: Person
let student: Person
let link: Link
beforeAll(async () => {
  const { lms, deployment } = school
  const course = lms.addCourse({ title: 'Biology 8' })
  teacher = lms.addUser({ givenName: 'Grace', familyName: 'Whitfield' })
  student = lms.addUser({ givenName: 'Ada', familyName: 'Marsh' })
  lms.enrol(course, teacher, 'Instructor')
  lms.enrol(course, student, 'Learner')
  link = lms.addLink(course, { deployment, title: 'Cells quiz', scoreMaximum: 20 })
})

it('Launch from an LMS: signs a teacher in within the frame, also after a reload', async () => {
  const { page } = await school.open('partitioned')
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Set up “Cells quiz”').waitFor()
  await takeScreenshot(page, 'lms-moodle-teacher')
  expect(school.lms.requestsTo('authorization').at(-1)?.reason).toBeNull()
  const asked = school.lms.requestsTo('authorization').length
  await frame.evaluate(() => location.reload())
  await frame.waitForLoadState()
  await heading(frame, 'Set up “Cells quiz”').waitFor()
  expect(school.lms.requestsTo('authorization')).toHaveLength(asked)
  expect(school.browserErrors).toEqual([])
})

it('Launch from an LMS: tells a student when the link is not set up yet', async () => {
  const { page } = await school.open('partitioned')
  const frame = await openLink(school, page, student, link)
  await heading(frame, '“Cells quiz” is not open yet').waitFor()
  await takeScreenshot(page, 'lms-moodle-student')
  expect(school.browserErrors).toEqual([])
})

it('Launch from an LMS: works in an older browser without cookie restrictions', async () => {
  const { page } = await school.open('all')
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Set up “Cells quiz”').waitFor()
  expect(school.browserErrors).toEqual([])
})

it('Launch from an LMS: opens a window where a browser blocks cookies and storage in frames', async () => {
  const { page } = await school.open('none')
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Open Assay in a new window').waitFor()
  await takeScreenshot(page, 'lms-moodle-window')
  await page.setViewportSize(phone)
  await takeScreenshot(page, 'lms-launch-window-390')
  expect(await accessibilityProblems(page)).toEqual([])
  const opening = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Open in a new window' }).focus()
  await page.keyboard.press('Enter')
  const window = await opening
  await heading(window, 'Set up “Cells quiz”').waitFor()
  await frame.getByRole('heading', { name: 'Assay is open in another window' }).waitFor()
  await takeScreenshot(page, 'lms-launch-opened-390')
  expect(school.browserErrors).toEqual([])
})
