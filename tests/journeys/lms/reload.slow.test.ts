import { createCourse } from '@assay/shared/courses.ts'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper } from '../../../server/src/testing/build-course.ts'
import type { Person } from '../../fake-lms/data/lms-data.ts'
import type { Link } from '../../fake-lms/data/records.ts'
import { chooseQuizFiles, looksRight, openLink, publish, useSchool } from '../support/lms-workflow.ts'
import { PASSWORD, registerPerson, takeScreenshot } from '../support/product.ts'

// A browser that blocks third-party cookies in frames unless partitioned, and where storage throws.

const school = useSchool({ kind: 'canvas' })
const heading = (frame: Frame, name: string | RegExp) => frame.getByRole('heading', { name }).waitFor()

async function reload(frame: Frame): Promise<void> {
  await Promise.all([frame.waitForNavigation(), frame.evaluate('location.reload()')])
}

const pathOf = (address: string) => new URL(address).pathname.replace(/^\/l\/[^/]+/, '')
const pathIn = (frame: Frame) => pathOf(frame.url())

async function createAssignment(frame: Frame): Promise<void> {
  await chooseQuizFiles(school.product, frame)
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
}

function aClass(students: number): { link: Link; teacher: Person; students: Person[] } {
  const { course, teacher, students: people } = school.lms.classOf(students)
  const { deployment } = school
  const link = school.lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  return { link, teacher, students: people }
}

const at = <T>(list: T[], index: number): T => {
  const one = list[index]
  if (one === undefined) throw new Error(`there is no element ${index}`)
  return one
}

it('takes a teacher from the first launch to an assignment, and a student to hand in and to the grade', async () => {
  const { link, teacher, students } = aClass(2)
  const ada = at(students, 0)
  const { page: studentPage } = await school.open()
  const early = await openLink(school, studentPage, ada, link)
  await heading(early, '“Water and heat” is not open yet')
  await looksRight(studentPage, early, 'lms-waiting')

  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Set up “Water and heat”')
  await looksRight(page, frame, 'lms-set-up')
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await frame.getByText(/“Water and heat” in Northfield School will open this assignment/).waitFor()
  await looksRight(page, frame, 'lms-create')
  await createAssignment(frame)
  await heading(frame, 'Check the rubric')
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await heading(frame, 'Water and heat')
  await frame.waitForURL(/\/l\/[^/]+\/assignments\/\d+\/submissions$/)

  // The frame continues where it was, with a partitioned cookie.
  const before = frame.url()
  await reload(frame)
  await heading(frame, 'Water and heat')
  expect(frame.url()).toBe(before)
  await publish(frame, 'Publish')

  // The page checks automatically; its button may disappear before it is clicked.
  await early.getByLabel('Choose your paper').waitFor()
  await looksRight(studentPage, early, 'lms-hand-in')
  const paper = await drawPaper({ full_name: ada.name }, correctAnswers)
  await early.getByLabel('Choose your paper').setInputFiles(await school.product.file('ada.pdf', paper))
  await early.getByRole('button', { name: 'Hand in', exact: true }).click()
  await early
    .getByText(/Handed in on/)
    .first()
    .waitFor()
  await looksRight(studentPage, early, 'lms-handed-in')

  await frame.getByText('Submissions (1)').waitFor()
  await frame.getByRole('button', { name: 'Process & Grade' }).click()
  await frame
    .getByText(/^(Suggested|Flagged)$/)
    .filter({ visible: true })
    .first()
    .waitFor()
  await looksRight(page, frame, 'lms-submissions')
  await frame.getByRole('link', { name: 'Review submission' }).filter({ visible: true }).first().click()
  await frame.locator('canvas').filter({ visible: true }).first().waitFor()
  await looksRight(page, frame, 'lms-review')
  await reload(frame)
  await frame.locator('canvas').filter({ visible: true }).first().waitFor()

  // A new window has none of the frame's cookies, but opens the same paper.
  await frame.getByRole('button', { name: 'More' }).click()
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    frame.getByRole('menuitem', { name: 'Open in a new window' }).click(),
  ])
  await window.locator('canvas').filter({ visible: true }).first().waitFor()
  expect(pathOf(window.url())).toBe(pathIn(frame))
  await takeScreenshot(window, 'lms-window')
  await window.reload()
  await window.locator('canvas').filter({ visible: true }).first().waitFor()
  await window.close()
  expect(pathIn(frame)).toMatch(/\/submissions\/\d+$/)
  await frame.getByRole('link', { name: 'Back to submissions' }).click()
  await publish(frame, /^Release 1 new grade/)
  for (const [place, shown] of [
    ['Course', 'Students'],
    ['Roster', /Roster/],
    ['Analytics', 'Student Performance'],
  ] as const) {
    await frame.getByRole('navigation', { name: 'This course' }).getByRole('link', { name: place }).click()
    await frame.getByRole('heading', { name: shown }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await looksRight(page, frame, `lms-${place.toLowerCase()}`)
  }

  const later = await openLink(school, studentPage, ada, link)
  await later.locator('canvas').filter({ visible: true }).first().waitFor()
  await looksRight(studentPage, later, 'lms-feedback')
  await later.getByRole('button', { name: 'More' }).click()
  await later.getByRole('menuitem', { name: 'Profile Settings' }).click()
  await later.getByText(/This account was created by Northfield School/).waitFor()
  await looksRight(studentPage, later, 'lms-profile')
  await later.getByRole('link', { name: 'merge the accounts' }).click()
  await heading(later, 'Merge with your Assay account')
  await looksRight(studentPage, later, 'lms-account')
  expect(school.browserErrors).toEqual([])
})

