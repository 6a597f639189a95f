import { expect, it } from 'vitest'
import { finalPoints } from './criterion-points.ts'

const criterion = (criterion_id: string, score: number | null, max_score: number) => ({
  criterion_id,
  score,
  max_score,
})
const criteria = [criterion('a', 3, 5), criterion('b', null, 10), criterion('c', 0.1, 0.2)]

it('counts points of what has a score: the teacher’s, else the AI’s', () => {
  expect(finalPoints(criteria)).toEqual({ given: 3.1, of: 5.2 })
  expect(finalPoints(criteria, { a: 5, b: 4 })).toEqual({ given: 9.1, of: 15.2 })
})

it('takes a score for the whole paper of all points', () => {
  expect(finalPoints(criteria, { a: 5 }, 50)).toEqual({ given: 7.6, of: 15.2 })
})

it('counts what a bonus criterion gives, and not what it could', () => {
  const bonus = { ...criterion('d', 2, 3), bonus: true as const }
  expect(finalPoints([...criteria, bonus])).toEqual({ given: 5.1, of: 5.2 })
})

it('has none where nothing is scored', () => {
  expect(finalPoints([criterion('b', null, 10)])).toBeNull()
  expect(finalPoints([])).toBeNull()
})
