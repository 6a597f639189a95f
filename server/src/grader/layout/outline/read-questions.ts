import { median } from '../../../lib/numbers.ts'
import {
  findPageFurniture,
  isNameFieldLine,
  type PlacedLine,
  type Row,
  toRow,
  withTallFormulas,
} from '../paper-lines.ts'
import { readPointsTable, usePointsTable, withLeadingMarks, withMarginMarks } from '../points-columns.ts'
import type { PrintedQuestion, SharedPoints } from '../printed-question.ts'
import { romanValue } from '../question-labels.ts'
import { inNumberOrder } from './number-order.ts'
import type { OutlineEntry } from './outline-steps.ts'
import { readEach, readEachRules, readNamedPoints, readTotal } from './points.ts'
import { findUnnumberedQuestions, type KnownQuestion, outlineOf, outlineOfKey } from './read-outline.ts'
import { leavesOf, type PointsNode, type Scope, scopeTotal, treePoints, withParts } from './tree-points.ts'

export interface PrintedPaper {
  lines: PlacedLine[]
  furniture: Set<PlacedLine>
  questions: PrintedQuestion[]
  total: number | null
  sharedPoints: SharedPoints[]
  /** Little speaks for most of its labels. */
  doubtful: boolean
}

/** Of ten papers below this evidence for half the labels, five were read wrong; short ones never have much. */
const [PLAIN_LABELS, FEWEST_LABELS] = [1.8, 5]

interface Node extends PointsNode {
  /** Of the rubric's question when a blank is read again. */
  id: string | null
  section: string | null
  sectionIndex: number
  skip: number
}

/** Lines must be visible and in reading order. `known`: the questions of a rubric that was made from the paper. */
export function readQuestions(
  all: PlacedLine[],
  key: PlacedLine[] | null = null,
  known: readonly KnownQuestion[] = [],
): PrintedPaper {
  const { rows, furniture, grading } = printedRows(all)
  const entries = outlineOf(rows, key, known)
  const found = toTree(rows, entries)
  const { roots, cover } = numbersNothing(found.roots, rows) ? unnumbered(rows) : found
  const total =
    [...cover.rows.map(({ line }) => line), ...all.filter((line) => furniture.has(line))]
      .map((line) => readTotal(line.text) ?? totalPointsIn(line))
      .find((x) => x !== null) ?? grading.total
  const anew = entries.some(({ anew: restarts }) => restarts)
  const reading: Reading = { anew, points: treePoints(roots, total) }
  if (key) pointsOfKey(roots, reading, rows, key)
  const questions = withUniqueIds(roots.flatMap((node) => questionsOf(node, [], [], reading)))
  const ids = new Map(roots.flatMap(leavesOf).map((leaf, i) => [leaf, questions[i]?.id ?? '']))
  const idsOf = (nodes: readonly Node[]) => nodes.flatMap(leavesOf).map((leaf) => ids.get(leaf) ?? '')
  const sharedPoints = roots.flatMap((root) => sharedBelow(root, reading, idsOf))
  usePointsTable(questions, grading, sharedPoints)
  sharedPoints.push(...sharedByHeadings(roots, cover, idsOf))
  const scores = entries.flatMap(({ kind, score }) => (kind === 'question' && score !== undefined ? [score] : []))
  const doubtful = scores.length >= FEWEST_LABELS && median(scores) < PLAIN_LABELS
  return { lines: all, furniture, questions, total, sharedPoints, doubtful }
}

function sharedBelow(node: Node, reading: Reading, idsOf: (nodes: readonly Node[]) => string[]): SharedPoints[] {
  const worth = reading.points.get(node)
  const below = node.children.flatMap((child) => sharedBelow(child, reading, idsOf))
  if (worth === undefined || node.children.length === 0) return below
  return [...below, { number: numberOf(node, reading.anew), points: worth, ids: idsOf([node]) }]
}

function sharedByHeadings(
  roots: readonly Node[],
  cover: Scope,
  idsOf: (nodes: readonly Node[]) => string[],
): SharedPoints[] {
  const scopes = [...new Set(roots.flatMap((root) => root.scopes))].filter((scope) => scope !== cover)
  return scopes.flatMap((scope) => {
    const points = scopeTotal(scope)
    const number = scope.section === null ? null : `Section ${scope.section.toUpperCase()}`
    return points === null ? [] : [{ number, points, ids: idsOf(roots.filter((root) => root.scopes.includes(scope))) }]
  })
}

function pointsOfKey(roots: readonly Node[], { anew, points }: Reading, rows: readonly Row[], key: PlacedLine[]): void {
  const nodes = roots.flatMap(withParts)
  if (nodes.every((node) => node.children.length > 0 || points.has(node))) return
  const own = printedRows(key).rows
  const numbers = nodes.map((node) => numberOf(node, anew))
  const inKey = toTree(own, outlineOfKey(own, rows, numbers))
  const found = new Map<string, number>()
  for (const [node, worth] of treePoints(inKey.roots, null, true))
    for (const path of [pathIn(node), node.path.join(' ').toLowerCase()]) if (!found.has(path)) found.set(path, worth)
  for (const node of nodes) {
    const worth = found.get(anew ? pathIn(node) : node.path.join(' ').toLowerCase())
    if (worth !== undefined && !points.has(node)) points.set(node, worth)
  }
}

