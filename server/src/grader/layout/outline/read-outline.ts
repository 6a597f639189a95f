import type { Question } from '@assay/shared/rubrics.ts'
import { findPageFurniture, type PlacedLine } from '../paper-lines.ts'
import type { Row } from '../rows.ts'
import { type Decoder, decode, stepsOf } from './beam-search.ts'
import { LinearModel, type Weights } from './linear-model.ts'
import { nodesOf, pathsOf, pathsOfStep, type Step, withoutLists } from './outline-steps.ts'
import learnt from './outline-weights.json' with { type: 'json' }
import { asEvidence, type OtherDocument, type PreparedDocument, prepare } from './prepared-document.ts'

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
}

/** A known number must win over whatever the page looks like. */
const KNOWN_BONUS = 6
/** Known numbers leave little to search for, and each paper of a class is laid against its blank. */
const KNOWN_BEAM = 12
/** Where no label is likely to be a question's, the likeliest may be. */
const LONE_BONUS = 3

let models = { blank: new LinearModel(learnt.blank), key: new LinearModel(learnt.key) }

/** For measuring: reads exams by weights that have not seen them. */
export function useWeights(weights: { blank: Weights; key: Weights }): void {
  models = { blank: new LinearModel(weights.blank), key: new LinearModel(weights.key) }
}

const NONE: ReadonlySet<string> = new Set()

/** A question of a rubric, by which its blank is read again: its number may have been changed since, its id keeps the number as read. */
export type KnownQuestion = Pick<Question, 'id' | 'number' | 'prompt'>

/** So many of the words at a label are those of the question it numbers. */
const SAME_WORDS = 0.6

/** A bonus for the labels of known questions that stand at their words: lines of code and the rules of a cover count from 1, too. */
function bonusOfKnown(known: readonly KnownQuestion[], { facts }: PreparedDocument): (step: Step) => number {
  if (known.length === 0) return () => 0
  const questions = known.map(({ id, number, prompt }) => ({
    read: id.replace(/^(?:s\d+)?q/, '').replaceAll('_', ''),
    nodes: nodesOf([number]),
    words: new Set(prompt.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu)),
  }))
  const told = new Map<string, number>()
  return (step) => {
    if (step.kind !== 'question') return 0
    const name = `${step.candidate} ${step.section} ${step.path.join(' ')}`
    const before = told.get(name)
    if (before !== undefined) return before
    const bonus = bonusFor(step)
    told.set(name, bonus)
    return bonus
  }

  function bonusFor(step: Step): number {
    const own = step.path.join('').toLowerCase()
    const paths = pathsOfStep(step)
    const named = questions.filter(({ read, nodes }) => read.startsWith(own) || paths.some((path) => nodes.has(path)))
    if (named.length === 0) return -KNOWN_BONUS
    const words = [...(facts[step.candidate]?.words ?? [])]
    const share = Math.max(...named.map((one) => words.filter((word) => one.words.has(word)).length / words.length))
    return words.length === 0 || share >= SAME_WORDS ? KNOWN_BONUS : -KNOWN_BONUS / 2
  }
}

/** The questions' starts in a blank, read together with its key. `known`: the questions of its rubric, where it has one. */
export function outlineOf(
  rows: readonly Row[],
  key: readonly PlacedLine[] | null,
  known: readonly KnownQuestion[] = [],
): OutlineEntry[] {
  const blank = prepare(rows.map(toLine))
  const bonus = bonusOfKnown(known, blank)
  const read = (document: PreparedDocument, other: OtherDocument | null, decoder: Decoder) =>
    withoutLists(stepsOf(decode(document, other, decoder)), document)
  const toRead = { model: models.blank, bonus, ...(known.length > 0 ? { beam: KNOWN_BEAM } : {}) }
  const furniture = findPageFurniture([...(key ?? [])])
  const other = prepare((key ?? []).filter((line) => !furniture.has(line)))
  const alone = other.candidates.length === 0
  const first = read(blank, alone ? null : asEvidence(other, NONE, NONE), toRead)
  const inKey = alone ? [] : read(other, asEvidence(blank, pathsOf(first), pathsOf(first)), { model: models.key })
  const last = alone ? first : read(blank, asEvidence(other, pathsOf(inKey), pathsOf(first)), toRead)
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
  const other = asEvidence(prepare(blank.map(toLine)), nodes, nodes)
  return toEntries(document, withoutLists(stepsOf(decode(document, other, { model: models.key, bonus })), document))
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
      },
    ]
  })
}
