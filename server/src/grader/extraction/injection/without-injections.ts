import type { Paper } from '@assay/shared/papers.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import type { ReviewReason } from '../../grader.ts'
import { isNameFieldLine, normalizeText, type PlacedLine, placedLines, toEvidence } from '../../layout/paper-lines.ts'
import { findPromptInjections } from './prompt-injection.ts'

interface TextPiece {
  text: string
}

/** Keeps what the blank itself prints. */
export function withoutInjections<T extends TextPiece>(
  pieces: readonly T[],
  blankText: string,
): { kept: T[]; instructions: T[] } {
  const text = pieces.map((piece) => piece.text).join('\n')
  const found = findPromptInjections(text).filter((one) => !blankText.includes(` ${normalizeText(one.text)} `))
  if (found.length === 0) return { kept: [...pieces], instructions: [] }
  const kept: T[] = []
  const instructions: T[] = []
  let at = 0
  for (const piece of pieces) {
    const end = at + piece.text.length
    let rest = ''
    let touched = false
    for (let i = 0; i < piece.text.length; i++) {
      if (found.some((one) => at + i >= one.from && at + i < one.to)) touched = true
      else rest += piece.text[i] ?? ''
    }
    if (touched) instructions.push(piece)
    if (/[\p{L}\p{N}]/u.test(rest)) kept.push({ ...piece, text: rest.trim() })
    at = end + 1
  }
  return { kept, instructions }
}

export const normalizedBlankText = (lines: readonly TextPiece[]): string =>
  ` ${normalizeText(lines.map(({ text }) => text).join(' '))} `

export function instructionsInAnswer(
  question: { id: string; number: string },
  evidence: NonNullable<ReviewReason['evidence']>,
): ReviewReason {
  return {
    code: 'instructions_to_grader',
    message: `The answer to question ${question.number} contains instructions to the grader: “${shorten(evidence.map((one) => one.quote).join(' … '))}”. They were left out.`,
    question_id: question.id,
    evidence,
  }
}

const MAX_NAME_LINE_LENGTH = 60

/** The blank's print and name fields may be hidden legitimately. */
export function hiddenTextWarnings(all: PlacedLine[], blank: Paper): ReviewReason[] {
  const printed = new Set(placedLines(blank).map((line) => normalizeText(line.text)))
  const hidden = all.filter(
    (line) =>
      line.hidden &&
      /[\p{L}\p{N}]{2}/u.test(line.text) &&
      !printed.has(normalizeText(line.text)) &&
      !(isNameFieldLine(line.text) && line.text.length <= MAX_NAME_LINE_LENGTH),
  )
  if (hidden.length === 0) return []
  const differing = hidden.filter((line) => line.hidden === 'other_words')
  const unseen = hidden.filter((line) => line.hidden !== 'other_words')
  const evidenceOf = (lines: PlacedLine[]) => lines.slice(0, 20).map(toEvidence)
  const quoted = (lines: PlacedLine[]) => `“${shorten(lines.map((line) => line.text).join('\n')).replace(/[.]$/, '')}”`
  const warnings: ReviewReason[] = []
  if (unseen.length > 0)
    warnings.push({
      code: 'hidden_text',
      message: `The paper contains hidden text: ${quoted(unseen)}. It was not counted.`,
      evidence: evidenceOf(unseen),
    })
  if (differing.length > 0)
    warnings.push({
      code: 'text_differs_from_page',
      message: `The file’s text differs from what the page shows: ${quoted(differing)}. Only what the page shows was counted.`,
      evidence: evidenceOf(differing),
    })
  if (findPromptInjections(hidden.map((line) => line.text).join('\n')).length > 0)
    warnings.push({
      code: 'instructions_to_grader',
      message: 'The hidden text gives instructions to the grader. They were not followed.',
      evidence: evidenceOf(hidden),
    })
  return warnings
}