const pathIn = ({ section, path }: Node) => [...(section === null ? [] : [section]), ...path].join(' ').toLowerCase()

/** A form's questions have no numbers and end with their points; labels are its options. */
function numbersNothing(roots: readonly Node[], rows: readonly Row[]): boolean {
  if (roots.length === 0) return true
  const named = rows.filter(({ text }) => readNamedPoints(text)?.form === 'unit').length
  const leaves = roots.flatMap(leavesOf).length
  return roots.every(({ path }) => !/^\d/.test(path[0] ?? '')) && named >= LEAST_NAMED && named > leaves
}

const LEAST_NAMED = 3

function unnumbered(rows: readonly Row[]): { roots: Node[]; cover: Scope } {
  const found = findUnnumberedQuestions(rows)
  const first = found[0]?.[0]
  const cover: Scope = { rows: first ? rows.slice(0, rows.indexOf(first)) : [...rows], section: null }
  const roots = found.map(
    (own, i): Node => ({
      id: null,
      path: [String(i + 1)],
      section: null,
      sectionIndex: 1,
      rows: own,
      skip: 0,
      scopes: [cover],
      earlier: [cover],
      children: [],
    }),
  )
  return { roots, cover }
}

/** Without page furniture, the words of figures and the table of points. */
export function printedRows(all: PlacedLine[]) {
  const furniture = findPageFurniture(all)
  const figures = findFigureText(all)
  const printed = inNumberOrder(all.filter((line) => !furniture.has(line) && !figures.has(line))).map(toRow)
  const grading = readPointsTable(printed)
  const rows = withTallFormulas(withLeadingMarks(withMarginMarks(printed.filter((row) => !grading.rows.has(row)))))
  return { rows, furniture, grading }
}

/** On pages of text, OCR finds the labels of figures. */
export function findFigureText(lines: readonly PlacedLine[]): Set<PlacedLine> {
  const pages = Map.groupBy(lines, ({ page }) => page)
  const lettersOf = (own: readonly PlacedLine[]) => own.reduce((sum, { text }) => sum + text.length, 0)
  return new Set(
    [...pages.values()].flatMap((page) => {
      const recognised = page.filter(({ source }) => source === 'ocr')
      return lettersOf(recognised) * 2 < lettersOf(page) ? recognised : []
    }),
  )
}

/** “Biology test (40 points)” above the questions is the paper's total. */
function totalPointsIn({ text }: PlacedLine): number | null {
  const isOfPart = /^\W*\d|\b(?:questions?|problems?|parts?|sections?)\s+\d/i.test(text)
  if (readEach(text) !== null || isNameFieldLine(text) || isOfPart) return null
  const found = readNamedPoints(text)
  return found?.form === 'unit' ? found.points : null
}

function toTree(rows: readonly Row[], entries: readonly OutlineEntry[]): { roots: Node[]; cover: Scope } {
  const roots: Node[] = []
  const cover: Scope = { rows: [], section: null }
  let section: Scope | null = null
  let heading: Scope | null = null
  let earlier: readonly Scope[] = [cover]
  const open: Node[] = []
  let current = cover.rows
  const starts = Map.groupBy(entries, ({ row }) => row)
  const close = () => {
    const node = open.at(-1)
    if (!node || node.rows.length < 2) return
    const bold = headingsAfter(node.rows)
    const after = bold.length > 0 ? bold : instructionsAfter(node.rows, Number(node.path[0]))
    if (after.length === 0 || after.length >= node.rows.length) return
    node.rows.splice(node.rows.length - after.length)
    heading = { rows: after, section: null }
    earlier = [...earlier, heading]
  }
  for (const [index, row] of rows.entries()) {
    const own = starts.get(index) ?? []
    const [first] = own
    if (!first) {
      current.push(row)
      continue
    }
    if (first.from > 0) current.push(slice(row, 0, first.from))
    for (const [i, entry] of own.entries()) {
      const part = slice(row, entry.from, own[i + 1]?.from ?? row.text.length)
      if (entry.kind === 'section') {
        open.length = 0
        heading = null
        section = { rows: [part], section: entry.section }
        earlier = [...earlier, section]
        current = section.rows
        continue
      }
      if (entry.path[0] !== open[0]?.path[0]) close()
      const node: Node = {
        id: entry.id ?? null,
        path: entry.path,
        section: entry.section,
        sectionIndex: entry.sectionIndex,
        rows: [part],
        skip: entry.end - entry.from,
        scopes: [heading, section, cover].flatMap((scope) => scope ?? []),
        earlier,
        children: [],
      }
      while (open.length > 0 && !isUnder(entry.path, open.at(-1)?.path ?? [])) open.pop()
      if (open.length === 0 && entry.path.length > 1) {
        const implied: Node = { ...node, id: null, path: entry.path.slice(0, 1), rows: [], skip: 0, children: [] }
        roots.push(implied)
        open.push(implied)
      }
      ;(open.at(-1)?.children ?? roots).push(node)
      open.push(node)
      current = node.rows
    }
  }
  return { roots, cover }
}

