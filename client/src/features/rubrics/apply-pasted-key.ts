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
  return answers.reduce((now, pasted) => {
    const known = questionOfNumber(now, pasted.number) !== undefined
    const withNumber =
      known || !add ? now : insertQuestion(now, pasted.number, questionAfter(now.questions, pasted.number))
    const question = questionOfNumber(withNumber, pasted.number)
    return question ? withPasted(withNumber, question, pasted) : now
  }, rubric)
}

function withPasted(rubric: Rubric, question: Question, { answer, points }: PastedAnswer): Rubric {
  const { id } = question
  const kind = answer === '' ? question.kind : kindForAnswer(question, answer)
  const expected = writtenAs(kind, answer)
  const isSame = answer === '' || criterionForKey(question)?.expected.trim() === expected
  let next = kind === question.kind ? rubric : setKind(rubric, id, kind)
  // Accepted answers were read with the old one, and would still earn all the points.
  if (!isSame) next = setAnswer(next, id, expected)
  return points === null ? next : setPoints(next, id, points)
}

const LETTERS = /^[a-h](?:\s*(?:[,;&+/]|and)\s*[a-h])*$/i
const TRUTH = /^(?:true|false|t|f|yes|no)$/i
const NUMBER = /^[-−+]?(?:\d[\d.,]*|\.\d+)$/

/** Only what an answer leaves no doubt of changes the kind of its question. */
function kindForAnswer(question: Question, answer: string): QuestionKind {
  const { kind, prompt } = question
  // One that was not read has no options to look for.
  const canChoose = kind === 'choice' || prompt === '' || findChoiceOptions(prompt).length > 0
  if (TRUTH.test(answer) && !(canChoose && prompt !== '' && LETTERS.test(answer))) return 'true_false'
  if (LETTERS.test(answer) && canChoose) return 'choice'
  if (NUMBER.test(answer) && kind !== 'choice' && kind !== 'formula') return 'number'
  return kind
}

/** Letters as options have them, and whole words. */
function writtenAs(kind: QuestionKind, answer: string): string {
  if (kind === 'choice' && LETTERS.test(answer)) return answer.replace(/\b[a-h]\b/g, (letter) => letter.toUpperCase())
  if (kind === 'true_false' && /^[tf]$/i.test(answer)) return /t/i.test(answer) ? 'True' : 'False'
  return answer
}
