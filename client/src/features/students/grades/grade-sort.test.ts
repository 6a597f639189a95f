import { describe, expect, it } from 'vitest'
import { buildRecentGrade } from '../../../testing/build-student-work.ts'
import { nextGradeOrder, sortGrades } from './grade-sort.ts'

describe('sorting grades', () => {
  it('takes numbers in names as numbers', () => {
    const grades = ['Quiz 10', 'quiz 2', 'Quiz 1'].map((assignment_title) => buildRecentGrade({ assignment_title }))
    const sorted = sortGrades(grades, { column: 'assignment_title', direction: 'ascending' })
    expect(sorted.map((one) => one.assignment_title)).toEqual(['Quiz 1', 'quiz 2', 'Quiz 10'])
  })

  it('turns the column in force round, and begins another at its own end', () => {
    const byDate = { column: 'graded_at', direction: 'descending' } as const
    expect(nextGradeOrder('graded_at', byDate)).toEqual({ column: 'graded_at', direction: 'ascending' })
    expect(nextGradeOrder('overall_score', byDate)).toEqual({ column: 'overall_score', direction: 'descending' })
    expect(nextGradeOrder('course_name', byDate)).toEqual({ column: 'course_name', direction: 'ascending' })
  })
})
