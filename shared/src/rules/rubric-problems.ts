import { ProblemCode, type Question, type Rubric, type RubricProblem } from '../rubrics.ts'
import { questionPoints, totalPoints } from './edited-rubric.ts'
import { roundPoints } from './points.ts'
import { numberProblems } from './question-numbers.ts'
import { questionFingerprint } from './rubric-changes.ts'

/**
 * The rubric itself does not show these: only a class's points tell `results_doubtful`, the papers' reader the rest.
 */
const REMARKS: ReadonlySet<ProblemCode> = new Set([
  'results_doubtful',
  'points_guessed',
  'scheme_scaled',
  'key_unmatched',
  'answer_unsure',
  'answers_unsure',
  'general',
  'ai_remark',
])

/** Gone once anything of its question is changed. */
const SPEAKS_OF_QUESTION: ReadonlySet<ProblemCode> = new Set(['results_doubtful', 'general', 'ai_remark'])

const INFORMATION: ReadonlySet<ProblemCode> = new Set(['answers_unsure', 'by_hand', 'ai_remark'])

export const isInformation = ({ code }: Pick<RubricProblem, 'code'>): boolean => INFORMATION.has(code)

export const isOpenProblem = (problem: RubricProblem): boolean => !problem.dismissed && !isInformation(problem)

export const openProblems = ({ problems }: Pick<Rubric, 'problems'>): RubricProblem[] => problems.filter(isOpenProblem)

/** Of one cause, shown and counted as one. */
export interface ProblemGroup extends Pick<RubricProblem, 'id' | 'message' | 'points'> {
  problems: RubricProblem[]
}

const TOGETHER: Partial<Record<ProblemCode, (count: number) => string>> = {
  no_answer: (count) => `${count} questions have no expected answer.`,
  answer_unsure: (count) => `${count} answers may be misread: compare them with the key.`,
  no_region: (count) => `The answer areas of ${count} questions were not found on the blank.`,
}
const LEAST_TOGETHER = 4

/** They quote students, so nothing that outlives the papers may keep them. */
export const withoutDoubtfulResults = (problems: readonly RubricProblem[]): RubricProblem[] =>
  problems.filter(({ code }) => code !== 'results_doubtful')

/** `found` replaces earlier results; dismissed ones stay dismissed. */
export function withDoubtfulResults(problems: readonly RubricProblem[], found: readonly RubricProblem[]) {
  const dismissed = new Set(problems.filter((problem) => problem.dismissed).map(({ id }) => id))
  return inOrder([
    ...withoutDoubtfulResults(problems),
    ...found.map((problem) => (dismissed.has(problem.id) ? { ...problem, dismissed: true as const } : problem)),
  ])
}

export function groupProblems(problems: readonly RubricProblem[]): ProblemGroup[] {
  const byCode = Map.groupBy(problems, ({ code }) => code)
  return problems.flatMap((problem): ProblemGroup[] => {
    const { id, code, message, points } = problem
    const own = byCode.get(code) ?? []
    const together = own.length >= LEAST_TOGETHER ? TOGETHER[code] : undefined
    if (!together) return [{ id, message, points, problems: [problem] }]
    return own[0] === problem
      ? [{ id: code, message: together(own.length), points: pointsAtStake(own), problems: own }]
      : []
  })
}

/** A question's points count once. */
export function pointsAtStake(problems: readonly RubricProblem[]): number {
  const bySubject = new Map<string, number>()
  for (const { id, question_id = id, points } of problems)
    bySubject.set(question_id, Math.max(points, bySubject.get(question_id) ?? 0))
  return roundPoints([...bySubject.values()].reduce((sum, points) => sum + points, 0))
}

/** `what` follows its number: “: there is no expected answer.” */
export function questionProblem(code: ProblemCode, question: Question, what: string): RubricProblem {
  const { id, number } = question
  return {
    id: `${code}/${id}${what}`,
    code,
    question_id: id,
    message: `Question ${number}${what}`,
    points: questionPoints(question),
  }
}

