import type { Paper } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import { readQuestions } from './outline/read-questions.ts'
import { normalizeText, type PlacedLine, visibleLines } from './paper-lines.ts'
import type { PrintedQuestion } from './printed-question.ts'
import { readQuestionLabel } from './question-labels.ts'

export interface PrintMatch {
  printedIndex: number
  /** `same`: perhaps filled in; `starts`: goes on after the print; `begins`: only its beginning (rewrapped). */
  kind: 'same' | 'starts' | 'begins'
}

interface Candidate {
  line: number
  print: number
  how: PrintMatch['kind']
  quality: number
  weight: number
}

const SAME = 0.72
const PART = 0.85
const LONG_ENOUGH = 12
const SURE_LENGTH = 20
/** So alike that a different number must be misread: “[0][1].[4]” for “0 1 . 4”. */
const SURELY = 0.85
const LONG = 30
const CHOICES = 40
const LOOKED_AT = 400 // no printed line is longer

/**
 * The heaviest chain of matches that rises in both papers, then matches out of order (shuffled pages). Similarity is
 * Dice's coefficient (1945) of trigrams, which survives OCR errors.
 */
export function matchPrintedLines(prints: string[], lines: string[]): Map<number, PrintMatch> {
  const { plainPrints, sizes, index } = preparedPrint.memo(
    prints.map((print) => print.replaceAll('\n', ' ')).join('\n'),
  )
  const candidates: Candidate[] = []
  const shared = new Uint16Array(prints.length)
  lines.forEach((text, line) => {
    const plain = normalizeText(text.slice(0, LOOKED_AT))
    const own = trigrams(plain)
    shared.fill(0)
    for (const piece of own) for (const p of index.get(piece) ?? []) shared[p] = (shared[p] ?? 0) + 1
    const found: Candidate[] = []
    for (let p = 0; p < shared.length; p += 1) {
      const count = shared[p] ?? 0
      if (count === 0) continue
      const printed = plainPrints[p] ?? ''
      const size = sizes[p] ?? 0
      // A few trigrams are shared by chance.
      if (count < SAME * Math.min(own.size, size)) continue
      const how = compare(plain, own.size, printed, size, count)
      const sure = how && how.quality >= SURELY && printed.length >= LONG
      if (how && (sure || !hasOtherNumber(text, prints[p] ?? ''))) found.push({ line, print: p, ...how })
    }
    // Print that repeats itself (“Answer:”) needs several candidates, but not hundreds.
    candidates.push(...found.sort((a, b) => b.quality - a.quality || a.print - b.print).slice(0, CHOICES))
  })
  const matched = new Map<number, PrintMatch>()
  const taken = new Set<number>()
  const take = ({ line, print, how }: Candidate) => {
    matched.set(line, { printedIndex: print, kind: how })
    taken.add(print)
  }
  for (const candidate of heaviestChain(candidates, prints.length)) take(candidate)
  for (const candidate of candidates.toSorted((a, b) => b.quality - a.quality || a.line - b.line)) {
    const { line, print, how, quality } = candidate
    if (matched.has(line) || taken.has(print) || how === 'begins' || quality < 0.8) continue
    if ((plainPrints[print] ?? '').length >= LONG_ENOUGH) take(candidate)
  }
  return withoutChanceMatches(matched, prints, lines)
}

/** A blank's print is looked for on each page of each paper. */
const preparedPrint = new LRUCache({
  max: 8,
  memoMethod(prints: string) {
    const plainPrints = prints.split('\n').map(normalizeText)
    const pieces = plainPrints.map(trigrams)
    const index = new Map<string, number[]>()
    pieces.forEach((set, p) => {
      for (const piece of set) {
        const list = index.get(piece)
        if (list) list.push(p)
        else index.set(piece, [p])
      }
    })
    return { plainPrints, sizes: pieces.map(({ size }) => size), index }
  },
})

export function printPairs<P extends { text: string }, L extends { text: string }>(
  prints: readonly P[],
  lines: readonly L[],
): { printed: P; line: L; kind: PrintMatch['kind'] }[] {
  const textsOf = (all: readonly { text: string }[]) => all.map(({ text }) => text)
  return [...matchPrintedLines(textsOf(prints), textsOf(lines))].flatMap(([at, { printedIndex, kind }]) => {
    const [print, line] = [prints[printedIndex], lines[at]]
    return print && line ? [{ printed: print, line, kind }] : []
  })
}

/** “Q2: Mercury” is no copy of “B. Mercury”. */
function hasOtherNumber(line: string, printed: string): boolean {
  const label = readQuestionLabel(line)
  if (label === null) return false
  const own = readQuestionLabel(printed)
  return own ? own.number !== label.number : normalizeText(printed).length < SURE_LENGTH
}

/** “Mercury” is the blank's “B. Mercury” only beside other print or with its number. */
function withoutChanceMatches(
  matched: Map<number, PrintMatch>,
  prints: string[],
  lines: string[],
): Map<number, PrintMatch> {
  const found = new Set([...matched.values()].map(({ printedIndex }) => printedIndex))
  for (const [line, { printedIndex, kind }] of [...matched]) {
    if (kind === 'begins' || normalizeText(prints[printedIndex] ?? '').length >= SURE_LENGTH) continue
    const beside = [-2, -1, 1, 2].some((step) => found.has(printedIndex + step))
    if (!beside && readQuestionLabel(lines[line] ?? '') === null) matched.delete(line)
  }
  return matched
}

