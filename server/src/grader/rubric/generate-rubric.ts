import type { Paper } from '@assay/shared/papers.ts'
import type { Criterion, Level, PrintedTotal, Question, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import {
  generalProblem,
  questionProblem,
  unmatchedKeyAnswer,
  withProblems,
} from '@assay/shared/rules/rubric-problems.ts'
import { answerRegions } from '../layout/answer-regions.ts'
import { visibleLines } from '../layout/paper-lines.ts'
import { readPoints } from '../layout/printed-points.ts'
import type { PrintedQuestion } from '../layout/printed-question.ts'
import { questionPrompt } from '../layout/question-prompt.ts'
import { type PrintedPaper, readQuestions } from '../layout/read-questions.ts'
import { allocatePoints } from './allocate-points.ts'
import { drawingOrEssay } from './drawing-or-essay.ts'
import { finalResult } from './final-result.ts'
import type { KeyAnswer } from './key/key-answer.ts'
import { keyAnswers } from './key-answers.ts'
import { questionKind } from './question-kind.ts'
import { refineQuestionKinds } from './refine-question-kinds.ts'

/** A problem that an LLM may solve later. */
export const ONE_QUESTION = 'No numbered questions were found, so the whole paper is treated as one question.'

/**
 * The rubric of a blank and its key: questions, points, kinds and expected answers. Never fails: what could not be made
 * out is said in `problems`, in a teacher's words.
 */
export function generateRubric(blank: Paper, key: Paper): Rubric {
  const remarks: RubricProblem[] = []
  const remark = (message: string) => remarks.push(generalProblem(message, []))
  let printed = readQuestions(visibleLines(blank))
  let source = blank
  if (printed.questions.length === 0) {
    const inKey = readQuestions(visibleLines(key))
    const listed = inKey.questions.length > 0 && inKey.questions.every((question) => question.lines.length > 1)
    if (listed) {
      printed = inKey
      source = key
      remark('No numbered questions were found in the blank, so they were taken from the key.')
    } else printed = asOneQuestion(printed, remark)
  }
  if (printed.questions.length === 0) return { questions: [], problems: remarks }

  const questions: Question[] = printed.questions.map((question, i) => ({
    id: question.id,
    number: question.number,
    prompt: source === key ? promptWithoutAnswer(question) : questionPrompt(question),
    kind: 'text',
    criteria: [{ id: question.id, text: '', points: 1, expected: '', alternatives: [] }],
    ...(question.points !== null ? { printed_points: question.points } : {}),
    regions: source === key ? [] : answerRegions(question, i, printed),
  }))
  const draft: Rubric = { questions, problems: [] }
  const { answers, unmatched } = keyAnswers(draft, printed.questions, source === key ? { pages: [] } : blank, key)
  const { points, guessed } = allocatePoints(printed, answers)
  for (const [i, question] of questions.entries()) {
    const answer = answers.get(question.id) ?? NO_ANSWER
    const scaled = schemeMismatch(answer, points[i] ?? 1)
    question.criteria = criteriaOf(question, answer, points[i] ?? 1, scaled === null)
    setKind(question, answer)
    if (answer.notes.length > 0) question.notes = answer.notes.join('\n')
    if (scaled) remarks.push(questionProblem('scheme_scaled', question, scaled))
    const guess = guessed.get(question.id)
    if (guess) remarks.push(questionProblem('points_guessed', question, guess))
  }
  refineQuestionKinds(questions)
  remarks.push(...unmatched.map(unmatchedKeyAnswer))
  const printed_totals = printedTotals(printed)
  return withProblems({ questions, ...(printed_totals.length > 0 ? { printed_totals } : {}) }, remarks)
}

const printedTotals = ({ total, sharedPoints }: PrintedPaper): PrintedTotal[] => [
  ...(total !== null && total > 0 ? [{ number: null, points: total, question_ids: [] }] : []),
  ...sharedPoints.map(({ number, points, ids }) => ({ number, points, question_ids: ids })),
]

/** That a mark scheme of several points does not come to what its question is worth. */
function schemeMismatch(answer: KeyAnswer, points: number): string | null {
  if (answer.levels.length > 0 || answer.criteria.length < 2) return null
  const sum = schemeSum(answer)
  return Math.abs(sum - points) < 0.01
    ? null
    : `: the key's mark scheme adds up to ${sum}, but the question is worth ${points}. Its points were scaled to fit.`
}

const schemeSum = ({ criteria }: KeyAnswer) => criteria.reduce((total, criterion) => total + criterion.points, 0)

function criteriaOf(question: Question, answer: KeyAnswer, points: number, fits: boolean): Criterion[] {
  const whole = (expected: string): Criterion => ({
    id: question.id,
    text: titleOf(question.prompt) || `Question ${question.number}`,
    points,
    expected,
    alternatives: answer.alternatives,
  })
  if (answer.levels.length > 0) {
    return [{ ...whole(answer.expected), levels: scaledLevels(answer.levels, points) }]
  }
  const [first, second] = answer.criteria
  if (!first) return [whole(answer.expected)]
  if (!second) {
    // One line with the question's points is the answer itself: “Paris (2 points)”.
    if (first.points === points || answer.expected === '')
      return [{ ...whole(first.expected), alternatives: [...first.alternatives, ...answer.alternatives] }]
    return [whole(`${answer.expected} ${first.text}`.trim())]
  }
  const sum = schemeSum(answer)
  let left = points
  const share = (worth: number, last: boolean) => {
    const own = fits ? worth : last ? left : round((worth / sum) * points)
    left = round(left - own)
    return own
  }
  return answer.criteria.map((criterion, i) => ({
    id: `${question.id}.${i + 1}`,
    text: criterion.text,
    points: share(criterion.points, i === answer.criteria.length - 1),
    expected: criterion.expected,
    // What may be said instead of the whole answer goes with its result.
    alternatives:
      i === answer.criteria.length - 1 ? [...criterion.alternatives, ...answer.alternatives] : criterion.alternatives,
  }))
}

/** The highest level earns the question's points. */
function scaledLevels(levels: Level[], points: number): Level[] {
  const most = levels[0]?.points ?? points
  return levels.map((level) => ({ ...level, points: round((level.points / most) * points) }))
}

/** Sets the question's kind, and what is to be compared: the result of a working, the letter of an option. */
function setKind(question: Question, answer: KeyAnswer): void {
  const points = question.criteria.reduce((sum, criterion) => sum + criterion.points, 0)
  const beyond = drawingOrEssay(question.prompt, points)
  if (beyond || answer.levels.length > 0) {
    question.kind = beyond ?? 'essay'
    return
  }
  // Marks for the working end in a result, which is what can be compared.
  const code = answer.criteria.findLastIndex((criterion) => criterion.code === 'A')
  const at = question.criteria.length === 1 ? 0 : code >= 0 ? code : question.criteria.length - 1
  const result = question.criteria[at]
  if (!result) return
  // A line of working goes on: “→ 3/2.”
  result.expected = result.expected.replace(/^\s*(?:=|→|⇒|∴|->)\s*(\S.*?)\.?$/s, '$1')
  // A verdict with its reason, whose example no answer has to repeat.
  const reasoned = answer.criteria.some(({ expected }) => /^\W*(?:true|false|yes|no)\W*$/i.test(expected))
  if (question.criteria.length > 1 && (reasoned || /\bsuch\s+as\b|\be\.g\./i.test(result.expected))) return
  const expected = finalResult(question.prompt, result.expected) ?? result.expected
  const kind = questionKind(question.prompt, expected)
  if (question.criteria.length > 1 && kind !== 'number' && kind !== 'formula') return
  question.kind = kind
  if (kind === 'number' && expected !== result.expected) {
    result.text = result.expected
    result.expected = expected
  }
  // A key ticks the right option: “☑ B) stack”.
  if (kind === 'choice') result.expected = result.expected.replace(/^[^\p{L}\p{N}(]+/u, '')
}

/** The question itself, without its options. */
function titleOf(prompt: string): string {
  const lines = prompt.split('\n')
  const options = lines.findIndex((line) => /^\W*[Aa][.):]\s/.test(line))
  const text = (options > 0 ? lines.slice(0, options) : lines).join(' ')
  return text.length > 200 ? `${text.slice(0, 197)}…` : text
}

/** A paper without numbers is one question: an essay, a single problem. */
function asOneQuestion(printed: PrintedPaper, remark: (message: string) => void): PrintedPaper {
  const lines = printed.lines.filter((line) => !printed.furniture.has(line))
  if (lines.length === 0) {
    remark('No text was found in the blank. Add the questions yourself, or upload a readable blank.')
    return printed
  }
  remark(ONE_QUESTION)
  const points = lines.map((line) => readPoints(line.text)?.points).find((x) => x !== undefined) ?? printed.total
  const question: PrintedQuestion = {
    id: 'q1',
    number: '1',
    mainNumber: 1,
    part: null,
    stem: [],
    lines,
    stemTexts: [],
    texts: lines.map(({ text }) => text),
    points: points ?? null,
  }
  return { ...printed, questions: [question] }
}

/** In a key that repeats the questions, the prompt ends where “Answer:” begins. */
function promptWithoutAnswer(question: PrintedQuestion): string {
  const lines = questionPrompt(question).split('\n')
  const at = lines.findIndex((line) =>
    /^\W*(?:(?:model|correct|sample|expected)\s+)?(?:answer|ans|solution|sol)\b\s*[:.]/i.test(line),
  )
  if (at > 0) return lines.slice(0, at).join('\n')
  const asked = lines.findIndex((line) => /[?:]\s*$/.test(line))
  const end = asked >= 0 ? asked + 1 : 1
  return lines.slice(0, Math.max(end, end + findChoiceOptions(lines.slice(end).join('\n')).length)).join('\n')
}

const NO_ANSWER: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }

const round = (points: number) => Math.max(0.01, Math.round(points * 100) / 100)
