import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { assignLines, type Piece } from './assign-lines.ts'
import type { Answer, LaidSubmission, ReviewReason } from './grader.ts'
import { findInstructions } from './instructions-to-grader.ts'
import { nameOnPaper } from './name-on-paper.ts'
import { isNameList, type PlacedLine, placedLines, plainText, visibleLines } from './paper-lines.ts'
import { printFor } from './rubric-print.ts'

/**
 * Lays a submission against the questions: the blank's print is found and taken out, what remains is the student's,
 * line by line with its place. Hidden lines and words meant for the grader never count as an answer.
 */
export function layAnswers(rubric: Rubric, blank: Paper, submission: Paper): LaidSubmission {
  const all = placedLines(submission)
  const lines = all.filter((line) => !line.hidden)
  const { pieces, found } = assignLines(printFor(rubric, blank), lines)
  const blankText = ` ${plainText(
    visibleLines(blank)
      .map((line) => line.text)
      .join(' '),
  )} `
  const warnings: ReviewReason[] = hiddenText(all, blank)
  const answers: Answer[] = []
  for (const question of rubric.questions) {
    const own = pieces.get(question.id) ?? []
    const { kept, instructions } = withoutInstructions(own, blankText)
    if (instructions.length > 0) {
      warnings.push({
        code: 'instructions_to_grader',
        message: `The answer to question ${question.number} holds words meant for the grader: “${shorten(instructions.map((one) => one.quote).join(' … '))}”. They were left out.`,
        question_id: question.id,
        evidence: instructions,
      })
    }
    answers.push({
      question_id: question.id,
      text: joinLines(kept.map((piece) => piece.text)),
      found: found.has(question.id),
      evidence: kept.map(({ line }) => toEvidence(line)),
      reading: readingOf(kept),
    })
  }
  const answered = new Set([...pieces.values()].flat().map((piece) => piece.line))
  const loose = lines.filter((line) => !answered.has(line))
  const outside = withoutInstructions(
    loose.map((line) => ({ line, text: line.text })),
    blankText,
  ).instructions
  if (outside.length > 0) {
    warnings.push({
      code: 'instructions_to_grader',
      message: `The paper holds words meant for the grader: “${shorten(outside.map((one) => one.quote).join(' … '))}”.`,
      evidence: outside,
    })
  }
  if (answers.every((answer) => answer.text.trim() === '')) {
    warnings.push({
      code: 'nothing_written',
      message: 'Nothing written by the student was found in this paper.',
    })
  }
  return { answers, warnings, name_on_paper: nameOnPaper(lines) }
}

function hiddenText(all: PlacedLine[], blank: Paper): ReviewReason[] {
  const printed = new Set(placedLines(blank).map((line) => plainText(line.text)))
  const hidden = all.filter(
    (line) =>
      line.hidden &&
      /[\p{L}\p{N}]{2}/u.test(line.text) &&
      !printed.has(plainText(line.text)) &&
      !isNameList(line.text),
  )
  if (hidden.length === 0) return []
  const text = hidden.map((line) => line.text).join('\n')
  const evidence = hidden.slice(0, 20).map(toEvidence)
  const warnings: ReviewReason[] = [
    {
      code: 'hidden_text',
      message: `The paper holds text a reader cannot see: “${shorten(text).replace(/[.]$/, '')}”. It was not counted.`,
      evidence,
    },
  ]
  if (findInstructions(text).length > 0) {
    warnings.push({
      code: 'instructions_to_grader',
      message: 'The hidden text gives instructions to the grader. They were not followed.',
      evidence,
    })
  }
  return warnings
}

/** Takes sentences meant for the grader out of an answer; what the blank itself prints is no such thing. */
function withoutInstructions(
  pieces: Piece[],
  blankText: string,
): { kept: Piece[]; instructions: Evidence[] } {
  const text = pieces.map((piece) => piece.text).join('\n')
  const found = findInstructions(text).filter((one) => !blankText.includes(` ${plainText(one.text)} `))
  if (found.length === 0) return { kept: pieces, instructions: [] }
  const kept: Piece[] = []
  const instructions: Evidence[] = []
  let at = 0
  for (const piece of pieces) {
    const end = at + piece.text.length
    let rest = ''
    let touched = false
    for (let i = 0; i < piece.text.length; i++) {
      if (found.some((one) => at + i >= one.from && at + i < one.to)) touched = true
      else rest += piece.text[i] ?? ''
    }
    if (touched) instructions.push(toEvidence(piece.line))
    if (/[\p{L}\p{N}]/u.test(rest)) kept.push({ line: piece.line, text: rest.trim() })
    at = end + 1
  }
  return { kept, instructions }
}

const toEvidence = (line: PlacedLine): Evidence => ({ page: line.page, box: line.box, quote: line.text })

/** Lines joined for reading: words broken at the end of a line made whole again. */
function joinLines(lines: string[]): string {
  return lines.join('\n').replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
}

/** Mean confidence of the reading, by length. */
function readingOf(pieces: Piece[]): number {
  const letters = pieces.reduce((sum, { text }) => sum + text.length, 0)
  if (letters === 0) return 1
  const read = pieces.reduce((sum, { text, line }) => sum + text.length * line.confidence, 0) / letters
  return Math.round(read * 1000) / 1000
}

const shorten = (text: string) => {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > 160 ? `${flat.slice(0, 157)}…` : flat
}