/** Of the question whose number it starts with, if there is one. */
export function generalProblem(
  message: string,
  questions: readonly Question[],
  code: 'general' | 'ai_remark' = 'general',
): RubricProblem {
  const subject = questions
    .filter(({ number }) => message.startsWith(`Question ${number}:`) || message.startsWith(`Question ${number} `))
    .sort((a, b) => b.number.length - a.number.length)[0]
  return {
    id: `${code}/${message}`,
    code,
    ...(subject ? { question_id: subject.id } : {}),
    message,
    points: subject ? questionPoints(subject) : 0,
  }
}

/** Of several questions together. */
export const paperProblem = (
  code: 'answers_unsure' | 'points_guessed',
  message: string,
  points: number,
): RubricProblem => ({ id: `${code}/${message}`, code, message, points: roundPoints(points) })

type ReadRubric = Omit<Rubric, 'problems'>

export function withProblems(rubric: ReadRubric, remarks: readonly RubricProblem[]): Rubric {
  return { ...rubric, problems: inOrder([...remarks, ...toldProblems(rubric)]) }
}

/** Remarks stay while their subject is unchanged; `dismissed` comes from `after`. */
export function withProblemsAfterEdit(before: Rubric | null, after: Rubric): Rubric {
  const dismissed = new Set(after.problems.filter((problem) => problem.dismissed).map(({ id }) => id))
  const remarks = before ? before.problems.filter((problem) => stillHolds(problem, before, after)) : []
  const kept = remarks.map((remark) => renumbered(withoutDismissal(remark), before, after))
  const { problems } = withProblems(after, kept)
  return {
    ...after,
    problems: problems.map((problem) => (dismissed.has(problem.id) ? { ...problem, dismissed: true } : problem)),
  }
}

const withoutDismissal = ({ dismissed: _, ...problem }: RubricProblem): RubricProblem => problem

/** By the number its question has now. */
function renumbered(problem: RubricProblem, before: Rubric | null, after: Rubric): RubricProblem {
  const numberIn = (rubric: Rubric | null) => rubric?.questions.find(({ id }) => id === problem.question_id)?.number
  const [was, is] = [numberIn(before), numberIn(after)]
  if (was === undefined || is === undefined || was === is || !problem.message.startsWith(`Question ${was}`))
    return problem
  return { ...problem, message: `Question ${is}${problem.message.slice(`Question ${was}`.length)}` }
}

function stillHolds({ id, code, question_id }: RubricProblem, before: Rubric, after: Rubric): boolean {
  if (!REMARKS.has(code)) return false
  if (code === 'key_unmatched') return !after.questions.some(({ number }) => id === keyProblemId(number))
  if (question_id === undefined && code === 'points_guessed') return mostKeep(before, after, printPoints)
  if (code === 'answers_unsure') return mostKeep(before, after, answerPrint)
  if (question_id === undefined) return true
  const [was, is] = [before, after].map(({ questions }) => questions.find((question) => question.id === question_id))
  if (!was || !is) return false
  // Points and kind say nothing of whether it was read right.
  if (code === 'answer_unsure') return answerPrint(was) === answerPrint(is)
  if (SPEAKS_OF_QUESTION.has(code))
    return was.number === is.number && questionFingerprint(was) === questionFingerprint(is)
  return printPoints(was) === printPoints(is)
}

function mostKeep(before: Rubric, after: Rubric, part: (question: Question) => string): boolean {
  const kept = before.questions.filter((was) => {
    const is = after.questions.find(({ id }) => id === was.id)
    return is !== undefined && part(was) === part(is)
  })
  return kept.length * 2 > before.questions.length
}

const answerPrint = ({ criteria }: Question) =>
  JSON.stringify(criteria.map(({ expected, alternatives }) => [expected, alternatives]))

const printPoints = ({ criteria }: Question) => JSON.stringify(criteria.map(({ points }) => points))

