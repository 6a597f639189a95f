import type { Paper } from '@assay/shared/papers.ts'
import type { Criterion, Level, PrintedTotal, Question, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { findChoiceOptions, TICKED_SIGNS } from '@assay/shared/rules/choice-options.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import {
  generalProblem,
  paperProblem,
  questionProblem,
  unmatchedKeyAnswer,
  withProblems,
} from '@assay/shared/rules/rubric-problems.ts'
import { answerRegions, questionPrompt } from '../layout/answer-regions.ts'
import { withTickSigns } from '../layout/option-regions.ts'
import { readPoints } from '../layout/outline/points.ts'
import { type PrintedPaper, readQuestions } from '../layout/outline/read-questions.ts'
import { visibleLines } from '../layout/paper-lines.ts'
import type { PrintedQuestion } from '../layout/printed-question.ts'
import { allocatePoints } from './allocate-points.ts'
import { certaintyOf, isScanned, readingFacts } from './certainty/reading-certainty.ts'
import { finalResult } from './final-result.ts'
import type { KeyAnswer } from './key/key-lines.ts'
import { keyAnswers } from './key-answers.ts'
import { ASKS_VERDICT, chosenOption, drawingOrEssay, questionKind, refineQuestionKinds } from './question-kind.ts'

export const ONE_QUESTION = 'No numbered questions were found, so the whole paper is treated as one question.'

const MAY_BE_WRONG = ', so some may be wrong or missing. Compare their numbers with the paper first.'

/** Questions below this chance of being right are named, to be compared with the key. */
export const UNSURE = 0.8
/** Fewer expected errors in the other questions are not spoken of. */
const LEAST_MISREAD = 0.1

/** Never fails: what could not be read is named in `problems`. */
export const generateRubric = (blank: Paper, key: Paper): Rubric => readRubric(blank, key).rubric

/** Facts by question id: names of features, for and against its having been read right. */
export function readRubric(blank: Paper, key: Paper): { rubric: Rubric; facts: Map<string, string[]> } {
  const remarks: RubricProblem[] = []
  const remark = (message: string) => remarks.push(generalProblem(message, []))
  let printed = readQuestions(visibleLines(blank), visibleLines(key))
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
  if (printed.questions.length === 0) return { rubric: { questions: [], problems: remarks }, facts: new Map() }

  const questions: Question[] = printed.questions.map((question, i) => ({
    id: question.id,
    number: question.number,
    prompt: source === key ? promptWithoutAnswer(question) : questionPrompt(withTickSigns(question, blank)),
    kind: 'text',
    criteria: [{ id: question.id, text: '', points: 1, expected: '', alternatives: [] }],
    ...(question.points !== null ? { printed_points: question.points } : {}),
    regions: source === key ? [] : answerRegions(question, i, printed),
  }))
  const draft: Rubric = { questions, problems: [] }
  const compared = source === key ? { pages: [] } : blank
  const { answers, unmatched, unclear, regions } = keyAnswers(draft, printed.questions, compared, key)
  const { points, guessed, guess } = allocatePoints(printed, answers)
  if (guess) remarks.push(paperProblem('points_guessed', guess.message, guess.points))
  for (const [i, question] of questions.entries()) {
    const answer = answers.get(question.id) ?? NO_ANSWER
    const scaled = schemeMismatch(answer, points[i] ?? 1)
    question.criteria = criteriaOf(question, answer, points[i] ?? 1, scaled === null)
    setKind(question, answer)
    const inKey = regions.get(question.id) ?? []
    if (inKey.length > 0) question.key_regions = inKey
    if (answer.notes.length > 0) question.notes = answer.notes.join('\n')
    if (scaled) remarks.push(questionProblem('scheme_scaled', question, scaled))
    const how = guessed.get(question.id)
    if (how) remarks.push(questionProblem('points_guessed', question, how))
  }
  refineQuestionKinds(questions)
  remarks.push(...unmatched.map(unmatchedKeyAnswer))
  const printed_totals = printedTotals(printed)
  const facts = readingFacts(questions, {
    scannedBlank: isScanned(blank),
    scannedKey: isScanned(key),
    totals: printed_totals,
    unmatched: unmatched.length > 0,
    unclear,
    guessed: guess ? new Set(questions.map(({ id }) => id)) : new Set(guessed.keys()),
  })
  const chanceOf = ({ id }: Question) => certaintyOf(facts.get(id) ?? [])
  const remarked = new Set(remarks.map(({ question_id }) => question_id))
  const answered = questions.filter((one) => hasAnswer(one) && !remarked.has(one.id))
  const unsure = answered.filter((one) => chanceOf(one) < UNSURE)
  const others = answered.filter((one) => !unsure.includes(one))
  remarks.push(...unsure.map((one) => questionProblem('answer_unsure', one, ': compare its answer with the key.')))
  const misread = others.reduce((sum, one) => sum + 1 - chanceOf(one), 0)
  const looked = mayBeMisread(misread, others.length, unsure.length > 0)
  if (misread >= LEAST_MISREAD) remarks.push(paperProblem('answers_unsure', looked, 0))
  const rubric = withProblems({ questions, ...(printed_totals.length > 0 ? { printed_totals } : {}) }, remarks)
  const misfit = printed.doubtful ? 'The questions of this paper are numbered in an unusual way' : misfitOf(rubric)
  const doubt = misfit === null ? [] : [generalProblem(`${misfit}${MAY_BE_WRONG}`, [])]
  return { rubric: { ...rubric, problems: [...doubt, ...rubric.problems] }, facts }
}

