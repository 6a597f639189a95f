import type { Question } from '@assay/shared/rubrics.ts'
import { bottomOf, findPageFurniture, isAnswerSpace, type PlacedLine, type Row } from '../paper-lines.ts'
import { type Decoder, decode, stepsOf } from './beam-search.ts'
import type { LabelCandidate } from './label-candidates.ts'
import { LinearModel, type Weights } from './linear-model.ts'
import { levelsOf, nodesOf, type OutlineEntry, pathsOf, pathsOfStep, type Step, withoutLists } from './outline-steps.ts'
import learnt from './outline-weights.json' with { type: 'json' }
import { readNamedPoints, readPoints } from './points.ts'
import { asEvidence, type OtherDocument, type PreparedDocument, prepare } from './prepared-document.ts'

const LONE_BONUS = 3

let models = { blank: new LinearModel(learnt.blank), key: new LinearModel(learnt.key) }

/** For measuring: reads exams by weights that have not seen them. */
export function useWeights(weights: { blank: Weights; key: Weights }): void {
  models = { blank: new LinearModel(weights.blank), key: new LinearModel(weights.key) }
}

const NONE: ReadonlySet<string> = new Set()

/** A blank is read together with its key. `known`: the questions of its rubric, if it has one. */
export function outlineOf(
  rows: readonly Row[],
  key: readonly PlacedLine[] | null,
  known: readonly KnownQuestion[] = [],
): OutlineEntry[] {
  const blank = prepare(rows.map(toLine))
  if (known.length > 0) return outlineOfKnown(blank, known)
  const read = (document: PreparedDocument, other: OtherDocument | null, decoder: Decoder) =>
    withoutLists(stepsOf(decode(document, other, decoder)), document)
  const toRead = { model: models.blank }
  const furniture = findPageFurniture([...(key ?? [])])
  const other = prepare((key ?? []).filter((line) => !furniture.has(line)))
  const alone = other.candidates.length === 0
  const first = read(blank, alone ? null : asEvidence(other, NONE, NONE), toRead)
  const inKey = alone ? [] : read(other, asEvidence(blank, pathsOf(first), pathsOf(first)), { model: models.key })
  const last = alone ? first : read(blank, asEvidence(other, pathsOf(inKey), pathsOf(first)), toRead)
  if (last.some(({ kind }) => kind === 'question')) return toEntries(blank, last, models.blank)
  // A paper of one question has nothing that counts up.
  const lone = (step: Step) => (step.kind === 'question' && /^\d+$/.test(step.path.join(' ')) ? LONE_BONUS : 0)
  return toEntries(blank, read(blank, null, { model: models.blank, bonus: lone }), models.blank)
}

const [IN_BLANK, NOT_IN_BLANK] = [2, -3]

export function outlineOfKey(rows: readonly Row[], blank: readonly Row[], numbers: readonly string[]): OutlineEntry[] {
  const document = prepare(rows.map(toLine))
  const nodes = nodesOf(numbers)
  const bonus = (step: Step) => {
    if (step.kind !== 'question') return 0
    return pathsOfStep(step).some((path) => nodes.has(path)) ? IN_BLANK : NOT_IN_BLANK
  }
  const other = asEvidence(prepare(blank.map(toLine)), nodes, nodes)
  const steps = withoutLists(stepsOf(decode(document, other, { model: models.key, bonus })), document)
  return toEntries(document, steps, models.key)
}

export const toLine = ({ line, text, cells, marks }: Row): PlacedLine => ({
  ...line,
  text,
  cells,
  ...(marks ? { marks } : {}),
})

function toEntries(document: PreparedDocument, steps: readonly Step[], model: LinearModel): OutlineEntry[] {
  let sectionIndex = 1
  let entriesBefore = false
  return steps.flatMap((step): OutlineEntry[] => {
    const { kind, end, path, section } = step
    if (kind !== 'question' && kind !== 'section') return []
    const candidate = document.candidates[step.candidate]
    if (!candidate) return []
    const anew = step.restart && entriesBefore
    if (kind === 'question') entriesBefore = true
    if (anew) sectionIndex += 1
    const score = model.scoreOf(step.features)
    return [{ kind, row: candidate.line, from: candidate.from, end, path, section, sectionIndex, anew, score }]
  })
}