const keyProblemId = (number: string) => `key_unmatched/${number.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')}`

export const unmatchedKeyAnswer = (number: string): RubricProblem => ({
  id: keyProblemId(number),
  code: 'key_unmatched',
  message: `The key has an answer for ${number}, which is no question of the blank.`,
  points: 0,
})

const toldProblems = (rubric: ReadRubric): RubricProblem[] => [
  ...numberProblems(rubric.questions),
  ...totalProblems(rubric),
  ...rubric.questions.flatMap(toldOfQuestion),
]

function totalProblems({ questions, printed_totals = [] }: ReadRubric): RubricProblem[] {
  return printed_totals.flatMap(({ number, points, question_ids }) => {
    const own = number === null ? questions : questions.filter(({ id }) => question_ids.includes(id))
    const sum = totalPoints({ questions: own })
    // Guessed shares are rounded to a hundredth each.
    if (own.length === 0 || Math.abs(sum - points) <= 0.01 * own.length) return []
    return [
      {
        id: `points_total/${number ?? ''}/${points}/${sum}`,
        code: 'points_total' as const,
        message:
          number === null
            ? `The paper says ${points} points, the questions add up to ${sum}.`
            : `${number.startsWith('Section ') ? number : `Question ${number}`}: the paper says ${points} points, its parts add up to ${sum}.`,
        points: roundPoints(Math.abs(sum - points)),
      },
    ]
  })
}

function toldOfQuestion(question: Question): RubricProblem[] {
  const { kind, printed_points, regions } = question
  const found: RubricProblem[] = []
  const tell = (code: ProblemCode, what: string) => found.push(questionProblem(code, question, what))
  const points = questionPoints(question)
  if (printed_points !== undefined && Math.abs(printed_points - points) > 0.01)
    tell('question_points', `: the paper says ${printed_points} points, its criteria add up to ${points}.`)
  if (kind === 'drawing') tell('by_hand', ' asks for a drawing. Without an AI model, you must grade it yourself.')
  else if (kind === 'essay')
    tell('by_hand', ' asks for an essay or a proof. Without an AI model, you must grade it yourself.')
  else if (question.criteria.every(({ expected }) => expected.trim() === '')) tell('no_answer', NO_ANSWER)
  else {
    const doubt = doubtOfKind(question)
    if (doubt) tell('kind_doubtful', doubt)
  }
  if (regions.length === 0) tell('no_region', ': its answer area was not found on the blank.')
  return found
}

const NO_ANSWER = ': there is no expected answer.'
const ASKS_FOR_DRAWING = /^\W*(?:draw|sketch|plot|graph|shade)\b/i
export const NAMES_NUMBER = /[\d½¼¾π√∞]|\b(?:zero|none|one|two|three|four|five|six|seven|eight|nine|ten|half|twice)\b/i
const TRUE_OR_FALSE = /^\W*(?:t|f|true|false|yes|no|y|n|right|wrong|correct|incorrect)\b/i

function doubtOfKind({ kind, prompt, criteria }: Question): string | null {
  const expected = criteria.flatMap((criterion) => criterion.expected.trim() || [])
  if (kind === 'text' && ASKS_FOR_DRAWING.test(prompt))
    return ' also asks for a drawing, which you must grade yourself.'
  if (kind === 'number' && !expected.some((answer) => NAMES_NUMBER.test(answer)))
    return ' is judged as a number, but its expected answer has none.'
  if (kind === 'true_false' && !expected.some((answer) => TRUE_OR_FALSE.test(answer)))
    return ' is judged as true or false, but its expected answer is neither.'
  return null
}

/** By importance, then as they came; each once. */
function inOrder(problems: readonly RubricProblem[]): RubricProblem[] {
  const byId = new Map(problems.map((problem) => [problem.id, problem]))
  const rank = (problem: RubricProblem) => ProblemCode.options.indexOf(problem.code)
  return [...byId.values()].sort((a, b) => rank(a) - rank(b))
}
