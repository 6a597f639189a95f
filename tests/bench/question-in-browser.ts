import type { Page } from 'playwright-core'
import { desktop, openBrowser } from '../journeys/support/browser.ts'
import { DECIDED, type LargeQuestion } from './question-decisions.ts'

const ROUNDS = 3
const GROUPS = 20
const FRAMES = 120
/** In px: about seven groups a frame. */
const SCROLLED = 530

/** In ms. */
interface ScreenCost {
  /** From navigation until the first answer is drawn. */
  firstAnswer: number
  scrolling: Smoothness
  /** From a key that opens the next group to the frame that shows it. */
  nextGroup: { median: number; longest: number }
  /** From a key until the group is shown as decided, and until the server has stored it and the screen knows. */
  shown: number
  stored: number
  /** The longest task of the page meanwhile. */
  deciding: number
}

interface Smoothness {
  longestTask: number
  /** Of the frames' intervals. */
  median: number
  longest: number
}

/** Says when the first answer was drawn, and keeps the lengths of tasks and the delays of keys. */
const instruments = `
  window.measured = { tasks: [], keys: [] }
  new PerformanceObserver((list) => measured.tasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) =>
    measured.keys.push(...list.getEntries().filter(({ name }) => name === 'keydown').map(({ duration }) => duration)),
  ).observe({ type: 'event', durationThreshold: 16 })
  measured.firstAnswer = new Promise((drawn) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('[role=option][data-open]') || !document.querySelector('[data-active]')) return
      watch.disconnect()
      requestAnimationFrame(() => setTimeout(() => drawn(performance.now())))
    })
    watch.observe(document, { childList: true, subtree: true })
  })
`

const longestTask = (page: Page) => page.evaluate<number>('Math.max(0, ...measured.tasks)')
const forgetTasks = (page: Page) => page.evaluate('measured.tasks.length = 0; measured.keys.length = 0')

/** The screen of a large question in Chromium: opened, scrolled, walked through, and a group of thousands decided and undone. */
export async function measureQuestionScreen(
  url: string,
  token: string,
  { params, largest }: LargeQuestion,
): Promise<ScreenCost> {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ viewport: desktop, baseURL: url })
    await context.addInitScript(`localStorage.setItem('assay.token', ${JSON.stringify(token)})`)
    await context.addInitScript(instruments)
    const address = `/assignments/${params.assignmentId}/questions/${params.questionId}?answer=${largest[0]}`
    const open = async () => {
      const page = await context.newPage()
      await page.goto(address, { waitUntil: 'commit' })
      return { page, firstAnswer: await page.evaluate<number>('measured.firstAnswer') }
    }
    const times: number[] = []
    // The first round fills the browser's cache, as a teacher's usually is.
    for (let round = 0; round <= ROUNDS; round++) {
      const { page, firstAnswer } = await open()
      if (round > 0) times.push(firstAnswer)
      await page.close()
    }
    const { page } = await open()
    await page.waitForLoadState('networkidle')
    const scrolling = await measureScrolling(page)
    const nextGroup = await measureNextGroup(page)
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    return {
      firstAnswer: times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0,
      scrolling,
      nextGroup,
      ...(await measureDecision(page)),
    }
  } finally {
    await browser.close()
  }
}

/** The whole way through the list of groups, and back. */
async function measureScrolling(page: Page): Promise<Smoothness> {
  await forgetTasks(page)
  const intervals = await page.evaluate<number[]>(`(async () => {
    const list = document.querySelector('[role=listbox]')
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const intervals = []
    let last = await frame()
    for (let i = 0; i < ${FRAMES}; i++) {
      list.scrollTop += i < ${FRAMES / 2} ? ${SCROLLED} : -${SCROLLED}
      const now = await frame()
      intervals.push(now - last)
      last = now
    }
    return intervals
  })()`)
  const sorted = intervals.sort((a, b) => a - b)
  return {
    longestTask: await longestTask(page),
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    longest: sorted.at(-1) ?? 0,
  }
}

async function measureNextGroup(page: Page): Promise<ScreenCost['nextGroup']> {
  await forgetTasks(page)
  for (let i = 0; i < GROUPS; i++) {
    await page.keyboard.press('j')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  }
  const sorted = (await page.evaluate<number[]>('measured.keys')).sort((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

async function measureDecision(page: Page) {
  const decided = (count: number) => page.getByText(new RegExp(`^${count} of [\\d,]+ groups decided`)).waitFor()
  await page.keyboard.type('4')
  await forgetTasks(page)
  const answered = page.waitForResponse((reply) => reply.request().method() === 'POST' && /decisions/.test(reply.url()))
  const start = performance.now()
  await page.keyboard.press('Enter')
  await decided(1)
  const shown = performance.now() - start
  const reply = await answered
  await reply.finished()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  const stored = performance.now() - start
  const { changed } = JSON.parse(await reply.text())
  if (changed.length !== DECIDED) throw new Error(`${changed.length} answers were decided`)
  const deciding = await longestTask(page)
  // As it was before.
  await page.keyboard.press('z')
  await decided(0)
  return { shown, stored, deciding }
}
