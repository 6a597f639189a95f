/**
 * Learns the weights by which the reader tells questions' numbers from everything else: `npm run exam-reader:train --
 * FOLDER [FOLDER …] [--leave-out] [--write]`. Each exam is a folder with `exam.pdf` (or `blank.pdf`), `key.pdf`, and
 * `gold.json` (or `exam.json`) with `questions` of `number`, `points`, `kind` and `expected`; `source.json` may name
 * its origin as `repo`. `--leave-out` reads each exam by weights that have seen no exam of its origin.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Paper } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { z } from 'zod'
import { type LabelledExam, learnWeights } from '../server/src/grader/layout/outline/learn-weights.ts'
import { levelsOf } from '../server/src/grader/layout/outline/outline-steps.ts'
import { prepare } from '../server/src/grader/layout/outline/prepared-document.ts'
import { useWeights } from '../server/src/grader/layout/outline/read-outline.ts'
import { printedRows } from '../server/src/grader/layout/outline/read-questions.ts'
import { findPageFurniture, visibleLines } from '../server/src/grader/layout/paper-lines.ts'
import { generateRubric } from '../server/src/grader/rubric/generate-rubric.ts'
import { defaultPaperLimits } from '../server/src/papers/paper-limits.ts'
import { readPaper } from '../server/src/papers/reading/read-paper.ts'

const WEIGHTS = new URL('../server/src/grader/layout/outline/outline-weights.json', import.meta.url)
const CACHE = new URL('../node_modules/.cache/exam-papers/', import.meta.url)
const GROUPS = 10

const Gold = z.object({
  questions: z.array(
    z.object({ number: z.string(), points: z.number().nullish(), kind: z.string(), expected: z.string().nullish() }),
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
  console.error('usage: npm run exam-reader:train -- FOLDER [FOLDER …] [--leave-out] [--write]')
  process.exit(2)
}

const measured: { f1: number; rows: Row[] }[] = []
const exams: Exam[] = []
for (const folder of folders)
  for (const name of readdirSync(folder).sort()) {
    const exam = await readExam(join(folder, name), name)
    if (exam) exams.push(exam)
  }
console.log(`${exams.length} exams of ${new Set(exams.map(({ origin }) => origin)).size} origins`)

if (flags.includes('--leave-out')) {
  const origins = [...new Set(exams.map(({ origin }) => origin))]
  for (let group = 0; group < GROUPS; group += 1) {
    const left = new Set(origins.filter((_, i) => i % GROUPS === group))
    useWeights(learnWeights(exams.filter(({ origin }) => !left.has(origin))))
    for (const exam of exams) if (left.has(exam.origin)) printExam(exam)
  }
} else {
  const weights = learnWeights(exams, (epoch) => console.error(`epoch ${epoch}`))
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
  const keyLines = visibleLines(key)
  const furniture = findPageFurniture(keyLines)
  const { rows } = printedRows(visibleLines(blank))
  return {
    name,
    origin: repo ?? name,
    gold,
    papers: { blank, key },
    blank: prepare(rows.map((row) => ({ ...row.line, text: row.text, cells: row.cells }))),
    key: prepare(keyLines.filter((line) => !furniture.has(line))),
    numbers: gold.questions.map(({ number }) => number),
  }
}

async function readCached(file: string): Promise<Paper> {
  mkdirSync(CACHE, { recursive: true })
  const cached = new URL(`${createHash('sha256').update(readFileSync(file)).digest('hex')}.json`, CACHE)
  if (existsSync(cached)) return Paper.parse(JSON.parse(readFileSync(cached, 'utf8')))
  const paper = await readPaper(file, defaultPaperLimits, { page() {}, step() {} })
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

function printExam({ name, gold, papers }: Exam): void {
  const questions = new Map(generateRubric(papers.blank, papers.key).questions.map((one) => [plain(one.number), one]))
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
  measured.push({ f1, rows })
  console.log(`${name.padEnd(32)} ${String(rows.length).padStart(3)} questions, ${figures(f1, rows)}`)
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
