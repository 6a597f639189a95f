import { describe, expect, it } from 'vitest'
import { concernsOf, trendOf } from './student-progress.ts'

describe('the trend of a student’s grades', () => {
  it('is none before there are two', () => {
    expect([trendOf([]), trendOf([90])]).toEqual([null, null])
  })

  it('weighs the later half against the earlier one, five points either way', () => {
    expect(trendOf([70, 75])).toBe('improving')
    expect(trendOf([70, 74.9])).toBe('stable')
    expect(trendOf([75, 70])).toBe('declining')
    expect(trendOf([60, 80, 90, 70])).toBe('improving')
  })

  it('leaves the one in the middle of an odd number out', () => {
    expect(trendOf([70, 0, 72])).toBe('stable')
  })
})

describe('who may need help', () => {
  const fine = { average: 80, trend: 'stable', marked: 4, completed: 4 } as const

  it('is nobody who does well', () => {
    expect(concernsOf(fine)).toEqual([])
    expect(concernsOf({ average: null, trend: null, marked: 0, completed: 0 })).toEqual([])
  })

  it('is who would fail', () => {
    expect(concernsOf({ ...fine, average: 64.9 })).toEqual(['low_average'])
    expect(concernsOf({ ...fine, average: 65 })).toEqual([])
  })

  it('is who misses two or more, and more than two in five, of what is marked', () => {
    expect(concernsOf({ ...fine, marked: 5, completed: 3 })).toEqual([])
    expect(concernsOf({ ...fine, marked: 4, completed: 2 })).toEqual(['missing_work'])
    expect(concernsOf({ average: null, trend: null, marked: 1, completed: 0 })).toEqual([])
    expect(concernsOf({ average: null, trend: null, marked: 2, completed: 0 })).toEqual(['missing_work'])
  })

  it('is who is falling and weak already', () => {
    expect(concernsOf({ ...fine, average: 69.9, trend: 'declining' })).toEqual(['falling'])
    expect(concernsOf({ ...fine, average: 70, trend: 'declining' })).toEqual([])
    expect(concernsOf({ ...fine, average: 60, trend: 'declining' })).toEqual(['low_average', 'falling'])
  })
})
