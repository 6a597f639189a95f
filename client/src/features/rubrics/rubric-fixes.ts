import type { AnswerRegion, Criterion, Question, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { type NumberGap, numberGaps, numberLevels, numbersWithoutGap } from '@assay/shared/rules/question-numbers.ts'
import { newQuestion } from './rubric-draft.ts'

const withQuestions = (rubric: Rubric, questions: Question[]): Rubric => ({ ...rubric, questions })

const changeQuestion = (rubric: Rubric, id: string, change: (question: Question) => Question): Rubric =>
  withQuestions(
    rubric,
    rubric.questions.map((question) => (question.id === id ? change(question) : question)),
  )

/** The gap that a problem with the numbers speaks of. */
export const gapOf = (rubric: Rubric, { id }: RubricProblem): NumberGap | undefined =>
  numberGaps(rubric.questions).find(({ missing, at }) => id === `number_missing/${missing}/${at.id}`)

export function closeGap(rubric: Rubric, gap: NumberGap): Rubric {
  const numbers = numbersWithoutGap(rubric.questions, gap)
  return withQuestions(
    rubric,
    rubric.questions.map((question, i) => ({ ...question, number: numbers[i] ?? question.number })),
  )
}

/** `before`: null for the last place. */
export function insertQuestion(rubric: Rubric, number: string, before: Question | null): Rubric {
  const at = before ? rubric.questions.indexOf(before) : rubric.questions.length
  const question = newQuestion(rubric, number)
  const criteria = question.criteria.map((criterion) => ({ ...criterion, text: `Question ${number}` }))
  return withQuestions(rubric, rubric.questions.toSpliced(at, 0, { ...question, criteria }))
}

/** A question and the one before it become one, which keeps the name and number of the first. */
export function mergeWithPrevious(rubric: Rubric, id: string): Rubric {
  const at = rubric.questions.findIndex((question) => question.id === id)
  const [first, second] = [rubric.questions[at - 1], rubric.questions[at]]
  if (!first || !second) return rubric
  const { printed_points: _, notes: __, ...rest } = first
  const printed = (first.printed_points ?? 0) + (second.printed_points ?? 0)
  const notes = [first.notes, second.notes].filter(Boolean).join('\n')
  const merged: Question = {
    ...rest,
    prompt: [first.prompt, second.prompt].filter(Boolean).join('\n'),
    kind: first.kind === second.kind ? first.kind : 'text',
    criteria: [...first.criteria, ...second.criteria],
    regions: [...first.regions, ...second.regions],
    key_regions: [...(first.key_regions ?? []), ...(second.key_regions ?? [])],
    ...(printed > 0 ? { printed_points: printed } : {}),
    ...(notes ? { notes } : {}),
  }
  return withQuestions(rubric, rubric.questions.toSpliced(at - 1, 2, merged))
}

export function splitQuestion(rubric: Rubric, id: string, line: number, number: string): Rubric {
  const at = rubric.questions.findIndex((question) => question.id === id)
  const question = rubric.questions[at]
  if (!question) return rubric
  const lines = question.prompt.split('\n')
  const second = { ...newQuestion(rubric, number), prompt: lines.slice(line).join('\n') }
  const title = lines[line]?.slice(0, 200) ?? ''
  return withQuestions(
    rubric,
    rubric.questions.toSpliced(
      at,
      1,
      { ...question, prompt: lines.slice(0, line).join('\n') },
      { ...second, criteria: second.criteria.map((criterion) => ({ ...criterion, text: title })) },
    ),
  )
}

/** The question is worth so many points: its criteria keep their shares. */
export function setPoints(rubric: Rubric, id: string, points: number): Rubric {
  return changeQuestion(rubric, id, (question) => ({ ...question, criteria: scaled(question, points) }))
}

function scaled(question: Question, points: number): Criterion[] {
  const now = questionPoints(question)
  const [only, ...others] = question.criteria
  // What is being typed is no number yet.
  if (!(points > 0 && now > 0)) return only && others.length === 0 ? [{ ...only, points }] : question.criteria
  let left = points
  return question.criteria.map((criterion, i) => {
    const last = i === question.criteria.length - 1
    const own = last ? roundPoints(left) : roundPoints((criterion.points / now) * points)
    left -= own
    const share = own / criterion.points
    const { levels } = criterion
    return {
      ...criterion,
      points: own,
      ...(levels ? { levels: levels.map((level) => ({ ...level, points: roundPoints(level.points * share) })) } : {}),
    }
  })
}

export const setKind = (rubric: Rubric, id: string, kind: Question['kind']): Rubric =>
  changeQuestion(rubric, id, (question) => ({ ...question, kind }))

/** Takes the place of what the reader found; beside others that were drawn. */
export const addRegion = (rubric: Rubric, id: string, region: Omit<AnswerRegion, 'drawn'>): Rubric =>
  changeQuestion(rubric, id, (question) => ({
    ...question,
    regions: [...question.regions.filter(({ drawn }) => drawn), { ...region, drawn: true }],
  }))

/** Which criterion an answer of the key belongs to: the first without one. */
export const criterionForKey = ({ criteria }: Question): Criterion | undefined =>
  criteria.find(({ expected }) => expected.trim() === '') ?? criteria[0]

/** What a criterion expects; the first without an answer, unless one is named. */
export const setExpected = (rubric: Rubric, id: string, expected: string, criterionId?: string): Rubric =>
  changeQuestion(rubric, id, (question) => withAnswer(question, { expected }, criterionId))

/** The only answer: criteria and accepted answers were read with the old one, and would still earn points. */
export const setAnswer = (rubric: Rubric, id: string, expected: string): Rubric =>
  changeQuestion(rubric, id, (question) => {
    const only = criterionForKey(question)
    const points = questionPoints(question)
    return only ? { ...question, criteria: [{ ...only, points, expected, alternatives: [] }] } : question
  })

/** Where in the key a person found the answer. */
export const setKeyRegion = (rubric: Rubric, id: string, region: AnswerRegion): Rubric =>
  changeQuestion(rubric, id, (question) => ({ ...question, key_regions: [region] }))

function withAnswer(question: Question, answer: Partial<Criterion>, id = criterionForKey(question)?.id): Question {
  const criteria = question.criteria.map((criterion) => (criterion.id === id ? { ...criterion, ...answer } : criterion))
  return { ...question, criteria }
}

/** Without the question’s own number: “2 b) evaporation”, “2. steam”. “2 cm” may be the answer itself. */
export function withoutNumber(text: string, number: string): string {
  const { levels } = numberLevels(number)
  const whole = levels.join(String.raw`[\s.()]*`)
  const last = levels.at(-1) ?? ''
  if (last === '') return text
  const close = levels.length > 1 ? String.raw`(?:\s*[.):]\s+|\)?\s+)` : String.raw`\s*[.):]\s+`
  const label = String.raw`^\W*(?:q(?:uestion)?\.?\s*)?(?:${whole}${close}|\(?${last}\s*[.)]\s+)(?=\S)`
  return text.replace(new RegExp(label, 'i'), '')
}

/** “It’s fine”, or not after all. */
export function dismiss(
  rubric: Rubric,
  problems: readonly RubricProblem[],
  ids: readonly string[],
  dismissed: boolean,
): Rubric {
  return {
    ...rubric,
    problems: problems.map((problem) => {
      if (!ids.includes(problem.id)) return problem
      const { dismissed: _, ...rest } = problem
      return dismissed ? { ...rest, dismissed: true } : rest
    }),
  }
}
