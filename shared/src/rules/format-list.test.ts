import { expect, it } from 'vitest'
import { listOf, numberedList } from './format-list.ts'

it.each([
  [[], ''],
  [['Canvas'], 'Canvas'],
  [['Canvas', 'Moodle'], 'Canvas and Moodle'],
  [['Canvas', 'Moodle', 'Sakai'], 'Canvas, Moodle and Sakai'],
])('lists %j in words', (parts, words) => {
  expect(listOf(parts)).toBe(words)
})

it.each([
  [[2], 'page 2'],
  [[2, 5], 'pages 2 and 5'],
  [['1', '2', '5'], 'pages 1, 2 and 5'],
])('lists pages %j', (numbers, words) => {
  expect(numberedList('page', numbers)).toBe(words)
})
