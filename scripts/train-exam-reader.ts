/**
 * Learns the weights by which the reader tells questions' numbers from everything else: `npx node
 * scripts/train-exam-reader.ts FOLDER [FOLDER …] [--leave-out] [--write]`. Each exam is a folder with `exam.pdf` (or
 * `blank.pdf`), `key.pdf`, and `gold.json` (or `exam.json`) with `questions` of `number`, `points`, `kind` and
 * `expected`; `source.json` may name its origin as `repo`. The layouts that the tests draw are learnt from as well, and
 * not counted. `--leave-out` reads each exam by weights that have seen no exam of its origin, and learns from that how
 * certain a reading is. `--write` keeps the weights of all, with `--leave-out` those of the certainty.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Paper } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { z } from 'zod'
import { type LabelledExam, learnWeights } from '../server/src/grader/layout/outline/learn-weights.ts'
import type { Weights } from '../server/src/grader/layout/outline/linear-model.ts'
import { levelsOf } from '../server/src/grader/layout/outline/outline-steps.ts'
import { prepare } from '../server/src/grader/layout/outline/prepared-document.ts'
import { toLine, useWeights } from '../server/src/grader/layout/outline/read-outline.ts'
import { printedRows } from '../server/src/grader/layout/outline/read-questions.ts'
import { findPageFurniture, visibleLines } from '../server/src/grader/layout/paper-lines.ts'
import { chanceOf } from '../server/src/grader/rubric/certainty/reading-certainty.ts'
import { readRubric, UNSURE } from '../server/src/grader/rubric/generate-rubric.ts'
import { defaultPaperLimits } from '../server/src/papers/paper-limits.ts'
import { readPaper } from '../server/src/papers/reading/read-paper.ts'
import { drawLayoutBlank, drawLayoutKey, type ExamLayout } from '../tests/papers/layouts/exam-layout.ts'
import { examLayouts } from '../tests/papers/layouts/exam-layouts.ts'
import { longExam } from '../tests/papers/long-exam.ts'

const WEIGHTS = new URL('../server/src/grader/layout/outline/outline-weights.json', import.meta.url)
const CERTAINTY = new URL('../server/src/grader/rubric/certainty/certainty-weights.json', import.meta.url)
const CACHE = new URL('../node_modules/.cache/exam-papers/', import.meta.url)
const GROUPS = 10

const CERTAINTY_STEPS = 400
const CERTAINTY_RATE = 2
/** Pulls weights to 0 with the force of so many questions, as few questions prove little. */
const CERTAINTY_PRIOR = 30

/** Facts of a question (`readingFacts`), and whether it was read right. */
interface JudgedReading {
  facts: readonly string[]
  right: boolean
}

/** The layouts that the tests draw, of three questions each. */
const DRAWN = 'drawn'
const DRAWN_WEIGHT = 0.3

const Gold = z.object({
  questions: z.array(
    z.object({
      number: z.string(),
      points: z.number().nullish(),
      kind: z.string().default('text'),
      expected: z.string().nullish(),
    }),
  ),
})
type Gold = z.infer<typeof Gold>

interface Exam extends LabelledExam {
  name: string
  gold: Gold
  papers: { blank: Paper; key: Paper }
}

const flags = process.argv.slice(2).filter((one) => one.startsWith('--'))
const folders = process.argv.slice(2).filter((one) => !one.startsWith('--'))
if (folders.length === 0) {
  console.error('usage: npx node scripts/train-exam-reader.ts FOLDER [FOLDER …] [--leave-out] [--write]')
  process.exit(2)
}

const measured: { f1: number; rows: Row[]; readings: (JudgedReading & { remarked: boolean })[]; group: number }[] = []
const exams: Exam[] = []
for (const folder of folders)
  for (const name of readdirSync(folder).sort()) {
    const exam = await readExam(join(folder, name), name)
    if (exam) exams.push(exam)
  }
const layouts: Exam[] = []
for (const layout of [...examLayouts, longExam]) layouts.push(await drawnExam(layout))
console.log(`${exams.length} exams of ${new Set(exams.map(({ origin }) => origin)).size} origins`)

