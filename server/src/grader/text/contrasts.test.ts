import { expect, it } from 'vitest'
import { compareContrast } from './contrasts.ts'

const MIGRATION = 'Explain the difference between immigration and emigration.'
const MIGRATION_KEY = 'Immigration is when people move into a country; emigration is when people move out of it.'
const TRANSFER = 'Distinguish positive transfer from negative transfer.'
const TRANSFER_KEY =
  'Positive transfer: an old skill helps to learn a new one. Negative transfer: a new skill spoils an old one.'

it.each([
  [MIGRATION, MIGRATION_KEY, 'Emigration means you go out, immigration that you come in.', 'same'],
  [MIGRATION, MIGRATION_KEY, 'immigration: leaving, so out. emigration: in', 'reversed'],
  [MIGRATION, MIGRATION_KEY, 'One is about people and the other is about birds', null],
  [
    TRANSFER,
    TRANSFER_KEY,
    'In positive what you knew before helps you later; in negative, recent things spoil earlier ones',
    'same',
  ],
  [TRANSFER, TRANSFER_KEY, 'Positive = new helps old. Negative = old spoils new.', 'reversed'],
  [
    'Compare long-term and short-term\nloans.',
    'Long-term loans cost less a month, short-term loans more.',
    'Short-term: more a month; long-term: lower',
    'same',
  ],
  ['What is immigration?', MIGRATION_KEY, 'people move into a country', null],
])('“%s”: “%s” and “%s” are %s', (prompt, key, answer, expected) => {
  expect(compareContrast(prompt, key, answer)).toBe(expected)
})
