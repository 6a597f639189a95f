import { readFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Person } from '../../fake-lms/data/lms-data.ts'
import type { Link } from '../../fake-lms/data/records.ts'
import { focusedDialog, phone } from '../support/browser.ts'
import {
  createAssignment,
  gradeAll,
  looksRight,
  lowerFrame,
  openLink,
  publish,
  useSchool,
} from '../support/lms-workflow.ts'

// A frame of 520 px, and blocked third-party cookies.

const school = useSchool({ kind: 'moodle' })

const copied =
  'Frozen ponds wear a crusty jacket because hexagonal rings of bonded particles waste the space that sloshing ones share.'
/** The first two wrote the same, and three have 124. */
const answers = [
  [copied, 'B', '124'],
  [`${copied} Honestly.`, 'B', '124'],
  ['Ice is less dense than water because the molecules are held further apart in a lattice.', 'B', '144'],
  ['Because it is cold and hard.', 'A', '124'],
  ['It has air bubbles inside and so it swims on top of lakes in winter.', 'C', '12'],
  ['The volume grows when it freezes, therefore a litre weighs less.', 'B', '144'],
]

const openGroup = (frame: Frame) => frame.locator('[role=option][data-open]')
const places = (frame: Frame) => frame.getByRole('navigation', { name: 'This course' })
const toSubmissions = async (frame: Frame) => {
  await places(frame).getByRole('link', { name: 'Submissions' }).click()
  await frame.getByText('Submissions (6)').waitFor()
}
const chooseMore = async (frame: Frame, name: string) => {
  await frame.getByRole('button', { name: 'More for this assignment' }).click()
  await frame.getByRole('menuitem', { name }).click()
}

async function gradeQuestion(page: Page, frame: Frame): Promise<void> {
  await frame.getByRole('link', { name: 'Grade by question' }).click()
  await frame.getByText('0 of 18 answers').waitFor()
  expect(await places(frame).locator('[aria-current]').textContent()).toBe('Submissions')
  await looksRight(page, frame, 'lms-questions')
  await frame.getByRole('link', { name: 'Grade question 3' }).click()
  await openGroup(frame).getByText('2 answers').waitFor()
  await frame
    .getByRole('img', { name: /^Answer of / })
    .first()
    .locator('xpath=self::img')
    .waitFor()
  await looksRight(page, frame, 'lms-question')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await frame.getByText('1 of 3 groups decided').waitFor()
  await page.keyboard.press('a')
  await frame.getByText('2 of 3 groups decided').waitFor()
  await page.keyboard.press('z')
  await frame.getByText('1 of 3 groups decided').waitFor()
  await page.keyboard.press('p')
  await frame.getByRole('dialog').locator('svg [aria-pressed="true"]').waitFor()
  await looksRight(page, frame, 'lms-question-page')
  await page.keyboard.press('Escape')
  await frame.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('i')
  const itemDialog = await focusedDialog(frame)
  await looksRight(page, frame, 'lms-question-item')
  await itemDialog.getByLabel('What the student reads').fill('Count in tens.')
  await page.keyboard.press('Control+Enter')
  await frame.getByRole('dialog').waitFor({ state: 'detached' })
  await page.setViewportSize(phone)
  await openGroup(frame).click()
  await frame.getByRole('button', { name: 'Back to groups' }).waitFor()
  const [buttons, around] = [
    await frame.getByRole('button', { name: 'Give points' }).boundingBox(),
    await page.locator('iframe.tool').boundingBox(),
  ]
  expect((buttons?.y ?? 0) + (buttons?.height ?? 0)).toBeLessThan((around?.y ?? 0) + (around?.height ?? 0))
  await looksRight(page, frame, 'lms-question-given')
}

async function checkAccuracy(page: Page, frame: Frame): Promise<void> {
  await chooseMore(frame, 'Check accuracy')
  await frame.getByRole('button', { name: 'Start the check' }).waitFor()
  await looksRight(page, frame, 'lms-accuracy')
  await frame.getByRole('button', { name: 'Start the check' }).click()
  await frame.getByText('Answer 1').waitFor()
  await frame
    .getByRole('img', { name: /^Answer 1/ })
    .locator('xpath=self::img')
    .first()
    .waitFor()
  await looksRight(page, frame, 'lms-accuracy-mark')
  const [, size = 0] = /Answer 1 of (\d+)/.exec((await frame.getByText(/^Answer 1 of /).textContent()) ?? '') ?? []
  for (let position = 1; position <= Number(size); position++) {
    await frame.getByText(`Answer ${position} of ${size}`).waitFor()
    await frame.getByLabel('Points').first().fill('0')
    await frame.getByRole('button', { name: 'Save and next' }).click()
  }
  await frame.getByText(`By ${size} marked answers of ${size}`).waitFor()
  await frame.getByText(/^Look at /).waitFor()
  await looksRight(page, frame, 'lms-accuracy-result')
  await frame.getByRole('heading', { name: 'Papers to look at' }).scrollIntoViewIfNeeded()
  await looksRight(page, frame, 'lms-accuracy-papers')
}