/** Doubtful below this share of answered questions, of at least so many; or from so many differing totals on. */
const [FEW_ANSWERED, FEWEST_QUESTIONS, MANY_TOTALS] = [2 / 3, 5, 2]

/** Null where key and printed totals fit the questions. */
function misfitOf({ questions, problems }: Rubric): string | null {
  const asked = questions.filter(({ kind }) => kind !== 'drawing' && kind !== 'essay')
  // Handwriting that could not be read is an answer, too.
  const answered = asked.filter((one) => one.key_regions !== undefined || hasAnswer(one)).length
  if (asked.length >= FEWEST_QUESTIONS && answered < FEW_ANSWERED * asked.length)
    return `The key was found to answer only ${answered} of these ${asked.length} questions`
  return problems.filter(({ code }) => code === 'points_total').length >= MANY_TOTALS
    ? 'Several printed totals do not match the points of these questions'
    : null
}

function mayBeMisread(misread: number, answers: number, others: boolean): string {
  if (answers === 1) return `${others ? 'The other' : 'The'} answer may be misread: compare it with the key.`
  const about = misread < 1.5 ? 'One' : `About ${Math.round(misread)}`
  return `${about} of the ${others ? 'other ' : ''}${answers} answers may be misread: look them through.`
}

const printedTotals = ({ total, sharedPoints }: PrintedPaper): PrintedTotal[] => [
  ...(total !== null && total > 0 ? [{ number: null, points: total, question_ids: [] }] : []),
  ...sharedPoints.flatMap(({ number, points, ids }) => (number === null ? [] : { number, points, question_ids: ids })),
]

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
  if (answer.levels.length > 0) return [{ ...whole(answer.expected), levels: scaledLevels(answer.levels, points) }]
  const [first, second] = answer.criteria
  if (!first) return [whole(answer.expected)]
  if (!second) {
    // “Paris (2 points)”: one line with the question's points is the answer itself.
    if (first.points === points || answer.expected === '')
      return [{ ...whole(first.expected), alternatives: [...first.alternatives, ...answer.alternatives] }]
    return [whole(`${answer.expected} ${first.text}`.trim())]
  }
  const sum = schemeSum(answer)
  let given = 0
  let named = 0
  const share = (worth: number) => {
    if (fits) return worth
    named += sum > 0 ? worth / sum : 1 / answer.criteria.length
    const own = round(points * named - given)
    given += own
    return own
  }
  return answer.criteria.map((criterion, i) => ({
    id: `${question.id}.${i + 1}`,
    text: criterion.text,
    points: share(criterion.points),
    expected: criterion.expected,
    alternatives:
      i === answer.criteria.length - 1 ? [...criterion.alternatives, ...answer.alternatives] : criterion.alternatives,
  }))
}

