import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { assignLines, type Piece } from './assign-lines.ts'
import type { Answer, LaidSubmission, ReviewReason } from './grader.ts'
import { hiddenWarnings } from './hidden-warnings.ts'
import { findInstructions } from './instructions-to-grader.ts'
import { nameOnPaper } from './name-on-paper.ts'
import { asFiled, inOrder, pageOrder } from './page-order.ts'
import { placedLines, plainText, shorten, toEvidence, visibleLines } from './paper-lines.ts'
import { printFor, type RubricPrint } from './rubric-print.ts'

/**
 * Lays a submission against the questions: the blank's print is found and taken out, what remains is the student's,
 * line by line with its place. Hidden lines and words meant for the grader never count as an answer. Pages scanned out of order
 * are put in order first; places stay those of the file.
 */
export function layAnswers(rubric: Rubric, blank: Paper, submission: Paper): LaidSubmission {
  const print = printFor(rubric, blank)
  const order = pageOrder(submission, print.prints)
  if (!order) return layInOrder(rubric, blank, submission, print)
  if (order.sure)
    return asFiled(layInOrder(rubric, blank, inOrder(submission, order.order), print), order.order)
  const laid = layInOrder(rubric, blank, submission, print)
  const message =
    'The pages may be out of order: their page numbers say something else than their questions. They were read as they come.'
  return { ...laid, warnings: [...laid.warnings, { code: 'page_order', message }] }
}

function layInOrder(rubric: Rubric, blank: Paper, submission: Paper, print: RubricPrint): LaidSubmission {
  const all = placedLines(submission)
  const lines = all.filter((line) => !line.hidden)
  const { pieces, found } = assignLines(print, lines)
  const blankText = ` ${plainText(
    visibleLines(blank)
      .map((line) => line.text)
      .join(' '),
  )} `
  const warnings: ReviewReason[] = hiddenWarnings(all, blank)
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
