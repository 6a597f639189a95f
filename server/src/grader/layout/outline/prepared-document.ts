import type { PlacedLine } from '../paper-lines.ts'
import { type CandidateFacts, describeCandidates } from './candidate-facts.ts'
import { findCandidates, type LabelCandidate, type LabelToken } from './label-candidates.ts'

export interface PreparedDocument {
  lines: readonly PlacedLine[]
  candidates: LabelCandidate[]
  facts: CandidateFacts[]
  /** Numbers that are answered by a letter alone, those of several levels as “1 4 3”. */
  lettered: ReadonlySet<string>
}

const LETTER_ALONE =
  /^\W*(?:(?:the\s+)?(?:correct\s+)?(?:answer|ans|key|option|choice)\b\W*(?:is\b)?)?\W*[([]?[A-Ja-j][)\]]?\W*$/i
const ANSWER_WITHIN = 12 // lines

/** With what is printed before it in the same label: “1 4 3” of “1.4.3”, but “3” of “B 3”. */
export function numberOfLevels(levels: readonly Pick<LabelToken, 'value' | 'style'>[]): string {
  const start = levels.findLastIndex(({ style }) => style !== '.1')
  return levels
    .slice(Math.max(0, start))
    .map(({ value }) => value)
    .join(' ')
}

/** As a key's “2. B” or “Answer: B”. */
function letteredNumbers(lines: readonly PlacedLine[], candidates: readonly LabelCandidate[]): Set<string> {
  const numbers = candidates.flatMap(({ tokens, line, rest }) => {
    const last = tokens.findLastIndex(({ ranks }) => ranks[0]?.series === 'number')
    const isBare = tokens[0]?.style.length === 1 && rest === ''
    return last >= 0 && !isBare ? [{ value: numberOfLevels(tokens.slice(0, last + 1)), line, rest }] : []
  })
  return new Set(
    numbers.flatMap(({ value, line, rest }, i) => {
      const end = Math.min(numbers[i + 1]?.line ?? lines.length, line + ANSWER_WITHIN)
      // Handwriting is easily read as letters.
      const below = lines.slice(line + 1, end).flatMap(({ source, text }) => (source === 'ocr' ? [] : [text]))
      const answers = [rest, ...below].filter((text) => LETTER_ALONE.test(text) && !goesOn(text, below))
      return answers.length > 0 ? [value] : []
    }),
  )
}

/** “(a)” with “(b)” below it is a part's label. */
function goesOn(text: string, below: readonly string[]): boolean {
  const letter = /^\s*[([]?([a-j])[).\]]\s*$/.exec(text)?.[1]
  const next = letter && String.fromCharCode(letter.charCodeAt(0) + 1)
  return next !== undefined && below.some((one) => new RegExp(String.raw`^\s*[([]?${next}[).\]]`).test(one))
}

export function prepare(lines: readonly PlacedLine[]): PreparedDocument {
  const candidates = findCandidates(lines)
  const facts = describeCandidates(lines, candidates)
  return { lines, candidates, facts, lettered: letteredNumbers(lines, candidates) }
}

export interface OtherDocument extends Pick<PreparedDocument, 'candidates' | 'facts' | 'lettered'> {
  paths: ReadonlySet<string>
  /** Labels enough of the same questions for its gaps to mean something. */
  agrees: boolean
}

const AGREES = 0.5 // of their labels

/** `paths`: the document's; `own`: those of the other. */
export const asEvidence = (
  { candidates, facts, lettered }: PreparedDocument,
  paths: ReadonlySet<string>,
  own: ReadonlySet<string>,
): OtherDocument => ({
  paths,
  agrees: own.size > 0 && [...own].filter((path) => paths.has(path)).length >= AGREES * own.size,
  candidates,
  facts,
  lettered,
})
