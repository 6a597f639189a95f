import type { PlacedLine } from './paper-lines.ts'
import { readPoints } from './printed-points.ts'
import { readPartLabel, readQuestionLabel } from './question-labels.ts'
import type { PrintedQuestion } from './read-questions.ts'

/** Rules to write on, and labels of the space for the answer. */
const ANSWER_SPACE =
  /^\W*(?:(?:your\s+)?(?:answer|ans|solution|response|explanation|work(?:ing)?|show\s+your\s+work(?:ing)?(?:\s+here)?)\b\W*)?[\s_.…-]*$/i

const isAnswerSpace = (text: string): boolean => ANSWER_SPACE.test(text)

/** A question's words a line each, without its number, points and room to write; a part starts with its stem. */
export function questionPrompt(question: PrintedQuestion): string {
  const stem = question.stem.map((line, i) => (i === 0 ? withoutLabel(line.text) : line.text))
  const own = question.lines.map((line, i) => (i === 0 ? withoutLabel(line.text, question.part) : line.text))
  // “1. (a) Define …”: the first part's line is the stem's too.
  const shared = question.stem[0] !== undefined && question.stem[0] === question.lines[0]
  return [...(shared ? [] : stem), ...own]
    .map((text) => (readPoints(text)?.rest ?? text).replace(/_{3,}/g, '____'))
    .filter((text) => !isAnswerSpace(text) || /[\p{L}]{3}/u.test(text.replace(ANSWER_SPACE, '')))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

function withoutLabel(text: string, part: string | null = null): string {
  const label = readQuestionLabel(text)
  const rest = label ? label.rest : text
  const inner = part === null || label?.part ? null : readPartLabel(rest)
  return inner && inner.part === part ? inner.rest : rest
}

/** The last printed line before the room for the answer begins. */
export function lastPromptLine(question: PrintedQuestion): PlacedLine | undefined {
  return question.lines.findLast((line, i) => i === 0 || !isAnswerSpace(line.text))
}
