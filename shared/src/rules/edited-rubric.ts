import { z } from 'zod'
import { AnswerRegion, Criterion, KeyedVersion, PrintedTotal, Question, Rubric, RubricProblem } from '../rubrics.ts'
import { EnteredPoints, roundPoints, sumPoints } from './points.ts'

/** More than any exam has, and little to store, send and render. */
const RUBRIC_LIMITS = {
  questions: 200,
  criteria: 20,
  alternatives: 30,
  levels: 10,
  points: 1000,
  number: 40,
  prompt: 20_000,
  answer: 20_000,
  line: 2000,
  notes: 4000,
  problems: 2000,
} as const

/** Files and pasted text may have them unseen. Line breaks and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const boundedText = (what: string, max: number) =>
  z
    .string({ error: `${what} must be text` })
    .max(max, `${what} must not exceed ${max} characters`)
    .overwrite((text) => text.replace(CONTROL_CHARACTERS, ''))

const requiredText = (what: string, max: number) =>
  boundedText(what, max).refine((text) => text.trim() !== '', `${what} must not be empty`)

const rubricId = z
  .string({ error: 'An id is required' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, 'An id may contain letters, digits, dots, dashes and underscores')

const Points = z
  .number({ error: 'Enter points as a number' })
  .overwrite(roundPoints)
  .positive('Points must be more than 0')
  .max(RUBRIC_LIMITS.points, `At most ${RUBRIC_LIMITS.points} points`)

const list = <T extends z.ZodType>(of: T, max: number, what: string) =>
  z.array(of, { error: `${what} must be a list` }).max(max, `At most ${max} ${what}`)

const EditedCriterion = Criterion.extend({
  id: rubricId,
  text: requiredText('What is looked for', RUBRIC_LIMITS.line),
  points: Points,
  expected: boundedText('The expected answer', RUBRIC_LIMITS.answer),
  alternatives: list(
    requiredText('An accepted answer', RUBRIC_LIMITS.answer),
    RUBRIC_LIMITS.alternatives,
    'accepted answers',
  ),
  levels: list(
    z.object({ points: EnteredPoints, text: requiredText('What a level asks for', RUBRIC_LIMITS.line) }),
    RUBRIC_LIMITS.levels,
    'levels',
  ).optional(),
})

const Coordinate = z.number({ error: 'Enter a number' })

/** A person's has a size; the reader's is as it is. */
const EditedRegion = AnswerRegion.extend({
  page: z.number({ error: 'Enter a number' }).int('Enter a whole number').positive('At least 1'),
  box: z.object({ x: Coordinate, y: Coordinate, width: Coordinate, height: Coordinate }),
}).superRefine(({ box, drawn }, context) => {
  for (const side of ['width', 'height'] as const)
    if (drawn && !(box[side] > 0)) context.addIssue({ code: 'custom', path: ['box', side], message: 'At least 1' })
})

export const EditedQuestion = Question.extend({
  id: rubricId,
  number: requiredText('The number', RUBRIC_LIMITS.number),
  prompt: boundedText('The question', RUBRIC_LIMITS.prompt),
  criteria: list(EditedCriterion, RUBRIC_LIMITS.criteria, 'criteria').min(
    1,
    'A question must have at least one criterion',
  ),
  notes: boundedText('Notes', RUBRIC_LIMITS.notes).optional(),
  version_keys: z.partialRecord(KeyedVersion, requiredText('A version’s key', RUBRIC_LIMITS.number)).optional(),
  regions: z.array(EditedRegion).max(50),
  key_regions: z.array(EditedRegion).max(50).optional(),
})

type AddIssue = (path: PropertyKey[], message: string) => void

function refuseDuplicateIds(questions: Question[], refuse: AddIssue): void {
  const seen = { questions: new Set<string>(), criteria: new Set<string>() }
  questions.forEach((question, i) => {
    if (seen.questions.has(question.id)) refuse(['questions', i, 'id'], `Two questions have the id ${question.id}`)
    seen.questions.add(question.id)
    question.criteria.forEach((criterion, j) => {
      if (seen.criteria.has(criterion.id))
        refuse(['questions', i, 'criteria', j, 'id'], `Two criteria have the id ${criterion.id}`)
      seen.criteria.add(criterion.id)
    })
  })
}

function refuseLevels({ levels = [], points }: Criterion, path: PropertyKey[], refuse: AddIssue): void {
  levels.forEach((level, i) => {
    const before = levels[i - 1]
    const at = [...path, 'levels', i, 'points']
    if (level.points > points) refuse(at, `A level can earn at most the criterion’s ${points} points`)
    else if (before && level.points >= before.points) refuse(at, 'Each level must have fewer points than the one above')
  })
}

/** The body of `PUT`, the content of a file, and the editor's validation. */
export const EditedRubric = Rubric.extend({
  questions: list(EditedQuestion, RUBRIC_LIMITS.questions, 'questions').min(
    1,
    'A rubric must have at least one question',
  ),
  problems: list(
    RubricProblem.extend({
      id: boundedText('A problem’s id', RUBRIC_LIMITS.line + 50),
      message: boundedText('A problem', RUBRIC_LIMITS.line),
    }),
    RUBRIC_LIMITS.problems,
    'problems',
  ).default([]),
  printed_totals: list(
    PrintedTotal.extend({ question_ids: z.array(rubricId).max(RUBRIC_LIMITS.questions) }),
    RUBRIC_LIMITS.questions,
    'printed totals',
  ).optional(),
}).superRefine(({ questions }, context) => {
  const refuse: AddIssue = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
  refuseDuplicateIds(questions, refuse)
  questions.forEach((question, i) => {
    question.criteria.forEach((criterion, j) => {
      refuseLevels(criterion, ['questions', i, 'criteria', j], refuse)
    })
  })
})

export function answerAreaErrors({ questions }: Pick<Rubric, 'questions'>, pages: number | null) {
  if (pages === null) return []
  return questions.flatMap(({ regions }, i) =>
    regions.flatMap(({ page, drawn }, j) =>
      drawn && page > pages
        ? [
            {
              path: ['questions', i, 'regions', j, 'page'],
              message: pages === 1 ? 'The blank has 1 page' : `The blank has ${pages} pages`,
            },
          ]
        : [],
    ),
  )
}

export interface PointsOnly {
  questions: (Pick<Question, 'bonus'> & { criteria: Pick<Criterion, 'points'>[] })[]
}

export const questionPoints = ({ criteria }: PointsOnly['questions'][number]) =>
  sumPoints(criteria.map(({ points }) => (Number.isFinite(points) ? points : 0)))

/** Without bonus questions, which come on top. */
export const totalPoints = ({ questions }: PointsOnly) =>
  sumPoints(questions.map((question) => (question.bonus ? 0 : questionPoints(question))))

export const bonusPoints = ({ questions }: PointsOnly) =>
  sumPoints(questions.map((question) => (question.bonus ? questionPoints(question) : 0)))
