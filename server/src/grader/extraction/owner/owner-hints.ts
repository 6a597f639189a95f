import type { OwnerHint } from '../../grader.ts'
import { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { bottomOf, normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import { removePrintedText } from '../print/remove-printed-text.ts'
import { type OwnerLabel, splitAtLabels } from './owner-labels.ts'

interface Item {
  label: OwnerLabel | null
  text: string
  page: number
  x: number
  y: number
  height: number
  atEdge: boolean
  ocr: boolean
}

/** A paper has a few of them; more are tables and lists. */
const MAX_HINTS = 40
const MAX_LENGTH = 120
/** Parts of a page's height, and its first lines wherever they are. */
const TOP = 0.16
const FOOT = 0.93
const FIRST_LINES = 3
/** Above or below, in points. */
const NEAR_LABEL = 30

/** From fields for name, number and address, and the top and foot of pages. `lines` and `blank` are visible lines. */
export function findOwnerHints(lines: PlacedLine[], blank: PlacedLine[]): OwnerHint[] {
  const items = toItems(lines, blank)
  const used = new Set<Item>()
  const hints: OwnerHint[] = []
  for (const slot of items) {
    if (slot.label === null || slot.label === 'other') continue
    const own = slot.text === '' ? writtenInto(slot, items, used) : [slot]
    for (const one of own) used.add(one)
    addHint(hints, slot, own)
  }
  for (const item of items)
    if (item.label === null && item.atEdge && !used.has(item) && isShort(item)) addHint(hints, item, [item])
  return joinNameParts(hints).slice(0, MAX_HINTS)
}

/** A name without a label stands alone, or beside a date and a class. */
const isShort = ({ text }: Item) => text.length <= 60 && wordsOf(text).length <= 8 && /[\p{L}\p{N}]{3}/u.test(text)

/** What follows a name on its line, as a sheet's other fields: “Ada Diaz Date 12/3 Period 3”. */
const BESIDE_NAME = /\s+(?:date|class|period|section|course|teacher|group)\b.*$/isu

/** Null without a named field. */
export function nameIn(hints: readonly OwnerHint[]): string | null {
  const names = hints.flatMap(({ kind, text }) =>
    kind === 'name' ? [text.replace(BESIDE_NAME, '').replace(/^[\W_]+|[^\p{L}.]+$/gu, '')] : [],
  )
  return names.find((name) => /\p{L}{2}/u.test(name) && name.length <= 80 && name.split(' ').length <= 6) ?? null
}

type RawHint = OwnerHint & { part?: OwnerLabel }

function addHint(hints: RawHint[], { label, page }: Pick<Item, 'label' | 'page'>, own: Item[]): void {
  // One sign in each box of a number is one number.
  const text = own.map((one) => one.text).join(label === 'number' ? '' : ' ')
  if (!/[\p{L}\p{N}]/u.test(text)) return
  const isPart = label === 'family_name' || label === 'given_name'
  const kind = isPart ? 'name' : label === null || label === 'other' ? 'unlabelled' : label
  hints.push({ kind, text, page, ocr: own.some((one) => one.ocr), ...(isPart ? { part: label } : {}) })
}

/** “Surname” and “First name” in fields of their own are one name. */
function joinNameParts(hints: RawHint[]): OwnerHint[] {
  const joined: OwnerHint[] = []
  for (const { part, ...hint } of hints) {
    const other = hints.find((one) => one.part && part && one.part !== part && one.page === hint.page)
    if (!other) joined.push(hint)
    else if (part === 'given_name')
      joined.push({ ...hint, text: `${hint.text} ${other.text}`, ocr: hint.ocr || other.ocr })
  }
  return joined
}

/** In a label's row before the next label, or else below or above it. */
function writtenInto(slot: Item, items: Item[], used: Set<Item>): Item[] {
  const here = items.filter((one) => one !== slot && one.page === slot.page)
  const inRow = (one: Item) => Math.abs(middleOf(one) - middleOf(slot)) <= Math.max(6, 0.6 * slot.height)
  const nextLabel = here.filter((one) => one.label !== null && inRow(one) && one.x > slot.x)
  const end = Math.min(Number.POSITIVE_INFINITY, ...nextLabel.map((one) => one.x))
  const free = here.filter((one) => one.label === null && !used.has(one) && one.x > slot.x - 12 && one.x < end - 2)
  const beside = free.filter(inRow).sort((a, b) => a.x - b.x)
  if (beside.length > 0) return beside
  const near = (from: number, to: number) =>
    free.filter((one) => {
      const away = middleOf(one) - middleOf(slot)
      return away > from && away < to && one.text.length < 60
    })
  const below = near(4, NEAR_LABEL)
  return below.length > 0 ? below : near(-NEAR_LABEL, -4)
}

const middleOf = ({ y, height }: Item) => y + height / 2

function toItems(lines: PlacedLine[], blank: PlacedLine[]): Item[] {
  const printed = new Set(blank.flatMap((line) => wordsOf(line.text)))
  const prints = blank.map((line) => line.text)
  const matches = matchPrintedLines(
    prints,
    lines.map((line) => line.text),
  )
  const places = new Map<number, number>()
  return lines.flatMap((line, i) => {
    const place = places.get(line.page) ?? 0
    places.set(line.page, place + 1)
    const match = matches.get(i)
    const print = match ? (prints[match.printedIndex] ?? '') : ''
    const atEdge = place < FIRST_LINES || line.box.y < TOP * line.pageHeight || bottomOf(line) > FOOT * line.pageHeight
    const ocr = line.source === 'ocr' || line.source === 'model'
    const cells = line.cells ?? [{ text: line.text, x: line.box.x, width: line.box.width }]
    return cells.flatMap(({ text: all, x, width }): Item[] => {
      const text = all.slice(0, 4 * MAX_LENGTH)
      const parts = splitAtLabels(text, (word) => wordsOf(word).every((one) => printed.has(one)))
      return parts.flatMap(({ label, text: own, at }): Item[] => {
        // What is set apart, or follows a label, is not the line's print.
        const isLine = cells.length === 1 && parts.length === 1
        const kept = isLine && match ? removePrintedText(own, print, match.kind, ocr) : own
        const written = clean(kept)
        const isPrint = wordsOf(kept).every((word) => printed.has(word))
        // “Name two causes of …” is a question; a name of two words may stand in the task as well.
        if (isPrint && (label === null || wordsOf(kept).length > 2)) return []
        const place = { page: line.page, y: line.box.y, height: line.box.height, x: x + (width * at) / text.length }
        return [{ label, text: written, atEdge, ocr, ...place }]
      })
    })
  })
}

const wordsOf = (text: string): string[] => normalizeText(text).split(' ').filter(Boolean)

const clean = (text: string): string =>
  text
    .replace(/[_.…]{2,}/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s:.\-–_]+|[\s:\-–_]+$/g, '')
    .slice(0, MAX_LENGTH)