function compare(
  text: string,
  size: number,
  printed: string,
  printSize: number,
  shared: number,
): Pick<Candidate, 'how' | 'quality' | 'weight'> | null {
  if (printed.length < 3) return text === printed ? { how: 'same', quality: 1, weight: 0.5 } : null
  const same = (2 * shared) / (size + printSize)
  if (same >= SAME) return { how: 'same', quality: same, weight: shared * same }
  const inLine = shared / printSize
  if (inLine >= PART && startsAlike(text, printed)) return { how: 'starts', quality: inLine, weight: shared * inLine }
  const inPrint = shared / size
  if (inPrint >= PART && text.length >= LONG_ENOUGH && startsAlike(text, printed))
    return { how: 'begins', quality: inPrint, weight: shared * inPrint * 0.8 }
  return null
}

function startsAlike(text: string, printed: string): boolean {
  const length = Math.min(printed.length, text.length, 24)
  const head = trigrams(printed.slice(0, length))
  const start = trigrams(text.slice(0, length + 3))
  let shared = 0
  for (const piece of head) if (start.has(piece)) shared++
  return shared >= head.size * 0.7
}

function trigrams(text: string): Set<string> {
  const set = new Set<string>()
  if (text === '') return set
  const padded = ` ${text} `
  for (let i = 0; i + 3 <= padded.length; i++) set.add(padded.slice(i, i + 3))
  return set
}

function heaviestChain(candidates: Candidate[], prints: number): Candidate[] {
  // The later print first, so that a line is used once.
  const ordered = [...candidates].sort((a, b) => a.line - b.line || b.print - a.print)
  const best: ({ total: number; last: number } | undefined)[] = new Array(prints + 2)
  const previous: number[] = []
  const ask = (upTo: number) => {
    let found: { total: number; last: number } | undefined
    for (let i = upTo; i > 0; i -= i & -i) {
      const entry = best[i]
      if (entry && (!found || entry.total > found.total)) found = entry
    }
    return found
  }
  let end = -1
  let most = 0
  ordered.forEach((candidate, i) => {
    const before = ask(candidate.print)
    const sameLine = before && ordered[before.last]?.line === candidate.line
    const total = (sameLine ? 0 : (before?.total ?? 0)) + candidate.weight
    previous[i] = sameLine ? -1 : (before?.last ?? -1)
    for (let k = candidate.print + 1; k < best.length; k += k & -k) {
      const entry = best[k]
      if (!entry || total > entry.total) best[k] = { total, last: i }
    }
    if (total > most) {
      most = total
      end = i
    }
  })
  const chain: Candidate[] = []
  for (let i = end; i >= 0; i = previous[i] ?? -1) {
    const candidate = ordered[i]
    if (candidate) chain.push(candidate)
  }
  return chain.reverse()
}

export interface PrintedLine {
  text: string
  /** Null for headers, name fields and text before the questions. */
  question: string | null
  page: number
  y: number
  /** In points; absent where it stands on no page. */
  right?: number
}

export interface PrintedRubric {
  lines: PrintedLine[]
  /** In paper order: the rubric's, and printed ones that the teacher removed. */
  questions: { id: string; number: string; main: number; part: string | null; regions: Question['regions'] }[]
  printed: PrintedQuestion[]
}

/** A question that only the rubric has is looked for by its prompt. */
export function printedLinesOf(rubric: Rubric, blank: Paper): PrintedRubric {
  const { lines, furniture, questions } = readQuestions(visibleLines(blank), null, rubric.questions)
  const owner = new Map<PlacedLine, string>()
  for (const { id, lines: own, stem } of questions)
    for (const line of [...own, ...stem]) {
      const printed = line.stretchOf ?? line
      if (!owner.has(printed)) owner.set(printed, id)
    }
  const loose = new Set<PrintedLine>()
  const prints: PrintedLine[] = lines.map((line) => ({
    text: line.text,
    question: furniture.has(line) ? null : (owner.get(line) ?? null),
    page: line.page,
    y: line.box.y,
    right: line.box.x + line.box.width,
  }))
  prints.forEach((print, i) => {
    const line = lines[i]
    if (!print.question && line && !furniture.has(line) && normalizeText(line.text) !== '') loose.add(print)
  })
  const byId = new Map(rubric.questions.map((question) => [question.id, question]))
  const order: PrintedRubric['questions'] = questions.map(({ id, number, mainNumber, part }) => ({
    id,
    number,
    main: mainNumber,
    part,
    regions: byId.get(id)?.regions ?? [],
  }))
  const printed = new Set(questions.map((question) => question.id))
  for (const question of rubric.questions) {
    if (printed.has(question.id)) continue
    const prompt = ` ${normalizeText(question.prompt)} `
    const own = [...loose].filter((print) => prompt.includes(` ${normalizeText(print.text)} `))
    // An essay's blank prints its one question without a number.
    if (own.length > 0) for (const print of own) print.question = question.id
    else
      question.prompt.split('\n').forEach((line, i) => {
        const text = i === 0 && /^\d+$/.test(question.number) ? `${question.number}. ${line}` : line
        prints.push({ text, question: question.id, page: 0, y: 0 })
      })
    const number = /(\d+)\s*(?:\(part \d+\))?\s*([a-h])?/i.exec(question.number)
    order.push({
      id: question.id,
      number: question.number,
      main: Number(number?.[1] ?? 0),
      part: number?.[2]?.toLowerCase() ?? null,
      regions: question.regions,
    })
  }
  return { lines: prints, questions: order, printed: questions }
}
