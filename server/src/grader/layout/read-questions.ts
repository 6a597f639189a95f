import { nameLetteredSections, sectionsWithoutNumbers } from './lettered-sections.ts'
import { findPageFurniture, isNameFieldLine, type PlacedLine } from './paper-lines.ts'
import { readPointsTable, usePointsTable, withLeadingMarks, withMarginMarks } from './points-columns.ts'
import { readPoints, readPointsEach, readTotal } from './printed-points.ts'
import type { PrintedQuestion, SharedPoints } from './printed-question.ts'
import { romanValue } from './question-labels.ts'
import { findMainNumbers, headingsAfter, isSectionHeading, type QuestionStart } from './question-numbers.ts'
import { divideQuestion, type QuestionUnit, rowPoints, rowsBefore } from './question-parts.ts'
import { type Row, toRow } from './rows.ts'
import { withTallFormulas } from './tall-formulas.ts'
import { findUnnumberedQuestions } from './unnumbered-questions.ts'

export interface PrintedPaper {
  lines: PlacedLine[]
  furniture: Set<PlacedLine>
  questions: PrintedQuestion[]
  total: number | null
  sharedPoints: SharedPoints[]
}

/** Reads the questions a paper prints. Lines must be visible ones in reading order. */
export function readQuestions(all: PlacedLine[]): PrintedPaper {
  const furniture = findPageFurniture(all)
  const figures = findFigureText(all)
  const printed = all.filter((line) => !furniture.has(line) && !figures.has(line)).map(toRow)
  const grading = readPointsTable(printed)
  const rows = nameLetteredSections(
    withTallFormulas(withLeadingMarks(withMarginMarks(printed.filter((row) => !grading.rows.has(row))))),
  )
  const starts = findMainNumbers(rows)
  const units = starts.length > 0 ? numberedUnits(rows, starts) : findUnnumberedQuestions(rows)
  const first = units[0]?.rows[0]
  const before = first ? rows.slice(0, rows.indexOf(first)) : []
  const total = [...before.map(({ line }) => line), ...all.filter((line) => furniture.has(line))]
    .map((line) => readTotal(line.text) ?? totalPointsIn(line))
    .find((x) => x !== null)
  const sharedPoints: SharedPoints[] = []
  const questions = withUniqueIds(
    units.flatMap((unit) => leavesOf(unit, [], sharedPoints, unit.lead ? [unit.lead] : [])),
  )
  usePointsTable(questions, grading, sharedPoints)
  return { lines: all, furniture, questions, total: total ?? grading.total, sharedPoints }
}

/** What was recognised in the pictures of pages that are text: letters in a figure label its parts, not the paper's. */
function findFigureText(lines: readonly PlacedLine[]): Set<PlacedLine> {
  const pages = Map.groupBy(lines, ({ page }) => page)
  const lettersOf = (own: readonly PlacedLine[]) => own.reduce((sum, { text }) => sum + text.length, 0)
  return new Set(
    [...pages.values()].flatMap((page) => {
      const recognised = page.filter(({ source }) => source === 'ocr')
      return lettersOf(recognised) * 2 < lettersOf(page) ? recognised : []
    }),
  )
}

/** “Biology test (40 points)” above the questions is the whole paper's total. */
function totalPointsIn(line: PlacedLine): number | null {
  return readPointsEach(line.text) === null && !isNameFieldLine(line.text)
    ? (readPoints(line.text)?.points ?? null)
    : null
}

function numberedUnits(rows: Row[], starts: QuestionStart[]): QuestionUnit[] {
  const units: QuestionUnit[] = []
  const anew = starts.some(({ section }) => section > 1)
  starts.forEach((start, i) => {
    const below = rows.slice(start.at, starts[i + 1]?.at ?? rows.length)
    const section = below.findIndex((row, k) => k > 0 && row.section !== undefined)
    const own = section < 0 ? below : below.slice(0, section)
    const after = new Set(starts[i + 1] ? headingsAfter(own) : [])
    const kept = own.filter((row, k) => k === 0 || !(isSectionHeading(row) || after.has(row)))
    const last = units.at(-1)
    const value = start.label.style.includes('A') ? start.label.value.toUpperCase() : start.label.value
    // “1 (a)” and “1 (b)” each with their number are parts of one question.
    if (last && last.path[0] === value && last.section === start.section) last.rows.push(...kept)
    else
      units.push({
        path: [value],
        used: 1,
        skip: start.label.end,
        section: start.section,
        sectionName: anew ? start.sectionName : null,
        ...leadOf(rows.slice(0, start.at)),
        rows: kept,
        pointsEach: start.pointsEach,
        children: [],
      })
  })
  const places = starts.map(({ at }) => at)
  for (const lone of sectionsWithoutNumbers(rows, places)) {
    const next = units.findIndex((unit) => rows.indexOf(unit.rows[0] as Row) > lone.at)
    const [label] = lone.rows[0]?.labels ?? []
    units.splice(next < 0 ? units.length : next, 0, {
      path: [lone.name],
      used: 1,
      skip: label?.end ?? 0,
      section: 1,
      sectionName: null,
      rows: lone.rows,
      pointsEach: null,
      children: [],
    })
  }
  for (const unit of units) {
    divideQuestion(unit)
    keepLoneDecimal(unit)
  }
  return units
}

