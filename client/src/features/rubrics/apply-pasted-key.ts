import type { Question, QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { normalNumber } from '@assay/shared/rules/question-numbers.ts'
import type { PastedAnswer } from './pasted-key.ts'
import { questionAfter } from './rubric-draft.ts'
import { criterionForKey, insertQuestion, setAnswer, setKind, setPoints } from './rubric-fixes.ts'

/** The question that a number of a key means; the first where two have it. */
export const questionOfNumber = ({ questions }: Rubric, number: string): Question | undefined =>
  questions.find((question) => normalNumber(question.number) === normalNumber(number))

/** Answers, points and kinds as the key says. Numbers that no question has become questions where `add` says so. */
export function applyPastedKey(rubric: Rubric, answers: readonly PastedAnswer[], add: boolean): Rubric {
  // Among letters of options, “F” is one of them.
  const hasTruthLetters = answers.some(({ answer }) => /^t$/i.test(answer))
  return answers.reduce((now, pasted) => {
    const known = questionOfNumber(now, pasted.number) !== undefined
    const withNumber =
      known || !add ? now : insertQuestion(now, pasted.number, questionAfter(now.questions, pasted.number))
    const question = questionOfNumber(withNumber, pasted.number)
    return question ? withPasted(withNumber, question, pasted, hasTruthLetters) : now
  }, rubric)
}

function withPasted(rubric: Rubric, question: Question, pasted: PastedAnswer, hasTruthLetters: boolean): Rubric {
  const { id } = question
  const { answer, points } = pasted
  const kind = answer === '' ? question.kind : kindForAnswer(question, answer, hasTruthLetters)
  const expected = writtenAs(kind, answer)
  const isSame = answer === '' || criterionForKey(question)?.expected.trim() === expected
  let next = kind === question.kind ? rubric : setKind(rubric, id, kind)
  // Accepted answers were read with the old one, and would still earn all the points.
  if (!isSame) next = setAnswer(next, id, expected)
  return points === null ? next : setPoints(next, id, points)
}

const LETTERS = /^[a-h](?:\s*(?:[,;&+/]|and)\s*[a-h])*$/i
const TRUTH = /^(?:true|false|yes|no)$/i
const TRUTH_LETTER = /^[tf]$/i
const NUMBER = /^[-−+]?(?:\d[\d.,]*|\.\d+)$/

/** Only what an answer leaves no doubt of changes the kind of its question. */
function kindForAnswer(question: Question, answer: string, hasTruthLetters: boolean): QuestionKind {
  const { kind, prompt } = question
  const hasOptions = kind === 'choice' || findChoiceOptions(prompt).length > 0
  if (LETTERS.test(answer) && hasOptions) return 'choice'
  if (TRUTH.test(answer) || (TRUTH_LETTER.test(answer) && hasTruthLetters)) return 'true_false'
  // One that nobody has read may have options.
  if (LETTERS.test(answer) && prompt === '' && kind === 'text') return 'choice'
  if (NUMBER.test(answer) && kind !== 'choice' && kind !== 'formula') return 'number'
  return kind
}

/** Letters as options have them, and whole words. */
function writtenAs(kind: QuestionKind, answer: string): string {
  if (kind === 'choice' && LETTERS.test(answer)) return answer.replace(/\b[a-h]\b/g, (letter) => letter.toUpperCase())
  if (kind === 'true_false' && /^[tf]$/i.test(answer)) return /t/i.test(answer) ? 'True' : 'False'
  return answer
}
