import { expect, it } from 'vitest'
import { tenthOf } from '../../lib/numbers.ts'
import { newestReleases } from './grade-statistics.ts'

const at = (day: number) => new Date(Date.UTC(2026, 8, day))

it('counts a student’s newest grade (of two released at once the later paper’s) and every unmatched paper', () => {
  const releases = [
    { _id: 1, student_id: 7, released_at: at(1) },
    { _id: 2, student_id: 7, released_at: at(3) },
    { _id: 3, student_id: 7, released_at: at(2) },
    { _id: 5, student_id: 8, released_at: at(1) },
    { _id: 4, student_id: 8, released_at: at(1) },
    { _id: 6, student_id: null, released_at: at(1) },
    { _id: 9, student_id: null, released_at: at(1) },
  ]
  expect(newestReleases(releases).map(({ _id }) => _id)).toEqual([2, 5, 6, 9])
})

it('puts a score into its tenth, and 100 with the nineties', () => {
  expect([0, 9.9, 10, 59.9, 60, 89.95, 90, 100].map(tenthOf)).toEqual([0, 0, 1, 5, 6, 8, 9, 9])
})
