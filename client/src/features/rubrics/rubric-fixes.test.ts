import type { Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { withProblems, withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { describe, expect, it } from 'vitest'
import { buildRubric } from '../../testing/build-rubric.ts'
import {
  addRegion,
  closeGap,
  dismiss,
  gapOf,
  insertQuestion,
  mergeWithPrevious,
  setExpected,
  setPoints,
  splitQuestion,
  withoutNumber,
} from './rubric-fixes.ts'

const region = { page: 1, box: { x: 1, y: 2, width: 3, height: 4 } }
const rubric: Rubric = {
  ...buildRubric(),
  questions: buildRubric().questions.map((question) => ({ ...question, regions: [region] })),
}
const [first, second] = rubric.questions
if (!first || !second) throw new Error('two questions')
const numbers = ({ questions }: Rubric) => questions.map(({ number }) => number)
const problemsOf = (one: Rubric) => withProblems(one, []).problems

describe('a number that is missing', () => {
  const gapped = { ...rubric, questions: [first, { ...second, number: '3' }] }
  const [problem] = problemsOf(gapped)
  const gap = problem && gapOf(gapped, problem)
  if (!gap) throw new Error('a gap')

  it('is closed by renumbering, or filled with a question before the one that jumps', () => {
    expect(numbers(closeGap(gapped, gap))).toEqual(['1', '2'])
    const filled = insertQuestion(gapped, gap.missing, gap.at)
    expect(numbers(filled)).toEqual(['1', '2', '3'])
    expect(problemsOf(filled).map(({ code }) => code)).not.toContain('number_missing')
  })

  it('is split off the question before, whose text it ends', () => {
    const long = { ...gapped, questions: [{ ...first, prompt: 'One?\nTwo?\nA. x' }, ...gapped.questions.slice(1)] }
    const split = splitQuestion(long, first.id, 1, '2')
    expect(split.questions.map(({ number, prompt }) => [number, prompt])).toEqual([
      ['1', 'One?'],
      ['2', 'Two?\nA. x'],
      ['3', second.prompt],
    ])
    expect(split.questions[1]?.criteria[0]?.text).toBe('Two?')
  })
})

it('merges a question with the one before it', () => {
  const merged = mergeWithPrevious(rubric, second.id)
  expect(merged.questions).toMatchObject([
    {
      id: 'q1',
      number: '1',
      prompt: `${first.prompt}\n${second.prompt}`,
      printed_points: 15,
      criteria: [{ id: 'q1' }, { id: 'q2' }],
      regions: [region, region],
    },
  ])
  expect(mergeWithPrevious(rubric, first.id)).toEqual(rubric)
})

it('sets the points of a question in the shares its criteria have, levels along with them', () => {
  const [criterion] = first.criteria
  if (!criterion) throw new Error('a criterion')
  const levels = [
    { points: 2, text: 'all' },
    { points: 1, text: 'half' },
  ]
  const criteria = [
    { ...criterion, points: 1 },
    { ...criterion, id: 'b', points: 2, levels },
  ]
  const [scaled] = setPoints({ ...rubric, questions: [{ ...first, criteria }] }, first.id, 10).questions
  expect(scaled?.criteria).toMatchObject([
    { points: 3.33 },
    { points: 6.67, levels: [{ points: 6.67 }, { points: 3.34 }] },
  ])
  expect(scaled && questionPoints(scaled)).toBe(10)
})

it('draws an area in place of the one that was found, and beside another that was drawn', () => {
  const once = addRegion(rubric, first.id, { ...region, page: 2 })
  expect(once.questions[0]?.regions).toEqual([{ ...region, page: 2, drawn: true }])
  expect(addRegion(once, first.id, region).questions[0]?.regions).toHaveLength(2)
})

it('gives the answer to the criterion that has none, or to the one that is named', () => {
  const criteria = [...first.criteria, ...first.criteria.map((one) => ({ ...one, id: 'b', expected: '' }))]
  const open = { ...rubric, questions: [{ ...first, criteria }] }
  const expected = (one: Rubric) => one.questions[0]?.criteria.map((criterion) => criterion.expected)
  expect(expected(setExpected(open, first.id, 'new'))).toEqual(['Its molecules form a lattice.', 'new'])
  expect(expected(setExpected(open, first.id, 'new', 'q1'))).toEqual(['new', ''])
})

it('dismisses a problem until it is opened again', () => {
  const bare = { ...rubric, questions: [{ ...first, regions: [] }] }
  const [problem] = problemsOf(bare)
  if (!problem) throw new Error('a problem')
  const fine = dismiss(bare, [problem], problem.id, true)
  expect(withProblemsAfterEdit(bare, fine).problems).toEqual([{ ...problem, dismissed: true }])
  expect(dismiss(bare, fine.problems, problem.id, false).problems).toEqual([problem])
})

describe('what was framed of the key', () => {
  it('loses the question’s own number, and nothing that may be the answer', () => {
    const cases = [
      ['2. steam', '2', 'steam'],
      ['Q2) steam', '2', 'steam'],
      ['2 b evaporation', '2 b', 'evaporation'],
      ['2(b) evaporation', '2 b', 'evaporation'],
      ['b) evaporation', '2 b', 'evaporation'],
      ['2 cm', '2', '2 cm'],
      ['2.5 cm', '2', '2.5 cm'],
      ['a force', '1 a', 'a force'],
      ['2.', '2', '2.'],
    ] as const
    expect(cases.map(([text, number]) => withoutNumber(text, number))).toEqual(cases.map(([, , rest]) => rest))
  })
})