async function compare(page: Page, frame: Frame): Promise<void> {
  await chooseMore(frame, 'Similar answers')
  await frame.getByRole('switch').click()
  await frame.getByText('1 pair unusually alike.').waitFor()
  await looksRight(page, frame, 'lms-similarity')
}

async function readFeedback(page: Page, frame: Frame, reason: string): Promise<void> {
  const saving = page.waitForEvent('download')
  await frame.getByRole('button', { name: 'Download graded paper' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('Water and heat (graded).pdf')
  const pdf = await PDFDocument.load(await readFile(await saved.path()))
  expect(pdf.getPageCount()).toBe(2)
  await frame.getByRole('button', { name: 'Request a regrade' }).click()
  await frame.getByLabel('What is it about?').selectOption({ index: 3 })
  await frame.getByLabel('Reason').fill(reason)
  await looksRight(page, frame, 'lms-student-regrade')
  await frame.getByRole('button', { name: 'Send request' }).click()
  await frame.getByText(reason).waitFor()
}

async function answerRequest(page: Page, frame: Frame, student: Person): Promise<void> {
  await frame.getByRole('link', { name: 'Answer requests' }).click()
  await frame.getByRole('link', { name: student.name }).waitFor()
  await looksRight(page, frame, 'lms-regrades')
  await frame.getByRole('link', { name: student.name }).click()
  await frame.getByLabel('Points for question 3').fill('5')
  await frame.getByLabel('Your answer').fill('You are right, and I accept it.')
  await looksRight(page, frame, 'lms-regrade-grant')
  await frame.getByRole('button', { name: 'Give 5 and answer' }).click()
  await frame.getByRole('button', { name: 'Accept this answer for everyone' }).click()
  const dialog = frame.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Find like answers' }).click()
  await dialog.getByText('other answers would change').waitFor()
  expect((await dialog.boundingBox())?.height).toBeGreaterThan(300)
  await looksRight(page, frame, 'lms-regrade-like-answers')
  await dialog.getByRole('button', { name: 'Change the rubric and 2 answers' }).click()
  await dialog.getByText(/The points of 2 other answers changed/).waitFor()
  await looksRight(page, frame, 'lms-regrade-applied')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}

async function adjustScores(page: Page, frame: Frame): Promise<void> {
  await chooseMore(frame, 'Adjust scores')
  await frame.getByRole('button', { name: 'Adjust Scores' }).click()
  await frame.getByRole('dialog').waitFor()
  await looksRight(page, frame, 'lms-adjust-scores')
}

it('grades by question, checks accuracy and answers a regrade request in an LMS’s low frame', async () => {
  const { lms, deployment, product } = school
  const { course, teacher, students } = lms.classOf(answers.length, { title: 'Physics, spring' })
  const link: Link = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  const [ada] = students
  if (!ada) throw new Error('the class has no students')
  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await createAssignment(product, frame, students, (student) => answers[student] ?? [])
  await gradeAll(frame, answers.length)
  await lowerFrame(page)
  await gradeQuestion(page, frame)
  await toSubmissions(frame)
  await checkAccuracy(page, frame)
  await toSubmissions(frame)
  await compare(page, frame)
  await toSubmissions(frame)
  await publish(frame, 'Publish')

  const { page: theirs } = await school.open()
  const own = await openLink(school, theirs, ada, link)
  await lowerFrame(theirs)
  await readFeedback(theirs, own, 'In base 12, 12 times 12 is 124.')

  await frame.getByText('1 open regrade request').waitFor()
  await answerRequest(page, frame, ada)
  await looksRight(page, frame, 'lms-review')
  await toSubmissions(frame)
  await adjustScores(page, frame)
  expect(school.browserErrors).toEqual([])
})
