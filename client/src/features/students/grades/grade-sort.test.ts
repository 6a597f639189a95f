import type { RecentGrade } from '@assay/shared/students.ts'
import { describe, expect, it } from 'vitest'
import { nextGradeOrder, sortGrades } from './grade-sort.ts'

const grade = (part: Partial<RecentGrade>): RecentGrade => ({
  assignment_id: 1,
  assignment_title: 'Quiz 1',
  course_id: 1,
  course_name: 'Physics',
  overall_score: 80,
  points: { given: 32, of: 40 },
  grade_feedback: '',
  graded_at: '2026-01-12T14:02:00Z',
  ...part,
})

describe('sorting grades', () => {
  it('takes numbers in names as numbers', () => {
    const grades = ['Quiz 10', 'quiz 2', 'Quiz 1'].map((assignment_title) => grade({ assignment_title }))
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
