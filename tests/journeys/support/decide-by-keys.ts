import type { Page } from 'playwright-core'
import type { ClassQuestion } from '../../papers/classes/class-of-thirty.ts'

/** In every document the page opens, reloads included. */
export async function countKeys(page: Page): Promise<{ keys: number }> {
  const pressed = { keys: 0 }
  await page.exposeFunction('countKey', () => {
    pressed.keys += 1
  })
  await page.addInitScript(`addEventListener('keydown', (event) => event.isTrusted && countKey(), true)`)
  return pressed
}

interface Seen {
  place: string
  marking: boolean
  offersMarking: boolean
  offersSure: boolean
  done: boolean
  /** Of the open answers that nobody has decided; of all of them where everything is. */
  texts: string[]
  suggestion: number | null
}

/** The list of groups names the open one only once it is drawn. */
async function look(page: Page): Promise<Seen> {
  await page.waitForFunction(`document.querySelector('[role=listbox]:not([aria-activedescendant])') === null`)
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)]
    const words = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
    const page = words(document.querySelector('main') ?? document.body)
    const cards = all('section[aria-label="Answers"] li').filter((card) => card.querySelector(':scope > p'))
    const open = cards.filter((card) => /(suggested|no points yet)( ?Flagged)?$/i.test(words(card.firstElementChild)))
    const text = (card: Element) => words(card.querySelector(':scope > p')).replace(/^(Read as|Left blank) ?/, '')
    const accept = words(document.querySelector('button[aria-keyshortcuts="a"]'))
    const [, points] = /^Accept ([\d.]+)$/.exec(accept) ?? []
    const [progress] = /\d+ of \d+ groups? decided/.exec(page) ?? []
    const [marking] = /Mark these first: \d+ of \d+/.exec(page) ?? []
    const list = document.querySelector('[role=listbox]')
    return {
      place: [
        location.pathname,
        progress,
        marking,
        list?.getAttribute('aria-activedescendant'),
        cards.length,
        open.length,
      ].join(' '),
      marking: marking !== undefined,
      offersMarking: document.querySelector('button[aria-keyshortcuts="o"]') !== null,
      offersSure: document.querySelector('button[aria-keyshortcuts="Shift+A"]') !== null,
      done: /All answers to (this question|all questions) are decided\./.test(page),
      texts: (open.length > 0 ? open : cards).map(text),
      suggestion: points === undefined ? null : Number(points),
    }
  })
}

async function pressAndSee(page: Page, press: () => Promise<unknown>): Promise<Seen> {
  const { place } = await look(page)
  await press()
  for (;;) {
    const seen = await look(page)
    if (seen.place !== place) return seen
    await page.waitForTimeout(20)
  }
}

function deserved({ answers }: ClassQuestion, texts: readonly string[]): number {
  const counts = new Map<number, number>()
  for (const text of texts) {
    const known = answers.find((answer) => answer.text.replace(/\s+/g, ' ') === text)
    if (!known) throw new Error(`Nobody wrote “${text}”`)
    counts.set(known.points, (counts.get(known.points) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  if (!most) throw new Error('No answer is open')
  return most[0]
}

/** By accepting the suggestion, by a key for all or none, or by typing the points. */
async function giveDeserved(page: Page, question: ClassQuestion): Promise<Seen> {
  const { texts, suggestion } = await look(page)
  const points = deserved(question, texts)
  return pressAndSee(page, async () => {
    if (points === suggestion) return page.keyboard.press('a')
    if (points === 0) return page.keyboard.press('-')
    if (points === question.points) return page.keyboard.press('=')
    await page.keyboard.type(String(points))
    return page.keyboard.press('Enter')
  })
}

async function waitForQuestion(page: Page, { number }: ClassQuestion): Promise<void> {
  await page.getByRole('heading', { name: `Question ${number}`, exact: true }).waitFor()
  await page.locator('[role=option][data-open]').waitFor()
}

/** The three answers the grader asks for, or the first three groups where it asks for none and is sure of none. */
export async function markThree(page: Page, question: ClassQuestion): Promise<void> {
  await waitForQuestion(page, question)
  let seen = await look(page)
  if (seen.offersMarking) {
    seen = await pressAndSee(page, () => page.keyboard.press('o'))
    while (seen.marking) seen = await giveDeserved(page, question)
    // Who reads what the marks have changed waits that long.
    await page.getByText('Suggestions are being updated by your marks.').waitFor({ state: 'detached' })
    return
  }
  for (let i = 0; i < 3 && !seen.done && !seen.offersSure; i++) seen = await giveDeserved(page, question)
}

export async function acceptSure(page: Page): Promise<void> {
  if ((await look(page)).offersSure) await pressAndSee(page, () => page.keyboard.press('Shift+A'))
}

export async function decideRest(page: Page, question: ClassQuestion): Promise<void> {
  let seen = await look(page)
  while (!seen.done) seen = await giveDeserved(page, question)
}
