import type { Box, Paper, Shape } from '@assay/shared/papers.ts'
import { TICKED_SIGNS } from '@assay/shared/rules/choice-options.ts'
import { findSetOffOptions, inkedAmong } from '../../extraction/ink/inked-options.ts'
import { markedAmong } from '../../extraction/ink/marked-options.ts'
import { matchBlankPages } from '../../layout/match-blank-pages.ts'
import { printPairs } from '../../layout/match-printed-lines.ts'
import { type OptionPlace, type OptionRegion, optionRegions } from '../../layout/option-regions.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'

const MOST_OPTIONS = 10 // more are a table to fill in

/** By question id, options ringed, ticked, filled in, or set off in bold, colour, highlight or underline. */
export function readMarkedKey(questions: readonly PrintedQuestion[], blank: Paper, key: Paper): Map<string, string> {
  const printed = questions.flatMap((question): OptionPlace[] => {
    const truth = optionRegions(question, 'true_false', '', blank)
    const choice = optionRegions(question, 'choice', '', blank)
    const own = truth.length > 0 && choice.length <= 2 ? truth : choice
    return own.length > MOST_OPTIONS ? [] : own.map((place) => ({ question: question.id, place }))
  })
  if (printed.length === 0) return new Map()
  const { placeInKey, moved } = findRepeatedPrint(blank, key)
  const places = [...Map.groupBy(printed, ({ question }) => question).values()].flatMap((options) => {
    const inKey = options.flatMap(({ question, place }) => {
      const there = placeInKey(place.page, place.box)
      return there ? [{ question, place: { ...place, ...there } }] : []
    })
    return inKey.length === options.length ? inKey : []
  })
  const pages = samePages(key)
  const found = new Map<string, string>()
  const drawn = markedAmong(places, moved, key, pages, true)
  // A ring may underline the option above, and a sign may hang lower than its option.
  const ways = [findSignedOptions(places, moved, key), drawn, findSetOffOptions(places, moved, key, pages)]
  for (const way of [...ways, markedAmong(places, moved, key, pages)])
    for (const [question, { values }] of way) {
      const all = places.filter((one) => one.question === question).length
      if (!found.has(question) && values.length < all) found.set(question, values.join(', '))
    }
  for (const [question, values] of inkedOptions(printed, blank, key))
    if (!found.has(question)) found.set(question, values)
  return found
}

function inkedOptions(places: readonly OptionPlace[], blank: Paper, key: Paper): Map<string, string> {
  if (!key.pages.some(({ ink = [] }) => ink.length > 0)) return new Map()
  const registered = [...matchBlankPages(key, blank)].flatMap(([page, { pages }]) => {
    const [only, other] = pages.filter(({ registration }) => registration !== null)
    return only?.registration && !other ? [{ page, blankPage: only.number, registration: only.registration }] : []
  })
  const found = new Map<string, string>()
  for (const [question, marked] of inkedAmong(places, blank, key, registered)) {
    const all = places.filter((one) => one.question === question).length
    if (marked !== 'unclear' && marked.values.length < all) found.set(question, marked.values.join(', '))
  }
  return found
}

/** Moved print is found at its places; scans are told by their ink. */
function samePages(key: Paper): ReturnType<typeof matchBlankPages> {
  return new Map(
    key.pages.map(({ number, lines }) => [
      number,
      {
        known: lines.some(({ source, hidden }) => source !== 'ocr' && !hidden),
        pages: [{ number, toPaperHeights: (y) => [y], registration: null }],
      },
    ]),
  )
}

const SAYS_RIGHT = new RegExp(
  String.raw`^[\s([]*(?:[${TICKED_SIGNS}✓✔✗✘√←⇐<*→➔►xX-]{1,3}[\s)\]]*)?(?:(?:the\s+)?(?:correct|right)(?:\s+(?:answer|option|choice))?|answer|ans|key)?[\s)\].!]*$`,
  'iu',
)

/** “✓ Mars”, “Mars ← correct”, “● Mars” among “○ Venus”. */
function findSignedOptions(
  places: readonly OptionPlace[],
  blank: Paper,
  key: Paper,
): Map<string, { values: string[] }> {
  const [before, after] = [visibleLines(blank), visibleLines(key)]
  const signed = places.filter(({ question, place }) => {
    const print = lineAt(before, place)
    const line = lineAt(after, place)
    if (!print || !line || line.source !== 'text') return false
    const [own, now] = [around(print, place), around(line, place)]
    if (!own || !now) return false
    const added = (from: string, to: string) => to !== from && to.trim() !== '' && SAYS_RIGHT.test(to.replace(from, ''))
    const isAlone = !places.some((one) => one.question === question && one.place !== place && isInRow(one.place, place))
    return added(own.before, now.before) || (isAlone && added(own.after, now.after))
  })
  return new Map(
    [...Map.groupBy(signed, ({ question }) => question)].map(([question, own]) => [
      question,
      { values: own.map(({ place }) => place.value) },
    ]),
  )
}

