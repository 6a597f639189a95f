import type { Question, QuestionKind, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { normalNumber, numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { NAMES_NUMBER } from '@assay/shared/rules/rubric-problems.ts'
import type { PastedAnswer } from './pasted-key.ts'
import { questionAfter } from './rubric-draft.ts'
import { criterionForKey, dismiss, insertQuestion, setAnswer, setKind, setPoints } from './rubric-fixes.ts'

/** The question that a number of a key means; the first where two have it. */
export const questionOfNumber = ({ questions }: Rubric, number: string): Question | undefined =>
  questions.find((question) => normalNumber(question.number) === normalNumber(number))

/** Answers, points and kinds as the key says. Numbers that no question has become questions where `add` says so. */
export function applyPastedKey(rubric: Rubric, answers: readonly PastedAnswer[], add: boolean): Rubric {
  // Among letters of options, “F” is one of them.
  const hasTruthLetters = answers.some(({ answer }) => /^t$/i.test(answer))
  const after = answers.reduce((now, pasted, i) => {
    const known = questionOfNumber(now, pasted.number) !== undefined
    const next = nextInKey(now, pasted, answers[i - 1])
    const before = next === undefined ? questionAfter(now.questions, pasted.number) : next
    const withNumber = known || !add ? now : insertQuestion(now, pasted.number, before)
    const question = questionOfNumber(withNumber, pasted.number)
    return question ? withPasted(withNumber, question, pasted, hasTruthLetters) : now
  }, rubric)
  const compared = answers.filter(({ answer }) => answer !== '')
  const given = new Set(compared.map(({ number }) => questionOfNumber(after, number)?.id))
  const isAnswered = ({ code, question_id }: RubricProblem) => code === 'answer_unsure' && given.has(question_id)
  return dismiss(
    after,
    after.problems,
    after.problems.filter(isAnswered).map(({ id }) => id),
    true,
  )
}

/** What a part comes before, behind its neighbour in the key: “ix” follows “viii”. Undefined where it is no part. */
function nextInKey({ questions }: Rubric, { number }: PastedAnswer, previous: PastedAnswer | undefined) {
  const [own = [], other = []] = [number, previous?.number ?? ''].map((one) => numberLevels(one).levels)
  const at = questions.findIndex((one) => previous && normalNumber(one.number) === normalNumber(previous.number))
  const areParts = own.length > 1 && own.length === other.length && own.slice(0, -1).every((one, i) => one === other[i])
  return areParts && at >= 0 ? (questions[at + 1] ?? null) : undefined
}

function withPasted(rubric: Rubric, question: Question, pasted: PastedAnswer, hasTruthLetters: boolean): Rubric {
  const { id } = question
  const { answer, points } = pasted
  const kind = answer === '' ? question.kind : kindForAnswer(question, answer, hasTruthLetters)
  const expected = writtenAs(kind, answer)
  const isSame = answer === '' || criterionForKey(question)?.expected.trim() === expected
  let next = kind === question.kind ? rubric : setKind(rubric, id, kind)
  if (!isSame) next = setAnswer(next, id, expected)
  return points === null ? next : setPoints(next, id, points)
}

const LETTERS = /^[a-h](?:\s*(?:[,;&+/]|and)\s*[a-h])*$/i
const TRUTH = /^(?:true|false|yes|no)$/i
const TRUTH_LETTER = /^[tf]$/i
/** “-4,5”, “$58”, “3/4”, “12 %”, “x = 3”, “2√3”, “43°”, “200 cm3”, “9.8 m/s²”; no “2nd” or “2x”. */
const NUMBER =
  /^(?:\p{L}\s?=\s?)?[-−+]?[$€£]?\s?(?:\d[\d.,]*(?:\s?\/\s?\d+)?|\.\d+|\d*√\(?\d+\)?)(?:\s?(?:%|°\s?[CF]?|(?:[kcmdµμnMG]?(?:m|g|s|A|V|W|J|N|Pa|Hz|Ω|[Ll]|mol)|[KCF]|min|h|ha|t|ft|in|mi|yd|lb|eV|kWh|km)(?:[²³]|\^?-?[1-3])?(?:\s?\/\s?[a-z]{1,3}(?:[²³]|\^?[23])?)?))?$/u

const ASKS_REASON = /\b(?:explain|justify|why|reasons?|reasoning|prove)\b/i
/** “9.8 m/s²”, “x = 1/2”, “twelve”; no “(2.5, 3.5)”, “high: 5; low: 2” or “F(x) = x³/27”. */
const QUANTITY = /^(?:\p{L}\w{0,2}\s*[=≈]\s*)?[-−+±]?\s?[$€£]?\s?(?:\d|\.\d|[½¼¾π√∞])(?:[^;,]|[,.](?=\d)){0,30}$/u

/** The kind an answer leaves no doubt of; the question's own, where it can be an answer of that kind. */
function kindForAnswer(question: Question, answer: string, hasTruthLetters: boolean): QuestionKind {
  const { kind, prompt } = question
  const options = findChoiceOptions(prompt)
  const hasOptions = kind === 'choice' || options.length > 0
  if (LETTERS.test(answer) && hasOptions) return 'choice'
  const isTruth = TRUTH.test(answer) || (TRUTH_LETTER.test(answer) && hasTruthLetters)
  if (isTruth) return kind === 'text' && ASKS_REASON.test(prompt) ? 'text' : 'true_false'
  // One that nobody has read may have options.
  if (LETTERS.test(answer) && prompt === '' && kind === 'text') return 'choice'
  if (NUMBER.test(answer) && kind !== 'choice' && kind !== 'formula') return 'number'
  if (kind === 'true_false') return 'text'
  if (kind === 'number') return QUANTITY.test(answer) || NAMES_NUMBER.test(answer.replace(/\d/g, ' ')) ? kind : 'text'
  // The words of an option are an answer, too.
  const words = answer.toLowerCase()
  const isOther = options.length > 0 && !options.some(({ text }) => text.toLowerCase().includes(words))
  return kind === 'choice' && isOther ? 'text' : kind
}

/** Letters as options have them, and whole words. */
function writtenAs(kind: QuestionKind, answer: string): string {
  if (kind === 'choice' && LETTERS.test(answer)) return answer.replace(/\b[a-h]\b/g, (letter) => letter.toUpperCase())
  if (kind === 'true_false' && /^[tf]$/i.test(answer)) return /t/i.test(answer) ? 'True' : 'False'
  return answer
}