/** From “Questions 6 to 9 carry 2 marks each” on. */
function instructionsAfter(rows: readonly Row[], number: number): Row[] {
  const at = rows.findIndex(
    ({ text }, i) => i > 0 && readEachRules(text).some(({ numbers }) => numbers !== null && numbers[0] > number),
  )
  return at < 0 ? [] : rows.slice(at)
}

function headingsAfter(rows: readonly Row[]): Row[] {
  if (rows[0]?.bold) return []
  const last = rows.findLastIndex((row) => !row.bold || row.labels.length > 0 || NO_HEADING.test(row.text))
  return rows.slice(last + 1)
}
const NO_HEADING = /\b(?:total|answers?|turn over|end of)\b|[=_]|\.{4}/i

const isUnder = (path: readonly string[], parent: readonly string[]) =>
  parent.length < path.length && parent.every((value, level) => value === path[level])

function slice(row: Row, from: number, to: number): Row {
  if (from === 0 && to >= row.text.length) return row
  let at = 0
  const cells = row.cells.filter(({ text }) => {
    const start = Math.max(at, row.text.indexOf(text, at))
    at = start + text.length
    return start >= from && start < to
  })
  const text = row.text.slice(from, to).trim()
  const x = cells[0]?.x ?? row.line.box.x
  const right = cells.at(-1) ? (cells.at(-1)?.x ?? 0) + (cells.at(-1)?.width ?? 0) : row.line.box.x + row.line.box.width
  const stretchOf = row.line.stretchOf ?? row.line
  const line = { ...row.line, stretchOf, text, cells, box: { ...row.line.box, x, width: right - x } }
  const { marks: _, ...plain } = row
  return {
    ...plain,
    line,
    text,
    cells,
    bold: cells[0]?.bold === true,
    ...(to >= row.text.length && row.marks !== undefined ? { marks: row.marks } : {}),
  }
}

interface Reading {
  anew: boolean
  points: Map<Node, number>
}

function questionsOf(node: Node, stem: Row[], stemTexts: string[], reading: Reading): PrintedQuestion[] {
  const [main = '', ...inner] = node.path
  if (node.children.length === 0) {
    const section = reading.anew && node.sectionIndex > 1 ? `s${node.sectionIndex}` : ''
    return [
      {
        id: node.id ?? `${section}q${node.path.join(isDotted(node) ? '_' : '')}`,
        number: numberOf(node, reading.anew),
        mainNumber: Number(main) || romanValue(main.toLowerCase()),
        part: inner.length > 0 ? inner.join(' ') : null,
        stem: stem.map(({ line }) => line),
        lines: node.rows.map(({ line }) => line),
        stemTexts,
        texts: textsOf(node.rows, node.skip),
        points: reading.points.get(node) ?? null,
      },
    ]
  }
  const lead = textsOf(node.rows, node.skip)
  return node.children.flatMap((child) => questionsOf(child, [...stem, ...node.rows], [...stemTexts, ...lead], reading))
}

const isDotted = ({ path }: Node) => path.length > 1 && path.every((part) => /^\d+$/.test(part))

/** `B 1` where named sections number anew. */
function numberOf(node: Node, anew: boolean): string {
  const { path, section, sectionIndex } = node
  const number = path.join(isDotted(node) ? '.' : ' ')
  if (!anew) return number
  if (section) return `${section.toUpperCase()} ${number}`
  const [main = ''] = path
  return sectionIndex > 1 ? number.replace(main, `${main} (part ${sectionIndex})`) : number
}

const textsOf = (rows: readonly Row[], skip: number): string[] =>
  rows.flatMap((row, i) => {
    const options = row.cells.filter(({ text }, at) =>
      text.toLowerCase().startsWith(`${String.fromCharCode(97 + at)} `),
    )
    if (i > 0 && options.length >= 3 && options.length === row.cells.length) return options.map(({ text }) => text)
    if (i > 0) return [row.text]
    const circled = /^\s*(?:T\s+F|True\s+False)\s/i.test(row.text.slice(0, skip))
    return [row.text.slice(skip) + (circled ? ' (T / F)' : '')]
  })

function withUniqueIds(questions: PrintedQuestion[]): PrintedQuestion[] {
  const seen = new Map<string, number>()
  return questions.map((question) => {
    const id = question.id.replace(/[^\w]/g, '')
    const times = (seen.get(id) ?? 0) + 1
    seen.set(id, times)
    return { ...question, id: times === 1 ? id : `${id}_${times}` }
  })
}
