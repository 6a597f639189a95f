import type { AnswerRegion, Criterion, Question, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { type NumberGap, numberGaps, numberLevels, numbersWithoutGap } from '@assay/shared/rules/question-numbers.ts'
import { newQuestion } from './rubric-draft.ts'

const changeQuestion = (rubric: Rubric, id: string, change: (question: Question) => Question): Rubric => ({
  ...rubric,
  questions: rubric.questions.map((question) => (question.id === id ? change(question) : question)),
})

export const gapOf = (rubric: Rubric, { id }: RubricProblem): NumberGap | undefined =>
  numberGaps(rubric.questions).find(({ missing, at }) => id === `number_missing/${missing}/${at.id}`)

export function closeGap(rubric: Rubric, gap: NumberGap): Rubric {
  const numbers = numbersWithoutGap(rubric.questions, gap)
  const questions = rubric.questions.map((question, i) => ({ ...question, number: numbers[i] ?? question.number }))
  return { ...rubric, questions }
}

export function insertQuestion(rubric: Rubric, number: string, before: Question | null): Rubric {
  const at = before ? rubric.questions.indexOf(before) : rubric.questions.length
  const question = newQuestion(rubric, number)
  const criteria = question.criteria.map((criterion) => ({ ...criterion, text: `Question ${number}` }))
  return { ...rubric, questions: rubric.questions.toSpliced(at, 0, { ...question, criteria }) }
}

const isAnswered = ({ criteria }: Question) =>
  criteria.length > 1 || criteria.some(({ expected, levels = [] }) => expected.trim() !== '' || levels.length > 0)

/** One question with the first one's id and number, and the points of all. */
export function joinQuestions(rubric: Rubric, ids: readonly string[]): Rubric {
  const own = rubric.questions.filter(({ id }) => ids.includes(id))
  const [first] = own
  if (!first) return rubric
  // Lines taken for questions have one empty criterion each.
  const answered = own.filter(isAnswered)
  const { printed_points: _, notes: __, ...main } = answered[0] ?? first
  const criteria = answered.length > 0 ? answered.flatMap((one) => one.criteria) : first.criteria
  const printed = own.reduce((sum, { printed_points = 0 }) => sum + printed_points, 0)
  const notes = own.flatMap((one) => one.notes || []).join('\n')
  const joined: Question = {
    ...main,
    id: first.id,
    number: first.number,
    prompt: own.flatMap(({ prompt }) => prompt || []).join('\n'),
    kind: answered.every(({ kind }) => kind === main.kind) ? main.kind : 'text',
    criteria: scaled({ criteria }, totalPoints({ questions: own })),
    regions: own.flatMap(({ regions }) => regions),
    key_regions: own.flatMap(({ key_regions = [] }) => key_regions),
    ...(printed > 0 ? { printed_points: printed } : {}),
    ...(notes ? { notes } : {}),
  }
  const rest = rubric.questions.filter((one) => one === first || !own.includes(one))
  return { ...rubric, questions: rest.with(rest.indexOf(first), joined) }
}

/** Criteria keep their shares of the points. */
export function setPoints(rubric: Rubric, id: string, points: number): Rubric {
  return changeQuestion(rubric, id, (question) => ({ ...question, criteria: scaled(question, points) }))
}

function scaled(question: Pick<Question, 'criteria'>, points: number): Criterion[] {
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

/** Replaces areas that the reader found, but not drawn ones. */
export const addRegion = (rubric: Rubric, id: string, region: Omit<AnswerRegion, 'drawn'>): Rubric =>
  changeQuestion(rubric, id, (question) => ({
    ...question,
    regions: [...question.regions.filter(({ drawn }) => drawn), { ...region, drawn: true }],
  }))

export const criterionForKey = ({ criteria }: Question): Criterion | undefined =>
  criteria.find(({ expected }) => expected.trim() === '') ?? criteria[0]

export const setExpected = (rubric: Rubric, id: string, expected: string, criterionId?: string): Rubric =>
  changeQuestion(rubric, id, (question) => withAnswer(question, { expected }, criterionId))

/** Criteria and accepted answers were read with the old one, and would still earn points. */
export const setAnswer = (rubric: Rubric, id: string, expected: string): Rubric =>
  changeQuestion(rubric, id, (question) => {
    const only = criterionForKey(question)
    const points = questionPoints(question)
    return only ? { ...question, criteria: [{ ...only, points, expected, alternatives: [] }] } : question
  })

export const setKeyRegion = (rubric: Rubric, id: string, region: AnswerRegion): Rubric =>
  changeQuestion(rubric, id, (question) => ({ ...question, key_regions: [region] }))

function withAnswer(question: Question, answer: Partial<Criterion>, id = criterionForKey(question)?.id): Question {
  const criteria = question.criteria.map((criterion) => (criterion.id === id ? { ...criterion, ...answer } : criterion))
  return { ...question, criteria }
}

/** “2 b) evaporation”, “2. steam”. “2 cm” may be the answer itself. */
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
export function dismiss(rubric: Rubric, all: RubricProblem[], chosen: RubricProblem[], dismissed: boolean): Rubric {
  const ids = new Set(chosen.map(({ id }) => id))
  const problems = all.map((problem): RubricProblem => {
    if (!ids.has(problem.id)) return problem
    const { dismissed: _, ...rest } = problem
    return dismissed ? { ...rest, dismissed: true } : rest
  })
  return { ...rubric, problems }
}
