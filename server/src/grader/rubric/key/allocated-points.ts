import type { KeyAnswer, MarkingPoint } from './key-answer.ts'
import { tidy } from './key-wording.ts'
import { splitMarked } from './marked-points.ts'

const CODED = /(?:^|[\s;.])(d?[MAB])(\d)\s+(?:for\s+|(?=[a-z(]))(?=\S)/g
/** “2 marks for two details, 1 for the style” */
const WORTH_FOR = /(?:^|[;.,]\s+)(?:up\s+to\s+)?(\d)(?:\s+marks?)?\s+for\s+(?=\S)/gi
const LABELS = /^(\W*(?:up\s+to\s+)?\d\s+marks?\s+for\s[^.:()]{3,120}[.:])\s+(.+)$/is

/** “1 mark for a feature, 1 for a detail. Children under nine were banned (1), …”: the points are those after the labels. */
export function withoutLabels(text: string, answer: KeyAnswer): string {
  const [labels = '', rest = ''] = LABELS.exec(text)?.slice(1) ?? []
  if ((labels.match(WORTH_FOR)?.length ?? 0) < 2 || splitMarked(rest).length < 2) return text
  answer.notes.push(labels)
  return rest
}

/** “Up to 2 marks for …, 1 for …”, where that is all the marks there are. */
export function readAllocation(text: string, worth: number | null): MarkingPoint[] | null {
  const found = [...text.matchAll(WORTH_FOR)]
  const sum = found.reduce((total, match) => total + Number(match[1]), 0)
  if (found.length < 2 || sum !== worth || (found[0]?.index ?? 1) > 0) return null
  return found.map((match, i) => {
    const own = tidy(text.slice(match.index + match[0].length, found[i + 1]?.index ?? text.length))
    return { text: own, expected: own, alternatives: [], points: Number(match[1]) }
  })
}

/** “B1 for two correct”: less of the same answer, and no other. */
const PARTLY =
  /\b(?:one|two|three|four|\d)\s+(?:\w+\s+)?(?:correct|right|wrong|errors?|slips?)\b|\ball\s+but\b|\bseen\W*$/i

/** “M1 for 3x < 18; A1 for each root”, “formulae 1, balancing 1, states 1”. */
export function splitCoded(text: string): { body: string; rest: { text: string; points: number; code: string }[] } {
  const codes = [...text.matchAll(CODED)]
  if (codes.length === 0) return { body: text, rest: [] }
  const body = text.slice(0, codes[0]?.index ?? 0)
  const rest = codes.flatMap((match, i) => {
    const end = codes[i + 1]?.index ?? text.length
    const own = tidy(text.slice(match.index + match[0].length, end))
    const code = (match[1] ?? '').replace('d', '')
    // The result is in the answer itself; what its mark is for says no more.
    return code === 'A' || PARTLY.test(own) ? [] : [{ text: own, points: Number(match[2]), code }]
  })
  return { body, rest }
}
