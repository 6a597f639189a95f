import type { OwnerHint } from '../../grader.ts'
import { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { bottomOf, normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import { removePrintedText } from '../print/remove-printed-text.ts'

/** `other` does not help to identify the owner. */
type OwnerLabel = 'name' | 'family_name' | 'given_name' | 'number' | 'email' | 'other'

const WHO = "(?:student|full|candidate|examinee|pupil|learner|your|print|printed)(?:'s|’s)?"
const NUMBER = '(?:id|no|nr|num|number|code|#)(?![\\p{L}\\p{N}])\\.?'

const PATTERNS: readonly (readonly [OwnerLabel, string])[] = [
  ['name', '(?:sur|last\\s*|family\\s*)names?\\s*(?:and|&|,|/|\\+)\\s*(?:first|fore|given|other)\\s*-?names?'],
  ['name', '(?:first|given|fore)\\s*-?names?\\s*(?:and|&|,|/|\\+)\\s*(?:sur|last\\s*|family\\s*)names?'],
  [
    'number',
    `(?:student|candidate|examinee|pupil|matriculation|matric|registration|enrol?ment|reg|roll|index|exam(?:ination)?|seat|school|university)\\.?\\s*-?${NUMBER}`,
  ],
  ['number', 'matr(?:ikel)?\\.?\\s*-?\\s*(?:nummer|nr)\\.?|id\\s*(?:no|nr|number|#)\\.?|s?id'],
  ['email', '(?:student\\s*)?e-?mail(?:\\s*address)?|user\\s*-?(?:name|id)|login|net\\s*-?id'],
  ['family_name', 'sur\\s*-?names?|last\\s*names?|family\\s*names?|nachname|apellidos?|cognome|achternaam'],
  ['given_name', 'first\\s*names?|given\\s*names?|fore\\s*-?names?|other\\s*names?|vornamen?|prénoms?|voornaam'],
  ['name', `(?:${WHO}\\s+)*names?|nom|nombre|naam|imię i nazwisko|written\\s+by|submitted\\s+by`],
  ['other', 'date(?:\\s+of\\s+birth)?|class|form|set|group|period|section|course|teacher|instructor|tutor|examiner'],
  [
    'other',
    'score|grade|marks?|total|subject|school|room|signature|signed|cent(?:re|er)(?:\\s*(?:no|number)\\.?)?|term|block',
  ],
  // These alone are words of any sentence.
  ['name', 'student|candidate|pupil|by|author'],
]
const LABEL = new RegExp(
  PATTERNS.map(([, source]) => `(?<![\\p{L}\\p{N}])(${source})(?![\\p{L}\\p{N}])(?:\\s*\\([^)]*\\))?`).join('|'),
  'giu',
)
const FIRST_OF_SENTENCE_WORDS = PATTERNS.length - 1

interface LabelledText {
  label: OwnerLabel | null
  text: string
  at: number
}

/** Without a colon or rule behind it, a label must begin the line or be printed here on the blank. */
function splitAtLabels(line: string, isPrinted: (word: string) => boolean): LabelledText[] {
  const labels: { label: OwnerLabel; from: number; to: number }[] = []
  for (const match of line.matchAll(LABEL)) {
    const place = match.slice(1).findIndex((group) => group !== undefined)
    const label = PATTERNS[place]?.[0]
    if (!label) continue
    const to = match.index + match[0].length
    const marked = /^\s*(?:[:#]|_{2}|\.{3}|…)/.test(line.slice(to))
    const begins = /^\W*$/u.test(line.slice(0, match.index))
    // A lower-case word alone may be a sentence's that the blank happens to print.
    const printed = /^\p{Lu}|\s/u.test(match[0]) && match[0].split(/\s+/).every(isPrinted)
    const alone = begins && label !== 'other' && /^\W*(?:$|\p{Lu})/u.test(line.slice(to))
    if (marked || (place < FIRST_OF_SENTENCE_WORDS && (printed || alone))) labels.push({ label, from: match.index, to })
  }
  const parts: LabelledText[] = []
  const start = labels[0]?.from ?? line.length
  parts.push({ label: null, text: line.slice(0, start), at: 0 })
  for (const [i, { label, from, to }] of labels.entries())
    parts.push({ label, text: line.slice(to, labels[i + 1]?.from ?? line.length), at: from })
  return parts
}

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

const MAX_HINTS = 40 // more are tables and lists
const MAX_LENGTH = 120
const TOP = 0.16 // of a page's height
const FOOT = 0.93
const FIRST_LINES = 3
const NEAR_LABEL = 30 // points

/** From labelled fields, and the top and foot of pages. Lines must be visible. */
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

/** “Ada Diaz Date 12/3 Period 3”. */
const BESIDE_NAME = /\s+(?:date|class|period|section|course|teacher|group)\b.*$/isu

export function nameIn(hints: readonly OwnerHint[]): string | null {
  const names = hints.flatMap(({ kind, text }) =>
    kind === 'name' ? [text.replace(BESIDE_NAME, '').replace(/^[\W_]+|[^\p{L}.]+$/gu, '')] : [],
  )
  return names.find((name) => /\p{L}{2}/u.test(name) && name.length <= 80 && name.split(' ').length <= 6) ?? null
}

type RawHint = OwnerHint & { part?: OwnerLabel }

function addHint(hints: RawHint[], { label, page }: Pick<Item, 'label' | 'page'>, own: Item[]): void {
  // Each digit of a number may stand in a box of its own.
  const text = own.map((one) => one.text).join(label === 'number' ? '' : ' ')
  if (!/[\p{L}\p{N}]/u.test(text)) return
  const isPart = label === 'family_name' || label === 'given_name'
  const kind = isPart ? 'name' : label === null || label === 'other' ? 'unlabelled' : label
  hints.push({ kind, text, page, ocr: own.some((one) => one.ocr), ...(isPart ? { part: label } : {}) })
}

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
        // “Name two causes of …” is a question, and a name of two words may stand in the task as well.
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
