import { findPageFurniture, type PlacedLine } from '../paper-lines.ts'
import type { Row } from '../rows.ts'
import { type Decoder, decode, stepsOf } from './beam-search.ts'
import { type KnownQuestion, outlineOfKnown } from './known-outline.ts'
import { LinearModel, type Weights } from './linear-model.ts'
import { nodesOf, type OutlineEntry, pathsOf, pathsOfStep, type Step, withoutLists } from './outline-steps.ts'
import learnt from './outline-weights.json' with { type: 'json' }
import { asEvidence, type OtherDocument, type PreparedDocument, prepare } from './prepared-document.ts'

/** Where no label is likely to be a question's, the likeliest may be. */
const LONE_BONUS = 3

let models = { blank: new LinearModel(learnt.blank), key: new LinearModel(learnt.key) }

/** For measuring: reads exams by weights that have not seen them. */
export function useWeights(weights: { blank: Weights; key: Weights }): void {
  models = { blank: new LinearModel(weights.blank), key: new LinearModel(weights.key) }
}

const NONE: ReadonlySet<string> = new Set()

/** Where a blank's questions start, read together with its key. `known`: the questions of its rubric, if it has one. */
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
  // A paper of one question has nothing that counts up; what looks most like its number is one.
  const lone = (step: Step) => (step.kind === 'question' && /^\d+$/.test(step.path.join(' ')) ? LONE_BONUS : 0)
  return toEntries(blank, read(blank, null, { model: models.blank, bonus: lone }), models.blank)
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