it('keeps two users in two tabs of one browser separate', async () => {
  const { link, students } = aClass(2)
  const { context, page: first } = await school.open()
  const second = await context.newPage()
  const frames: Frame[] = []
  for (const [index, page] of [first, second].entries()) {
    const frame = await openLink(school, page, at(students, index), link)
    await heading(frame, '“Water and heat” is not open yet')
    frames.push(frame)
  }
  const whoIn = async (frame: Frame) => {
    await frame.getByRole('button', { name: 'More' }).click()
    const name = await frame.getByRole('menu').locator('strong').textContent()
    await frame.press('body', 'Escape')
    return name
  }
  const names = [at(students, 0).name, at(students, 1).name]
  for (const frame of frames) {
    // The first user still is signed in, also after a reload.
    expect(await whoIn(frame)).toBe(names[frames.indexOf(frame)])
    await reload(frame)
    expect(await whoIn(frame)).toBe(names[frames.indexOf(frame)])
  }
  expect(school.browserErrors).toEqual([])
})

it('links a teacher’s existing account, next to a direct session of the same account', async () => {
  const { api } = school.product
  const grace = await registerPerson(api, 'instructor', 'grace', 'Grace H.')
  await api.as(grace).send(createCourse, { body: { name: 'Biology, every year' } })

  const { context, page: own } = await school.open()
  await own.goto(`${school.product.url}/auth/login`)
  const signIn = async (where: Page | Frame, button: string) => {
    await where.getByLabel('Username or email').fill(grace.username)
    await where.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await where.getByRole('button', { name: button, exact: true }).click()
  }
  await signIn(own, 'Sign in')
  await own.getByRole('button', { name: `Account of ${grace.username}` }).waitFor()

  const { link, teacher } = aClass(1)
  const page = await context.newPage()
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Set up “Water and heat”')
  expect(await frame.getByRole('radio', { name: /Another section/ }).count()).toBe(0)
  await frame.getByRole('link', { name: 'Merge that account' }).click()
  await signIn(frame, 'Merge accounts')
  await frame.getByRole('radio', { name: /Another section/ }).check()
  await frame.getByRole('combobox', { name: 'Course' }).selectOption({ label: 'Biology, every year (0 assignments)' })
  await looksRight(page, frame, 'lms-set-up-section')
  await reload(frame)
  await frame.getByRole('radio', { name: /Another section/ }).waitFor()
  expect(await frame.getByRole('link', { name: 'Merge that account' }).count()).toBe(0)

  await own.reload()
  await own.getByRole('button', { name: `Account of ${grace.username}` }).waitFor()
  expect(school.browserErrors).toEqual([])
})

it('says where to open it again, when the browser blocks everything in a reloaded frame', async () => {
  const { link, teacher } = aClass(1)
  // Verified by the LMS's platform storage, as cookies are blocked.
  const { page } = await school.open('none')
  const frame = await openLink(school, page, teacher, link)
  await heading(frame, 'Set up “Water and heat”')
  await reload(frame)
  await heading(frame, 'Open this again from Northfield School')
  await looksRight(page, frame, 'lms-relaunch')
  expect(await frame.getByLabel(/password/i).count()).toBe(0)
  expect(school.browserErrors).toEqual([])
})