if (flags.includes('--leave-out')) {
  const origins = [...new Set(exams.map(({ origin }) => origin))]
  for (let group = 0; group < GROUPS; group += 1) {
    const left = new Set(origins.filter((_, i) => i % GROUPS === group))
    useWeights(learnWeights([...layouts, ...exams.filter(({ origin }) => !left.has(origin))]))
    for (const exam of exams) if (left.has(exam.origin)) printExam(exam, group)
  }
  judgeCertainty()
} else {
  const weights = learnWeights([...layouts, ...exams], (epoch) => console.error(`epoch ${epoch}`))
  if (flags.includes('--write')) writeFileSync(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`)
  useWeights(weights)
  for (const exam of exams) printExam(exam)
}
printAll()
// Readers of pictures may keep the process alive.
process.exit(0)

async function readExam(folder: string, name: string): Promise<Exam | null> {
  const file = (...names: string[]) => names.map((one) => join(folder, one)).find(existsSync)
  const [blankFile, keyFile, goldFile] = [
    file('exam.pdf', 'blank.pdf'),
    file('key.pdf'),
    file('gold.json', 'exam.json'),
  ]
  if (!blankFile || !keyFile || !goldFile) return null
  const gold = Gold.parse(JSON.parse(readFileSync(goldFile, 'utf8')))
  const source = file('source.json')
  const repo = source
    ? z.object({ repo: z.string() }).safeParse(JSON.parse(readFileSync(source, 'utf8'))).data?.repo
    : undefined
  const [blank, key] = [await readCached(blankFile), await readCached(keyFile)]
  return labelled(name, repo ?? name, gold, { blank, key })
}

async function drawnExam(layout: ExamLayout): Promise<Exam> {
  const read = async (bytes: Buffer, name: string) => {
    mkdirSync(CACHE, { recursive: true })
    const file = fileURLToPath(new URL(`drawn-${name}.pdf`, CACHE))
    writeFileSync(file, bytes)
    return readCached(file)
  }
  const blank = await read(await drawLayoutBlank(layout), 'blank')
  const key = await read(await drawLayoutKey(layout), 'key')
  return labelled(layout.name, DRAWN, Gold.parse(layout), { blank, key })
}

function labelled(name: string, origin: string, gold: Gold, papers: Exam['papers']): Exam {
  const keyLines = visibleLines(papers.key)
  const furniture = findPageFurniture(keyLines)
  const { rows } = printedRows(visibleLines(papers.blank))
  return {
    name,
    origin,
    gold,
    papers,
    blank: prepare(rows.map(toLine)),
    key: prepare(keyLines.filter((line) => !furniture.has(line))),
    numbers: gold.questions.map(({ number }) => number),
    weight: origin === DRAWN ? DRAWN_WEIGHT : 1,
  }
}

async function readCached(file: string): Promise<Paper> {
  mkdirSync(CACHE, { recursive: true })
  const cached = new URL(`${createHash('sha256').update(readFileSync(file)).digest('hex')}.json`, CACHE)
  if (existsSync(cached)) return Paper.parse(JSON.parse(readFileSync(cached, 'utf8')))
  const paper = await readPaper({ kind: 'read', file, skip: [], typedOnly: false }, defaultPaperLimits, {
    page() {},
    step() {},
  })
  if (!paper) throw new Error(`${file} could not be read`)
  writeFileSync(cached, JSON.stringify(paper))
  return paper
}

interface Row {
  kind: string
  found: boolean
  points: boolean | null
  expected: boolean | null
}

function plain(number: string): string {
  return levelsOf(number.replace(/\b(?:question|problem|part|section)\b/gi, ' ').trim())
    .map((level) => (/^\d+$/.test(level) ? String(Number(level)) : level))
    .join(' ')
}

function printExam({ name, gold, papers }: Exam, group = 0): void {
  const { rubric, facts } = readRubric(papers.blank, papers.key)
  const questions = new Map(rubric.questions.map((one) => [plain(one.number), one]))
  const rows = gold.questions.map((wanted): Row => {
    const found = questions.get(plain(wanted.number))
    const points = found?.criteria.reduce((sum, criterion) => sum + criterion.points, 0) ?? 0
    const { expected } = wanted
    return {
      kind: wanted.kind,
      found: found !== undefined,
      points: wanted.points == null ? null : Math.abs(points - wanted.points) < 0.01,
      expected: expected == null ? null : found !== undefined && answers(found, expected),
    }
  })
  const hits = rows.filter(({ found }) => found).length
  const f1 = hits === 0 ? 0 : (2 * hits) / (questions.size + rows.length)
  const right = new Map(gold.questions.map(({ number }, i) => [plain(number), isRight(rows[i])]))
  const readings = [...questions].map(([number, { id }]) => ({
    facts: facts.get(id) ?? [],
    right: right.get(number) === true,
    remarked: rubric.problems.some(({ code, question_id }) => question_id === id && code !== 'answer_unsure'),
  }))
  measured.push({ f1, rows, readings, group })
  console.log(`${name.padEnd(32)} ${String(rows.length).padStart(3)} questions, ${figures(f1, rows)}`)
}

function isRight(row: Row | undefined): boolean {
  return row?.found === true && row.points !== false && row.expected !== false
}

function learnCertainty(readings: readonly JudgedReading[]): Weights {
  const counts = new Map<string, number>()
  for (const { facts } of readings) for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1)
  const weights: Weights = Object.fromEntries([...counts.keys()].map((fact) => [fact, 0]))
  for (let step = 0; step < CERTAINTY_STEPS; step += 1) {
    const slopes = new Map<string, number>()
    for (const { facts, right } of readings) {
      const miss = (right ? 1 : 0) - chanceOf(weights, facts)
      for (const fact of facts) slopes.set(fact, (slopes.get(fact) ?? 0) + miss)
    }
    for (const [fact, count] of counts) {
      const own = weights[fact] ?? 0
      weights[fact] =
        own + (CERTAINTY_RATE * ((slopes.get(fact) ?? 0) - (CERTAINTY_PRIOR * own) / 4)) / (count + CERTAINTY_PRIOR) / 4
    }
  }
  return Object.fromEntries(Object.entries(weights).map(([fact, weight]) => [fact, Math.round(weight * 100) / 100]))
}

/** Learns what tells questions that were read right, and how well that holds for exams of other origins. */
function judgeCertainty(): void {
  const judged = measured.flatMap(({ group }) => group).filter((group, i, all) => all.indexOf(group) === i)
  const said = judged.flatMap((group) => {
    const weights = learnCertainty(measured.filter((one) => one.group !== group).flatMap(({ readings }) => readings))
    const own = measured.filter((one) => one.group === group).flatMap(({ readings }) => readings)
    return own.map(({ facts, ...reading }) => ({ chance: chanceOf(weights, facts), ...reading }))
  })
  console.log('chance said, questions, right:')
  for (let from = 0; from < 1; from += 0.1) {
    const own = said.filter(({ chance }) => chance >= from && chance < from + 0.1)
    const right = own.filter((one) => one.right).length / Math.max(1, own.length)
    console.log(
      `  ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}  ${String(own.length).padStart(5)}  ${right.toFixed(2)}`,
    )
  }
  const silent = said.filter(({ chance, right, remarked }) => !right && !remarked && chance >= UNSURE)
  const asked = said.filter(({ chance }) => chance < UNSURE)
  console.log(
    `wrong without a remark: ${silent.length} of ${said.length}; to be compared with the key: ${asked.length}`,
  )
  if (flags.includes('--write'))
    writeFileSync(
      CERTAINTY,
      `${JSON.stringify(learnCertainty(measured.flatMap(({ readings }) => readings)), null, 2)}\n`,
    )
}

/** Whether a criterion expects what is wanted: at least six in ten of their words are the same. */
function answers({ criteria }: Question, wanted: string): boolean {
  const texts = [
    criteria.map(({ expected }) => expected).join(' '),
    ...criteria.flatMap(({ text, expected, alternatives }) => [expected, ...alternatives, `${text} ${expected}`]),
  ]
  return texts.some((text) => sharedWords(wanted, text) >= 0.6)
}

function sharedWords(one: string, other: string): number {
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/\d+(?:[.,]\d+)*|\p{L}+|[^\s\p{L}\d.,;:()'"“”‘’!?|/[\]]/gu) ?? []
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const left = new Map<string, number>()
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of a) {
    const count = left.get(word) ?? 0
    if (count > 0) same += 1
    left.set(word, count - 1)
  }
  return a.length + b.length === 0 ? 0 : (2 * same) / (a.length + b.length)
}

function figures(f1: number, rows: readonly Row[]): string {
  const share = (of: (row: Row) => boolean | null) => {
    const judged = rows.flatMap((row) => of(row) ?? [])
    return judged.length === 0
      ? ' - '
      : (judged.filter((right) => right).length / judged.length).toFixed(2).replace(/^0/, '')
  }
  return `F1 ${f1.toFixed(2)}, points ${share(({ points }) => points)}, expected ${share(({ expected }) => expected)}`
}

function printAll(): void {
  const rows = measured.flatMap((one) => one.rows)
  const mean = measured.reduce((sum, { f1 }) => sum + f1, 0) / Math.max(1, measured.length)
  console.log(
    `${'all (mean F1)'.padEnd(32)} ${String(rows.length).padStart(3)} questions, ${figures(mean, rows)}, found ${(rows.filter(({ found }) => found).length / Math.max(1, rows.length)).toFixed(2)}`,
  )
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const judged = own.flatMap(({ expected }) => expected ?? [])
    if (judged.length > 0)
      console.log(
        `  expected of ${kind}: ${(judged.filter((right) => right).length / judged.length).toFixed(2)} of ${judged.length}`,
      )
  }
}