/** The words of the lettered section that a question is in; points are read elsewhere. */
function leadOf(before: readonly Row[]): { lead?: string } {
  const heading = before.findLast(({ section }) => section !== undefined)
  const text = heading?.text
    .slice(heading.labels[0]?.end ?? 0)
    .replace(/\s*[([][^()[\]]*\b(?:points?|pts|marks?)\b[^()[\]]*[)\]]/gi, '')
  return text?.trim() ? { lead: text.trim() } : {}
}

/** “2.1” without a “2.2” still is no “2”. */
function keepLoneDecimal(unit: QuestionUnit): void {
  const decimal = unit.rows[0]?.labels[1]
  if (unit.children.length > 0 || decimal?.style !== '.1') return
  unit.path.push(decimal.value)
  unit.skip = decimal.end
}

function leavesOf(
  unit: QuestionUnit,
  stem: Row[],
  shared: SharedPoints[],
  stemTexts: string[] = [],
): PrintedQuestion[] {
  const [main = '', ...inner] = unit.path
  const section = unit.section > 1 ? `s${unit.section}` : ''
  // Board papers number their parts “01.2”.
  const dotted = inner.length > 0 && inner.every((part) => /^\d+$/.test(part))
  const number = dotted ? unit.path.join('.') : unit.path.join(' ')
  if (unit.children.length === 0) {
    const texts = textsOf(unit.rows, unit.skip)
    return [
      {
        id: `${section}q${unit.path.join(dotted ? '_' : '')}`,
        number: numberInSection(unit, number, main),
        mainNumber: Number(main) || romanValue(main.toLowerCase()),
        part: inner.length > 0 ? inner.join(' ') : null,
        stem: stem.map(({ line }) => line),
        lines: unit.rows.map(({ line }) => line),
        stemTexts,
        texts,
        points: rowPoints(unit.rows) ?? unit.pointsEach,
      },
    ]
  }
  const own = rowsBefore(unit, unit.children)
  const lead = textsOf(own, unit.skip)
  const worth = rowPoints(own)
  const leaves = unit.children.flatMap((child) => leavesOf(child, [...stem, ...own], shared, [...stemTexts, ...lead]))
  if (worth !== null) {
    shared.push({ number, points: worth, ids: leaves.map(({ id }) => id) })
    for (const leaf of leaves) if (leaf.points === unit.pointsEach) leaf.points = null
  }
  return leaves
}

/** Sections that number anew: `B 1` where they have names. */
function numberInSection({ section, sectionName }: QuestionUnit, number: string, main: string): string {
  if (sectionName) return `${sectionName} ${number}`
  return section > 1 ? number.replace(main, `${main} (part ${section})`) : number
}

/** A row's words without its label; options beside each other become lines of their own. */
const textsOf = (rows: Row[], skip: number): string[] =>
  rows.flatMap((row, i) => {
    const options = row.cells.filter(({ text }, at) =>
      text.toLowerCase().startsWith(`${String.fromCharCode(97 + at)} `),
    )
    if (i > 0 && options.length >= 3 && options.length === row.cells.length) return options.map(({ text }) => text)
    if (i > 0) return [row.text]
    const circled = /^\s*(?:T\s+F|True\s+False)\s/i.test(row.text.slice(0, skip))
    return [row.text.slice(skip) + (circled ? ' (T / F)' : '')]
  })

/** Papers number carelessly; ids must not. */
function withUniqueIds(questions: PrintedQuestion[]): PrintedQuestion[] {
  const seen = new Map<string, number>()
  return questions.map((question) => {
    const id = question.id.replace(/[^\w]/g, '')
    const times = (seen.get(id) ?? 0) + 1
    seen.set(id, times)
    return { ...question, id: times === 1 ? id : `${id}_${times}` }
  })
}
