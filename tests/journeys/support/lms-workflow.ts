import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { correctAnswers, drawPaper, quizFiles, weakAnswers } from '../../../server/src/testing/build-course.ts'
import type { Deployment, Person } from '../../fake-lms/data/lms-data.ts'
import type { LineItem, Link } from '../../fake-lms/data/records.ts'
import { type FakeLms, type LmsOptions, registerWithProduct, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { contextOptions, desktop, type FrameCookies, lateBound, phone } from './browser.ts'
import { accessibilityProblems, collectBrowserErrors, type Product, takeScreenshot, useProduct } from './product.ts'
import { journey } from './shared.ts'

/** Nothing scrolls sideways, axe finds nothing, and a picture is taken. */
export async function looksRight(page: Page, frame: Frame, name: string): Promise<void> {
  for (const [size, viewport] of [
    ['wide', desktop],
    ['phone', phone],
  ] as const) {
    await page.setViewportSize(viewport)
    await expect.poll(() => frame.evaluate('innerWidth')).toBeLessThan(viewport.width)
    const sideways = () => frame.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await expect.poll(sideways).toBeLessThanOrEqual(0)
    await takeScreenshot(page, `${name}-${size}`)
    expect([name, size, await accessibilityProblems(frame)]).toEqual([name, size, []])
  }
  await page.setViewportSize(desktop)
}

/** Moodle's header and navigation leave a frame little more than 500 px of a window of 1280 by 800. */
export const lowerFrame = (page: Page): Promise<void> =>
  page.locator('iframe.tool').evaluate((frame) => {
    frame.style.height = '520px'
  })

export async function chooseQuizFiles(product: Product, frame: Frame): Promise<void> {
  const { blank, key } = await quizFiles()
  const file = (name: string, bytes: Buffer | string) => product.file(name, Buffer.from(bytes))
  await frame.getByLabel('Choose the blank assignment').setInputFiles(await file('blank.pdf', blank.bytes))
  await frame.getByLabel('Choose the answer key').setInputFiles(await file('key.pdf', key.bytes))
}

const answersByDefault = (student: number) => (student === 0 ? correctAnswers : weakAnswers)

/** A paper for each student, matched by the name on it. */
export async function createAssignment(
  product: Product,
  frame: Frame,
  students: Person[],
  answersOf: (student: number) => string[] = answersByDefault,
): Promise<void> {
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await chooseQuizFiles(product, frame)
  const papers: string[] = []
  for (const [i, { name }] of students.entries())
    papers.push(await product.file(`${name}.pdf`, await drawPaper({ full_name: name }, answersOf(i))))
  await frame.getByLabel('Choose student papers').setInputFiles(papers)
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByText(`Submissions (${students.length})`).waitFor()
}

export async function publish(frame: Frame, name: string | RegExp): Promise<void> {
  await frame.getByRole('button', { name }).first().click()
  const dialog = frame.getByRole('dialog')
  await dialog.getByRole('button', { name: /^(Publish|Release)/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

export async function gradeAll(frame: Frame, papers: number): Promise<void> {
  await frame.getByRole('button', { name: 'Process & Grade' }).click()
  const graded = frame.getByRole('row').filter({ hasText: /Suggested|Flagged/ })
  await expect.poll(() => graded.count()).toBe(papers)
}

/** Opened by each student of three, with a paper of each; its teacher is at the submissions. */
export async function openAssignment(school: School, title: string) {
  const { lms, deployment, product } = school
  const { course, teacher, students } = lms.classOf(3, { title })
  const [ada, ben, cleo] = students
  if (!ada || !ben || !cleo) throw new Error('the class has fewer than three students')
  const link = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  const [item] = lms.lineItemsOf(link)
  if (!item) throw new Error('the link has no line item')
  for (const student of students) await lms.launcher().go({ as: student, link })
  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await createAssignment(product, frame, students)
  return { course, students, ada, ben, cleo, link, item, page, frame, dialog: frame.getByRole('dialog') }
}

export const pointsOf = (item: LineItem, student: Person) => item.grades.get(student.id)?.points ?? null

export const rowOf = (frame: Frame, student: Person) =>
  frame.getByRole('row').filter({ hasText: student.name }).filter({ visible: true })

function aCourse({ lms, deployment }: School) {
  const course = lms.addCourse({ title: 'Biology 8' })
  const teacher = lms.addUser({ givenName: 'Grace', familyName: 'Whitfield' })
  const good = lms.addUser({ givenName: 'Ada', familyName: 'Marsh' })
  const weak = lms.addUser({ givenName: 'Ben', familyName: 'Stone' })
  lms.enrol(course, teacher, 'Instructor')
  for (const student of [good, weak]) lms.enrol(course, student, 'Learner')
  const link = lms.addLink(course, { deployment, title: 'Water and heat', scoreMaximum: 20 })
  const [column] = lms.lineItemsOf(link)
  if (!column) throw new Error('the link has no column')
  return { course, teacher, good, weak, link, column }
}

async function setUp(school: School, frame: Frame): Promise<void> {
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await chooseQuizFiles(school.product, frame)
  expect(await frame.getByLabel('Assignment name').inputValue()).toBe('Water and heat')
  await frame.getByRole('button', { name: 'Create Assignment' }).click()
  await frame.getByRole('heading', { name: 'Check the rubric' }).waitFor()
  await frame.getByRole('button', { name: 'Confirm Rubric' }).click()
  await frame.getByRole('heading', { name: 'Water and heat' }).waitFor()
}

/** Students who have never opened Assay are known from the LMS's roster. */
async function upload(school: School, frame: Frame, papers: [Person, string[]][]): Promise<void> {
  await frame.getByRole('link', { name: 'Roster' }).click()
  for (const [{ name }] of papers) await frame.getByText(name).filter({ visible: true }).first().waitFor()
  await frame.getByRole('link', { name: 'Submissions' }).click()
  await frame.getByRole('button', { name: 'Upload Files' }).first().click()
  const files: string[] = []
  for (const [{ name }, answers] of papers) {
    const bytes = await drawPaper({ full_name: name }, answers)
    files.push(await school.product.file(`${name}.pdf`, bytes))
  }
  const form = frame.getByRole('form', { name: 'Upload Files' })
  await form.locator('input[type=file]').setInputFiles(files)
  await form.getByRole('button', { name: /^Upload/ }).click()
}

async function asStudent(school: School, page: Page, student: Person, link: Link): Promise<Frame> {
  const frame = await openLink(school, page, student, link)
  await frame.getByRole('heading', { name: 'Water and heat' }).first().waitFor()
  return frame
}

/** In each document: when its first heading came. */
const noteFirstHeading = `new MutationObserver((_, observer) => {
  if (!document.querySelector('h1')) return
  window.firstHeadingAt = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`

async function requestsToFirstHeading(school: School, student: Person, link: Link): Promise<string[]> {
  const { page, context } = await school.open()
  await context.addInitScript(noteFirstHeading)
  const documents: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  const frame = await asStudent(school, page, student, link)
  const loaded: string[] = await frame.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < Reflect.get(window, 'firstHeadingAt'))
      .map(({ name }) => name),
  )
  return [...documents, ...loaded].filter((url) => url.startsWith(school.product.url))
}

/** Without any password. */
export async function runLmsWorkflow(school: School, kind: string): Promise<void> {
  const { lms } = school
  const { course, teacher, good, weak, link, column } = aCourse(school)
  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await setUp(school, frame)
  await upload(school, frame, [
    [good, correctAnswers],
    [weak, weakAnswers],
  ])
  await frame.getByText('Submissions (2)').waitFor()
  await gradeAll(frame, 2)
  await takeScreenshot(page, `lms-${kind}-graded`)
  expect(await accessibilityProblems(frame)).toEqual([])
  expect(column.accepted).toEqual([])

  await publish(frame, /^Publish$/)
  await frame.getByText('Assignment published successfully!').waitFor()
  for (const student of [good, weak]) await expect.poll(() => lms.acceptedScoreCount(column, student)).toBe(1)
  const points = (student: Person) => column.grades.get(student.id)?.points ?? -1
  expect(points(good)).toBeGreaterThan(points(weak))
  expect(points(good)).toBeLessThanOrEqual(20)

  await page.goto(lms.signedInUrl(teacher, `/courses/${course.id}/grades`))
  await takeScreenshot(page, `lms-${kind}-gradebook`)
  const row = page.getByRole('row').filter({ hasText: weak.name })
  await row.getByRole('link', { name: 'Open in Assay' }).click()
  const review = await toolFrame(page)
  await review.getByRole('heading', { name: weak.name }).waitFor()
  // Cookies are blocked in frames, but the paper's pages are shown.
  await review.locator('canvas').filter({ visible: true }).first().waitFor()
  await takeScreenshot(page, `lms-${kind}-review`)

  await lowerFrame(page)
  await review.locator('footer').filter({ visible: true }).last().waitFor()
  await takeScreenshot(page, `lms-${kind}-review-low`)
  const criterion = review.getByRole('heading', { name: 'Criteria' }).locator('xpath=following::li[1]')
  const words = await criterion.getByText('The expected answer').boundingBox()
  const actions = await review.locator('footer').filter({ visible: true }).last().boundingBox()
  expect((words?.y ?? 800) + 18).toBeLessThan(actions?.y ?? 0)

  expect((await requestsToFirstHeading(school, weak, link)).length).toBeLessThanOrEqual(10)
  const { page: theirs } = await school.open()
  const own = await asStudent(school, theirs, good, link)
  await own
    .getByText(/Grade|Score/)
    .first()
    .waitFor()
  await takeScreenshot(theirs, `lms-${kind}-student-grade`)
  expect(await own.getByText(weak.name).count()).toBe(0)
  expect(await accessibilityProblems(own)).toEqual([])

  expect(column.accepted).toHaveLength(2)
  expect(school.browserErrors).toEqual([])
}

export interface School {
  product: Product
  lms: FakeLms
  deployment: Deployment
  open(cookies?: FrameCookies): Promise<{ context: BrowserContext; page: Page }>
  browserErrors: string[]
}

/** The product is the one that journeys share, unless another is given. */
export function useSchool(options: LmsOptions, product: Product = useProduct()): School {
  const { value, bind } = lateBound<School>()
  const browserErrors: string[] = []
  const contexts: BrowserContext[] = []
  let lms: FakeLms | undefined
  journey.beforeAll(async ({ shared }) => {
    lms = await startFakeLms(options)
    const tool = await registerWithProduct(lms, product)
    bind({
      product,
      lms,
      deployment: lms.deploymentOf(tool),
      browserErrors,
      async open(cookies) {
        const context = await openLmsContext(await shared.browser(cookies), browserErrors)
        contexts.push(context)
        return { context, page: await context.newPage() }
      },
    })
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await lms?.close()
  })
  return value
}

/** Errors of popups are collected too. */
export async function openLmsContext(browser: Browser, browserErrors: string[]): Promise<BrowserContext> {
  const context = await browser.newContext(contextOptions)
  context.setDefaultTimeout(180_000)
  context.on('page', (page) => collectBrowserErrors(page, browserErrors, ['localhost', '127.0.0.1']))
  return context
}

/** Until the school's LMS may show the tool in its frame: a gateway asks who may only every half minute. */
export const waitForFrameAncestors = (product: { url: string }, school: School): Promise<void> =>
  expect
    .poll(async () => (await fetch(`${product.url}/l/launch`)).headers.get('content-security-policy'), {
      timeout: 180_000,
      interval: 500,
    })
    .toContain(`frame-ancestors 'self' ${school.lms.url}`)

export async function toolFrame(page: Page): Promise<Frame> {
  // By its element, as the browser reports the frame's name later.
  const element = await page.locator('iframe[name=tool]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('the LMS’s page has no frame for the tool')
  return frame
}

export async function openLink({ lms }: Pick<School, 'lms'>, page: Page, person: Person, link: Link): Promise<Frame> {
  await page.goto(lms.pageOf(link, person))
  return toolFrame(page)
}
