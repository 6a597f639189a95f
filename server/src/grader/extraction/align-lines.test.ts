import { expect, it } from 'vitest'
import { cpuTimeOf } from '../../testing/cpu-time.ts'
import { alignLines } from './align-lines.ts'

const lines = (...texts: string[]) => texts.map((text) => ({ text }))

it('matches misread lines with the lines they were, in order', () => {
  const known = lines(
    '1. Why does ice float?',
    'lce is less derse tham water',
    'becouse moleculcs are apart',
    '2. Heat',
  )
  const fresh = lines(
    '1. Why does ice float?',
    'Ice is less dense than water',
    'because molecules are apart',
    '2. Heat',
  )
  expect(alignLines(fresh, known)).toEqual([0, 1, 2, 3])
})

it('leaves out lines that only one of the two has', () => {
  const known = lines('Name: Ada', 'smudge and shadow', 'Ice floats on water')
  const fresh = lines('Name: Ada', 'Ice floats on water', 'and it is cold')
  expect(alignLines(fresh, known)).toEqual([0, 2, null])
  expect(alignLines(fresh, [])).toEqual([null, null, null])
  expect(alignLines([], known)).toEqual([])
})

it('tells identical lines apart by their place', () => {
  const known = [
    { text: 'True', at: 0.2 },
    { text: 'True', at: 0.5 },
    { text: 'True', at: 0.8 },
  ]
  expect(
    alignLines(
      [
        { text: 'True', at: 0.51 },
        { text: 'True', at: 0.79 },
      ],
      known,
    ),
  ).toEqual([1, 2])
})

it('never crosses, and is quick with very long texts', () => {
  expect(
    alignLines(lines('beta beta', 'alpha alpha'), lines('alpha alpha', 'beta beta')).filter((one) => one !== null),
  ).toHaveLength(1)
  const many = lines(...Array.from({ length: 5000 }, (_, i) => `line ${i}`))
  expect(alignLines(many, many)[4999]).toBe(4999)
  expect(cpuTimeOf(() => alignLines(many, many))).toBeLessThan(500)
})