const isInRow = (a: OptionRegion, b: OptionRegion): boolean => a.page === b.page && Math.abs(a.box.y - b.box.y) < 4

function around({ text }: PlacedLine, { value }: OptionRegion): { before: string; after: string } | null {
  const label = /^[A-H]$/.test(value) ? new RegExp(String.raw`\(?${value}[.):]`, 'i').exec(text) : null
  const at = label ? label.index : text.indexOf(value)
  if (at < 0) return null
  const before = text.slice(0, at).match(/\S+\s*$/)?.[0] ?? ''
  const after = label ? (text.match(/\S+$/)?.[0] ?? '') : text.slice(at + value.length)
  return { before, after }
}

const lineAt = (lines: readonly PlacedLine[], { page, box }: OptionRegion): PlacedLine | undefined =>
  lines.find(
    (line) =>
      line.page === page &&
      Math.abs(line.box.y + line.box.height / 2 - box.y - box.height / 2) < Math.max(4, box.height * 0.4) &&
      line.box.x < box.x + box.width &&
      box.x < line.box.x + line.box.width,
  )

const NEAR = 40 // points; what is this near to a line moves with it
const SAME_COLUMN = 20 // points; letters before the words may be others

/** Solutions in a key may have moved the blank's print, also to another page. */
interface RepeatedPrint {
  placeInKey(page: number, box: Box): { page: number; box: Box } | null
  /** The blank's print at its places in the key, on the key's page numbers. */
  moved: Paper
}

function findRepeatedPrint(blank: Paper, key: Paper): RepeatedPrint {
  const pairs = Map.groupBy(printPairs(visibleLines(blank), visibleLines(key)), ({ printed }) => printed.page)
  const placeInKey = (page: number, box: Box) => {
    const own = (pairs.get(page) ?? []).map((pair) => ({ ...pair, distance: distanceOf(pair.printed.box, box) }))
    const [nearest] = own.toSorted((a, b) => a.distance - b.distance)
    if (!nearest || nearest.distance > NEAR) return null
    const { printed: from, line: to } = nearest
    const starts = [to.box.x, ...(to.cells ?? []).map((cell) => cell.x)]
    const isSameColumn = starts.some((start) => Math.abs(start - from.box.x) < SAME_COLUMN)
    const x = isSameColumn ? box.x : box.x + to.box.x - from.box.x
    // Fonts may tell their heights otherwise in the key's file.
    const down = to.box.y + to.box.height / 2 - from.box.y - from.box.height / 2
    return { page: to.page, box: { ...box, x, y: box.y + down } }
  }
  return { placeInKey, moved: movedPaper(blank, key, placeInKey) }
}

function movedPaper(blank: Paper, key: Paper, placeInKey: RepeatedPrint['placeInKey']): Paper {
  const pages = new Map(
    key.pages.map((page) => [page.number, { ...page, lines: [], shapes: [], ink: [] } as Paper['pages'][number]]),
  )
  for (const page of blank.pages) {
    for (const line of page.lines) {
      const place = placeInKey(page.number, line.box)
      const across = place ? place.box.x - line.box.x : 0
      const cells = line.cells?.map((cell) => ({ ...cell, x: cell.x + across }))
      if (place) pages.get(place.page)?.lines.push({ ...line, box: place.box, ...(cells ? { cells } : {}) })
    }
    for (const shape of page.shapes ?? []) {
      const place = placeInKey(page.number, shape.box)
      if (place) pages.get(place.page)?.shapes?.push({ ...shape, box: place.box } satisfies Shape)
    }
  }
  return { pages: [...pages.values()] }
}

function distanceOf(line: Box, box: Box): number {
  const gap = (from: number, size: number, to: number, toSize: number) =>
    Math.max(0, to - from - size, from - to - toSize)
  const rows = Math.abs(line.y + line.height / 2 - box.y - box.height / 2)
  return rows + 0.05 * gap(line.x, line.width, box.x, box.width)
}