/** The number may have been changed; the id keeps the one first read. */
export type KnownQuestion = Pick<Question, 'id' | 'number' | 'prompt'>

/** A question, or (with no id) what several parts stand under. */
interface Known {
  id: string | null
  path: string[]
  /** Whether a label is its number's last level, or the end of its id. */
  labels: (label: string) => boolean
  words: ReadonlySet<string>
  text: string
}

const SAME_WORDS = 0.6 // of the words at a label
/** Shorter words may stand anywhere. */
const LEAST_LETTERS = 6
const SAME_COLUMN = 8 // points

function outlineOfKnown(document: PreparedDocument, known: readonly KnownQuestion[]): OutlineEntry[] {
  const nodes = withParents(known)
  const { candidates } = document
  // best[i][j]: the score of the first i questions among the first j labels.
  const best: number[][] = [new Array(candidates.length + 1).fill(0)]
  const fits = nodes.map((node) => candidates.map((_, c) => fit(node, document, c)))
  for (const [i] of nodes.entries()) {
    const above = best[i] ?? []
    const row = [0]
    for (let c = 0; c < candidates.length; c += 1) {
      const taken = fits[i]?.[c] ?? 0
      row.push(Math.max(row[c] ?? 0, above[c + 1] ?? 0, taken > 0 ? (above[c] ?? 0) + taken : 0))
    }
    best.push(row)
  }
  const found: Found[] = []
  for (let i = nodes.length, c = candidates.length; i > 0 && c > 0; ) {
    const here = best[i]?.[c] ?? 0
    if (here === best[i - 1]?.[c]) i -= 1
    else if (here === best[i]?.[c - 1]) c -= 1
    else {
      const [node, candidate] = [nodes[i - 1], candidates[c - 1]]
      if (node && candidate) found.unshift({ node, candidate })
      i -= 1
      c -= 1
    }
  }
  const entries = found.map(({ node, candidate }) => toEntry(candidate, node.path, node.id))
  const matched = new Set(found.map(({ node }) => node))
  const left = nodes.filter((node) => !matched.has(node))
  return [...entries, ...othersAfter(found, left, candidates)].toSorted((a, b) => a.row - b.row || a.from - b.from)
}

function toEntry(candidate: LabelCandidate, path: string[], id: string | null): OutlineEntry {
  const { line, from, tokens } = candidate
  const end = tokens.at(-1)?.end ?? from
  return { kind: 'question', row: line, from, end, path, section: null, sectionIndex: 1, anew: false, id }
}

/** Adds what several questions stand under, as question 2 before its parts. */
function withParents(known: readonly KnownQuestion[]): Known[] {
  const nodes: Known[] = []
  const seen = new Set<string>()
  for (const { id, number, prompt } of known) {
    const path = levelsOf(number)
    const read = id.replace(/^(?:s\d+)?q/, '').replace(/_\d+$/, '')
    const digits = /\d+$/.exec(read)?.[0]
    const words = new Set(prompt.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))
    const text = withoutSpaces(prompt)
    for (const level of path.slice(0, -1).keys()) {
      const parent = path.slice(0, level + 1)
      const name = parent.join(' ')
      if (seen.has(name)) continue
      seen.add(name)
      nodes.push({ id: null, path: parent, labels: (label) => label === parent.at(-1), words, text })
    }
    const labels = (label: string) => label === path.at(-1) || (digits ? label === digits : read.endsWith(label))
    nodes.push({ id, path, labels, words, text })
  }
  return nodes
}

const withoutSpaces = (text: string) => text.replace(/\s+/g, '').toLowerCase()

