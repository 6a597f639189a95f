import { describe, expect, it } from 'vitest'
import { findConcerns, scoreTrend } from './student-progress.ts'

describe('the trend of a student’s grades', () => {
  it('is none before there are two', () => {
    expect([scoreTrend([]), scoreTrend([90])]).toEqual([null, null])
  })

  it('weighs the later half against the earlier one, five points either way', () => {
    expect(scoreTrend([70, 75])).toBe('improving')
    expect(scoreTrend([70, 74.9])).toBe('stable')
    expect(scoreTrend([75, 70])).toBe('declining')
    expect(scoreTrend([60, 80, 90, 70])).toBe('improving')
  })

  it('leaves the one in the middle of an odd number out', () => {
    expect(scoreTrend([70, 0, 72])).toBe('stable')
  })
})

describe('who may need help', () => {
  const fine = { average: 80, trend: 'stable', marked: 4, completed: 4 } as const

  it('is nobody who does well', () => {
    expect(findConcerns(fine)).toEqual([])
    expect(findConcerns({ average: null, trend: null, marked: 0, completed: 0 })).toEqual([])
  })

  it('is who would fail', () => {
    expect(findConcerns({ ...fine, average: 64.9 })).toEqual(['low_average'])
    expect(findConcerns({ ...fine, average: 65 })).toEqual([])
  })

  it('is who misses two or more, and more than two in five, of what is marked', () => {
    expect(findConcerns({ ...fine, marked: 5, completed: 3 })).toEqual([])
    expect(findConcerns({ ...fine, marked: 4, completed: 2 })).toEqual(['missing_work'])
    expect(findConcerns({ average: null, trend: null, marked: 1, completed: 0 })).toEqual([])
    expect(findConcerns({ average: null, trend: null, marked: 2, completed: 0 })).toEqual(['missing_work'])
  })

  it('is who is falling and weak already', () => {
    expect(findConcerns({ ...fine, average: 69.9, trend: 'declining' })).toEqual(['falling'])
    expect(findConcerns({ ...fine, average: 70, trend: 'declining' })).toEqual([])
    expect(findConcerns({ ...fine, average: 60, trend: 'declining' })).toEqual(['low_average', 'falling'])
  })
})
