import { expect, it } from 'vitest'
import { judgeVerdicts } from './judge-true-false.ts'

it.each([
  ['yes no yes', 'Y\nN\nY', 1],
  ['yes no yes', 'yes, no, yes', 1],
  ['yes no yes', 'yes yes yes', 0],
  ['yes no yes', 'yes no', 0],
  ['T, F', 'true false', 1],
  ['✓ ✗', '✓ ✗', 1],
])('a row of verdicts %s, answered “%s”, earns %d', (key, answer, share) => {
  expect(judgeVerdicts([key], answer)).toMatchObject({ share, remarks: [share ? 'exact_right' : 'exact_wrong'] })
})

it.each([
  ['yes', 'y'],
  ['no, because it melts', 'no'],
  ['yes no', 'I do not think so'],
])('leaves the key “%s” and the answer “%s” to others', (key, answer) => {
  expect(judgeVerdicts([key], answer)).toBeNull()
})
