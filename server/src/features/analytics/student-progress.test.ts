import { describe, expect, it } from 'vitest'
import { findConcerns, scoreTrend } from './analytics.routes.ts'

describe('the trend of a student’s grades', () => {
  it('is null before there are two', () => {
    expect([scoreTrend([]), scoreTrend([90])]).toEqual([null, null])
  })

  it('compares the later half with the earlier one, with a threshold of five points', () => {
    expect(scoreTrend([70, 75])).toBe('improving')
    expect(scoreTrend([70, 74.9])).toBe('stable')
    expect(scoreTrend([75, 70])).toBe('declining')
    expect(scoreTrend([60, 80, 90, 70])).toBe('improving')
  })

  it('leaves out the middle one of an odd number', () => {
    expect(scoreTrend([70, 0, 72])).toBe('stable')
  })
})

describe('concerns', () => {
  const fine = { average: 80, trend: 'stable', graded: 4, completed: 4 } as const

  it('are none for a student who does well', () => {
    expect(findConcerns(fine)).toEqual([])
    expect(findConcerns({ average: null, trend: null, graded: 0, completed: 0 })).toEqual([])
  })

  it('name a student who would fail', () => {
    expect(findConcerns({ ...fine, average: 64.9 })).toEqual(['low_average'])
    expect(findConcerns({ ...fine, average: 65 })).toEqual([])
    expect(findConcerns({ average: 40, trend: null, graded: 1, completed: 1 })).toEqual([])
  })

  it('name missing work from two papers and two in five of what is graded', () => {
    expect(findConcerns({ ...fine, graded: 5, completed: 3 })).toEqual([])
    expect(findConcerns({ ...fine, graded: 4, completed: 2 })).toEqual(['missing_work'])
    expect(findConcerns({ average: null, trend: null, graded: 1, completed: 0 })).toEqual([])
    expect(findConcerns({ average: null, trend: null, graded: 2, completed: 0 })).toEqual(['missing_work'])
  })

  it('name a declining student who is already weak', () => {
    expect(findConcerns({ ...fine, average: 69.9, trend: 'declining' })).toEqual(['falling'])
    expect(findConcerns({ ...fine, average: 70, trend: 'declining' })).toEqual([])
    expect(findConcerns({ ...fine, average: 60, trend: 'declining' })).toEqual(['low_average', 'falling'])
  })
})
