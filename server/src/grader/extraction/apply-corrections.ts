import type { Evidence } from '@assay/shared/papers.ts'
import type { Answer, ExtractedSubmission } from '../grader.ts'
import { inVersion, readInVersionLetters } from '../text/version-letters.ts'
import { alignLines } from './align-lines.ts'
import { findPromptInjections } from './injection/prompt-injection.ts'

interface Correction {
  question_id: string
  text: string
}

/** Corrected answers get full reading confidence; instructions to the grader are removed. */
export function applyCorrections(
  extracted: ExtractedSubmission,
  corrections: readonly Correction[],
): ExtractedSubmission {
  if (corrections.length === 0) return extracted
  const warnings = [...extracted.warnings]
  const answers = extracted.answers.map((answer) => {
    const correction = corrections.find(({ question_id }) => question_id === answer.question_id)
    if (!correction) return answer
    const { text, left } = withoutInstructions(correction.text)
    const known = warnings.some(
      ({ code, question_id }) => code === 'instructions_to_grader' && question_id === answer.question_id,
    )
    if (left && !known)
      warnings.push({
        code: 'instructions_to_grader',
        message: 'An answer contains instructions to the grader. They were left out.',
        question_id: answer.question_id,
        evidence: answer.evidence,
      })
    return withCorrection(answer, text)
  })
  const empty = answers.every(({ text }) => text.trim() === '')
  return {
    ...extracted,
    answers,
    warnings: empty ? warnings : warnings.filter(({ code, question_id }) => code !== 'nothing_written' || question_id),
  }
}

function withoutInstructions(text: string): { text: string; left: boolean } {
  const found = findPromptInjections(text)
  let rest = ''
  for (let i = 0; i < text.length; i += 1) if (!found.some(({ from, to }) => i >= from && i < to)) rest += text[i]
  return { text: found.length > 0 ? rest.trim() : text, left: found.length > 0 }
}

function withCorrection(read: Answer, text: string): Answer {
  const { unreadable: _, word_confidences: __, sheet, ...answer } = read
  const graded = inLettersOfA(text, sheet)
  // No key says which option of which version it is: a person grades it.
  if (graded === null) return { ...read, evidence: evidenceFor(text, answer.evidence) }
  return { ...answer, text: graded, found: true, reading: 1, evidence: evidenceFor(text, answer.evidence) }
}

/** A teacher types the filled circle, which is another option on versions other than A. */
function inLettersOfA(text: string, sheet: Answer['sheet']): string | null {
  if (!sheet || text.trim() === '') return text
  if (sheet.flag === 'version' || sheet.flag === 'no_versions' || sheet.flag === 'no_key') return null
  const { version, letters } = sheet
  if (!version || version === 'A') return text
  if (!letters) return null
  const other = PAIRS.find((pair) => pair.includes(letters.right_in_a))?.find((one) => one !== letters.right_in_a)
  const typed = readInVersionLetters(text)?.letter ?? text.trim()
  const isRight = other ? startsAlike(typed, letters.right) : typed.toUpperCase() === letters.right.toUpperCase()
  if (isRight) return letters.right_in_a
  return other ?? (/^[A-H]$/i.test(typed) ? inVersion(typed.toUpperCase(), version) : typed)
}

const PAIRS = [
  ['True', 'False'],
  ['Yes', 'No'],
]
const startsAlike = (one: string, other: string) => one[0]?.toUpperCase() === other[0]?.toUpperCase()

function evidenceFor(text: string, read: Evidence[]): Evidence[] {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  if (read.length === 0 || lines.length === 0) return []
  const matches =
    lines.length === read.length
      ? lines.map((_, i) => i)
      : alignLines(
          lines.map((line) => ({ text: line })),
          read.map(({ quote }) => ({ text: quote })),
        )
  // A line without a match joins the one before it; leading lines join the first place.
  const starts = [...new Set(matches.filter((match) => match !== null))]
  if (starts[0] !== 0) starts.splice(0, 1, 0)
  const said = new Map<number, string[]>(starts.map((start) => [start, []]))
  let last = 0
  for (const [i, line] of lines.entries()) {
    const match = matches[i] ?? null
    if (match !== null && said.has(match)) last = match
    said.get(last)?.push(line)
  }
  return starts.flatMap((start, i) =>
    distributeWords((said.get(start) ?? []).join('\n'), read.slice(start, starts[i + 1])),
  )
}

function distributeWords(words: string, places: Evidence[]): Evidence[] {
  if (places.length < 2) return places.map((place) => ({ ...place, quote: words }))
  const bits = words.split(/\s+/)
  const all = places.reduce((sum, { quote }) => sum + quote.length, 0)
  let [from, passed] = [0, 0]
  return places.flatMap((place, i) => {
    passed += place.quote.length
    const to = i === places.length - 1 ? bits.length : Math.round((bits.length * passed) / Math.max(1, all))
    const quote = bits.slice(from, to).join(' ')
    from = Math.max(from, to)
    return quote === '' ? [] : [{ ...place, quote }]
  })
}
