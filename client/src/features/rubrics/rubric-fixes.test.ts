import type { Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { expect, it } from 'vitest'
import { buildRubric } from '../../testing/build-rubric.ts'
import { addRegion, setExpected, setPoints, withoutNumber } from './rubric-fixes.ts'

const region = { page: 1, box: { x: 1, y: 2, width: 3, height: 4 } }
const rubric: Rubric = {
  ...buildRubric(),
  questions: buildRubric().questions.map((question) => ({ ...question, regions: [region] })),
}
const [first, second] = rubric.questions
if (!first || !second) throw new Error('two questions')

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

it('what was framed of the key loses the question’s own number, and nothing that may be the answer', () => {
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
