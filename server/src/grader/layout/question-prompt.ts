import { readPoints } from './outline/points.ts'
import type { PlacedLine } from './paper-lines.ts'
import type { PrintedQuestion } from './printed-question.ts'

/** Rules to write on, and labels of the space for the answer. */
const ANSWER_SPACE =
  /^\W*(?:(?:your\s+)?(?:answer|ans|solution|response|explanation|work(?:ing)?|show\s+your\s+work(?:ing)?(?:\s+here)?)\b\W*)?[\s_.…-]*$/i

const isAnswerSpace = (text: string): boolean => ANSWER_SPACE.test(text)

/** A question's words a line each, without its number, points and room to write; a part starts with its stem. */
export function questionPrompt(question: PrintedQuestion): string {
  return [...question.stemTexts, ...question.texts]
    .map((text) => (readPoints(text)?.rest ?? text).replace(/_{3,}/g, '____'))
    .filter((text) => !isAnswerSpace(text) || /[\p{L}]{3}/u.test(text.replace(ANSWER_SPACE, '')))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

/** The last printed line before the room for the answer begins. */
export const lastPromptLine = ({ lines }: PrintedQuestion): PlacedLine | undefined =>
  lines.findLast((line, i) => i === 0 || !isAnswerSpace(line.text))
