import { shorten } from '@assay/shared/rules/shorten.ts'
import type { ReviewReason } from '../../grader.ts'
import { normalizeText } from '../../layout/paper-lines.ts'
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
