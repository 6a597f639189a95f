import { expect, it } from 'vitest'
import { examWeek, predictBacklog, predictEnds } from './queue-model.ts'

it('gives one class the whole capacity', () => {
  expect(predictEnds([{ at: 5, papers: 20 }], 10, 1.5)).toEqual([8.5])
})

it('has classes under way at the same time share it equally', () => {
  const batches = [
    { at: 0, papers: 20 },
    { at: 0, papers: 5 },
  ]
  // Five each in the first second, then 15 alone.
  expect(predictEnds(batches, 10, 0)).toEqual([2.5, 1])
})

it('begins with what comes, whatever the order it is told in', () => {
  const batches = [
    { at: 1, papers: 5 },
    { at: 0, papers: 20 },
  ]
  expect(predictEnds(batches, 10, 0)).toEqual([2, 2.5])
})

it('waits for the next class once all are graded', () => {
  const batches = [
    { at: 0, papers: 10 },
    { at: 9, papers: 10 },
  ]
  expect(predictEnds(batches, 10, 0)).toEqual([1, 10])
})

it('tells the longest queue and wait of a week', () => {
  expect(predictBacklog([10, 0, 30, 10, 0, 0], 10)).toEqual({ papers: 20, longestWait: 2, use: 50 / 60 })
  expect(predictBacklog([10, 10], 20).papers).toBe(0)
})

it('has an exam week of 168 hours, most of whose papers come on working days', () => {
  const week = examWeek()
  expect(week).toHaveLength(168)
  expect(week.reduce((sum, share) => sum + share)).toBeCloseTo(1)
  expect(week.slice(0, 120).reduce((sum, share) => sum + share)).toBeGreaterThan(0.9)
})