/** 0 where it does not fit. */
function fit({ id, path, labels, words, text }: Known, { facts, candidates }: PreparedDocument, c: number): number {
  const candidate = candidates[c]
  if (!candidate || candidate.tokens.length > path.length) return 0
  if (!labels(candidate.tokens.at(-1)?.value ?? '')) return 0
  const rest = withoutSpaces(readPoints(candidate.rest)?.rest ?? candidate.rest)
  const own = id === null && rest === '' ? new Set<string>() : (facts[c]?.words ?? new Set())
  const starts = rest !== '' && text.startsWith(rest)
  const has = rest.length >= LEAST_LETTERS && text.includes(rest)
  const same = own.size === 0 ? 0 : [...own].filter((word) => words.has(word)).length / own.size
  if (own.size > 0 && same < SAME_WORDS && !starts && !has) return 0
  if (id === null && rest !== '' && !starts) return 0
  return 1 + same + (starts ? 2 : 0) + (has ? 2 : 0)
}

interface Found {
  node: Known
  candidate: LabelCandidate
}

/** Goes on from known labels: to questions read otherwise before (`left`), and printed ones that left the rubric. */
function othersAfter(
  found: readonly Found[],
  left: readonly Known[],
  candidates: readonly LabelCandidate[],
): OutlineEntry[] {
  const known = new Set(found.map(({ candidate }) => candidate))
  return found.flatMap(({ node, candidate }) => {
    const own: OutlineEntry[] = []
    let last = candidate
    // Lines of code are numbered without a stop.
    if (candidate.tokens.at(-1)?.style === '1') return []
    for (const next of candidates.slice(candidates.indexOf(candidate) + 1)) {
      if (!isBeside(last, next)) continue
      if (known.has(next)) break
      // An answer sheet repeats labels without words.
      if (!goesOn(last, next) || !/\p{L}{3}/u.test(next.rest)) continue
      const label = next.tokens.at(-1)?.value ?? ''
      const path = [...node.path.slice(0, -1), label]
      const missed = left.find((one) => one.labels(label) && `${one.path.slice(0, -1)}` === `${path.slice(0, -1)}`)
      own.push(toEntry(next, missed?.path ?? path, missed?.id ?? null))
      last = next
    }
    return own
  })
}

const isBeside = (a: LabelCandidate, b: LabelCandidate) =>
  a.tokens.at(-1)?.style === b.tokens.at(-1)?.style && Math.abs(a.x - b.x) < SAME_COLUMN

function goesOn(before: LabelCandidate, label: LabelCandidate): boolean {
  const [own, ranks] = [before.tokens.at(-1)?.ranks ?? [], label.tokens.at(-1)?.ranks ?? []]
  return ranks.some(({ series, rank }) => own.some((one) => one.series === series && one.rank + 1 === rank))
}

const MOST_LEADING = 0.75 // of a line's height

const namesPoints = ({ text, cells }: Row): boolean =>
  readNamedPoints(cells.at(-1)?.text ?? text)?.form === 'unit' || readNamedPoints(text)?.form === 'unit'

export function findUnnumberedQuestions(rows: readonly Row[]): Row[][] {
  const ends = rows.flatMap((row, at) => (namesPoints(row) ? [at] : []))
  if (ends.length < 2) return []
  const starts = ends.map((end, i) => firstRowOf(rows, end, (ends[i - 1] ?? -1) + 1))
  return starts.map((at, i) => rows.slice(at, starts[i + 1] ?? rows.length))
}

function firstRowOf(rows: readonly Row[], end: number, least: number): number {
  let at = end
  while (at > least) {
    const [row, above] = [rows[at], rows[at - 1]]
    if (!row || !above || isAnswerSpace(above) || above.bold !== row.bold || above.line.page !== row.line.page) break
    const gap = row.line.box.y - bottomOf(above.line)
    if (gap > MOST_LEADING * row.line.box.height || above.labels[0]?.kind === 'letter') break
    at -= 1
  }
  return at
}