function scaledLevels(levels: Level[], points: number): Level[] {
  const most = levels[0]?.points ?? points
  return levels.map((level) => ({ ...level, points: round((level.points / most) * points) }))
}

function setKind(question: Question, answer: KeyAnswer): void {
  const [only, other] = question.criteria
  const option = only && !other ? chosenOption(question.prompt, only.expected) : null
  if (only && option !== null) {
    question.kind = 'choice'
    only.expected = option
    return
  }
  const verdict = only && !other ? verdictOf(question.prompt, only.expected) : null
  if (only && verdict !== null) {
    question.kind = 'true_false'
    only.text = only.expected
    only.expected = verdict
    return
  }
  const points = question.criteria.reduce((sum, criterion) => sum + criterion.points, 0)
  const beyond = drawingOrEssay(question.prompt, points)
  if (beyond || answer.levels.length > 0) {
    question.kind = beyond ?? 'essay'
    return
  }
  // Marks for the working end in a result, which can be compared.
  const code = answer.criteria.findLastIndex((criterion) => criterion.code === 'A')
  const at = question.criteria.length === 1 ? 0 : code >= 0 ? code : question.criteria.length - 1
  const result = question.criteria[at]
  if (!result) return
  result.expected = result.expected.replace(/^\s*(?:=|→|⇒|∴|->)\s*(\S.*?)\.?$/s, '$1')
  // A verdict's reason may name an example that no answer has to repeat.
  const reasoned = answer.criteria.some(({ expected }) => /^\W*(?:true|false|yes|no)\W*$/i.test(expected))
  if (question.criteria.length > 1 && (reasoned || /\bsuch\s+as\b|\be\.g\./i.test(result.expected))) return
  const expected = finalResult(question.prompt, result.expected, question.criteria.length === 1) ?? result.expected
  const kind = questionKind(question.prompt, expected)
  if (question.criteria.length > 1 && kind !== 'number' && kind !== 'formula') return
  question.kind = kind
  if (kind === 'true_false') result.expected = verdictInFull(expected)
  if (kind === 'number' && expected !== result.expected) {
    result.text = result.expected
    result.expected = expected
  }
  // Editable as it is typed.
  if (kind === 'number' || kind === 'formula') result.expected = result.expected.replaceAll('−', '-')
  if (kind === 'choice') result.expected = result.expected.replace(TICK, '')
}

const hasAnswer = ({ criteria }: Question): boolean => criteria.some(({ expected }) => expected.trim() !== '')

const ASKS_REASON = /\b(?:explain|justify|why|reason|prove|counter-?examples?|disprove|support)\b/i
const VERDICT =
  /^\W*(?:(?:this|the|that)\s+)?(?:(?:statements?|answer|claim)\s+)?(?:is\s+)?(true|false|yes|no)\b(?=\W|$)/i

const TWO_VERDICTS = 40

/** Null where a reason was asked for; the key may still give one. */
function verdictOf(prompt: string, key: string): string | null {
  if (!ASKS_VERDICT.test(prompt) || ASKS_REASON.test(prompt)) return null
  // “yes no” fills two cells.
  if (key.length < TWO_VERDICTS && (key.match(/\b(?:true|false|yes|no)\b/gi)?.length ?? 0) > 1) return null
  const verdict = VERDICT.exec(key)?.[1]
  return verdict === undefined ? null : `${verdict.charAt(0).toUpperCase()}${verdict.slice(1).toLowerCase()}`
}

const verdictInFull = (key: string): string =>
  /^\W*t(?:rue)?\W*$/i.test(key) ? 'True' : /^\W*f(?:alse)?\W*$/i.test(key) ? 'False' : key

function titleOf(prompt: string): string {
  const lines = prompt.split('\n')
  const options = lines.findIndex((line) => /^\W*[Aa][.):]\s/.test(line))
  const text = (options > 0 ? lines.slice(0, options) : lines).join(' ')
  return text.length > 200 ? `${text.slice(0, 197)}…` : text
}

/** “-1” and “’e’” are options, too. */
const TICK = new RegExp(String.raw`^[\s✓✔✗✘√*•→${TICKED_SIGNS}]+`, 'u')

/** An essay or a single problem has no numbers. */
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

const round = (points: number) => Math.max(0.01, roundPoints(points))
