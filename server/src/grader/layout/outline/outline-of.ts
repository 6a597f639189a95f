import type { PlacedLine } from '../paper-lines.ts'
import { findPageFurniture } from '../paper-lines.ts'
import type { Row } from '../rows.ts'
import { LinearModel, type Weights } from './linear-model.ts'
import {
  type Decoder,
  decode,
  type OtherDocument,
  type PreparedDocument,
  prepare,
  questionPaths,
  type Step,
  stepsOf,
  withoutLists,
} from './outline.ts'
import learnt from './outline-weights.json' with { type: 'json' }

/** Where a question, a part of one or a section starts. */
export interface OutlineEntry {
  kind: 'question' | 'section'
  row: number
  /** Where its label starts, and its words, in the row's text. */
  from: number
  end: number
  path: string[]
  section: string | null
  /** Counts from 1 where numbers start anew. */
  sectionIndex: number
  /** Numbers start anew here. */
  anew: boolean
  index: number
}

/** A known number must win over whatever the page looks like. */
const KNOWN_BONUS = 6
/** Where no label is likely to be a question's, the likeliest may be. */
const LONE_BONUS = 3

let models = { blank: new LinearModel(learnt.blank), key: new LinearModel(learnt.key) }

/** For measuring: reads exams by weights that have not seen them. */
export function useWeights(weights: { blank: Weights; key: Weights }): void {
  models = { blank: new LinearModel(weights.blank), key: new LinearModel(weights.key) }
}

/** Documents that share so many of their labels label the same questions. */
const AGREES = 0.5

export const withPaths = (
  document: PreparedDocument,
  paths: ReadonlySet<string>,
  own: ReadonlySet<string>,
): OtherDocument => ({
  paths,
  agrees: own.size > 0 && [...own].filter((path) => paths.has(path)).length >= AGREES * own.size,
  candidates: document.candidates,
  facts: document.facts,
  lettered: document.lettered,
})

/** The labels that a decoded document uses, as written in it. */
function pathsOf(steps: readonly Step[]): Set<string> {
  const plain = steps.filter(({ kind }) => kind === 'question').map(({ path }) => path.join(' '))
  return new Set([...plain, ...questionPaths(steps)])
}

const NONE: ReadonlySet<string> = new Set()

/** The questions' starts in a blank, read together with its key. `known`: numbers a person has confirmed. */
export function outlineOf(
  rows: readonly Row[],
  key: readonly PlacedLine[] | null,
  known: readonly string[] = [],
): OutlineEntry[] {
  const blank = prepare(rows.map(toLine))
  const numbers = nodesOf(known)
  const bonus = (step: Step) => {
    if (numbers.size === 0 || step.kind !== 'question') return 0
    return pathsOfStep(step).some((path) => numbers.has(path)) ? KNOWN_BONUS : -KNOWN_BONUS
  }
  const read = (document: PreparedDocument, other: OtherDocument | null, decoder: Decoder) =>
    withoutLists(stepsOf(decode(document, other, decoder)), document)
  const toRead = { model: models.blank, bonus }
  const furniture = findPageFurniture([...(key ?? [])])
  const other = prepare((key ?? []).filter((line) => !furniture.has(line)))
  const alone = other.candidates.length === 0
  const first = read(blank, alone ? null : withPaths(other, NONE, NONE), toRead)
  const inKey = alone ? [] : read(other, withPaths(blank, pathsOf(first), pathsOf(first)), { model: models.key })
  const last = alone ? first : read(blank, withPaths(other, pathsOf(inKey), pathsOf(first)), toRead)
  if (last.some(({ kind }) => kind === 'question')) return toEntries(blank, last)
  // A paper of one question has nothing that counts up; what looks most like its number is one.
  const lone = (step: Step) => (step.kind === 'question' && /^\d+$/.test(step.path.join(' ')) ? LONE_BONUS : 0)
  return toEntries(blank, read(blank, null, { model: models.blank, bonus: lone }))
}

/** In a key a label that the blank has is likelier one, by so much; any other one less. */
const [IN_BLANK, NOT_IN_BLANK] = [2, -3]

/** Where a key's rows answer the questions of a blank, by their numbers. */
export function outlineOfKey(rows: readonly Row[], blank: readonly Row[], numbers: readonly string[]): OutlineEntry[] {
  const document = prepare(rows.map(toLine))
  const nodes = nodesOf(numbers)
  const bonus = (step: Step) => {
    if (step.kind !== 'question') return 0
    return pathsOfStep(step).some((path) => nodes.has(path)) ? IN_BLANK : NOT_IN_BLANK
  }
  const other = withPaths(prepare(blank.map(toLine)), nodes, nodes)
  return toEntries(document, withoutLists(stepsOf(decode(document, other, { model: models.key, bonus })), document))
}

/** A question's number by its levels: `2 b`, and `a 1` for “A 1”. */
export const levelsOf = (number: string): string[] =>
  number
    .toLowerCase()
    .replace(/^(\S+) \(part (\d+)\)/, '$2 $1')
    .split(/[\s.]+/)

/** All numbers and what they begin with. */
function nodesOf(numbers: readonly string[]): Set<string> {
  return new Set(
    numbers.flatMap((number) => {
      const levels = levelsOf(number)
      return levels.map((_, i) => levels.slice(0, i + 1).join(' '))
    }),
  )
}

export const pathsOfStep = ({ path, section }: Step): string[] => {
  const own = path.join(' ').toLowerCase()
  return section === null ? [own] : [own, `${section} ${own}`]
}

const toLine = (row: Row): PlacedLine => ({ ...row.line, text: row.text, cells: row.cells })

function toEntries(document: PreparedDocument, steps: readonly Step[]): OutlineEntry[] {
  let sectionIndex = 1
  let entriesBefore = false
  return steps.flatMap((step): OutlineEntry[] => {
    if (step.kind !== 'question' && step.kind !== 'section') return []
    const candidate = document.candidates[step.candidate]
    if (!candidate) return []
    const anew = step.restart && entriesBefore
    if (step.kind === 'question') entriesBefore = true
    if (anew) sectionIndex += 1
    return [
      {
        kind: step.kind,
        row: candidate.line,
        from: candidate.from,
        end: step.end,
        path: step.path,
        section: step.section,
        sectionIndex,
        anew,
        index: step.candidate,
      },
    ]
  })
}
