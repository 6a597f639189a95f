import { describe, expect, it } from 'vitest'
import { evaluateRows } from '../offline/evaluate-rows.ts'
import { judgeParts } from './parts/judge-parts.ts'
import type { AnswerCases } from './testing/answer-cases/answer-case.ts'
import { CHANGES } from './testing/answer-cases/changes.ts'
import { CHEMISTRY } from './testing/answer-cases/chemistry.ts'
import { CHOICES } from './testing/answer-cases/choices.ts'
import { COMPOUND_UNITS } from './testing/answer-cases/compound-units.ts'
import { DATES_AND_CODES } from './testing/answer-cases/dates-and-codes.ts'
import { FORMULAS } from './testing/answer-cases/formulas.ts'
import { LOOK_ALIKES } from './testing/answer-cases/look-alikes.ts'
import { MORE_KEYS } from './testing/answer-cases/more-keys.ts'
import { NAMES } from './testing/answer-cases/names.ts'
import { NUMBERS } from './testing/answer-cases/numbers.ts'
import { PARTS } from './testing/answer-cases/parts.ts'
import { RANGES } from './testing/answer-cases/ranges.ts'
import { RESULTS } from './testing/answer-cases/results.ts'
import { SEQUENCES } from './testing/answer-cases/sequences.ts'
import { STRUCTURES } from './testing/answer-cases/structures.ts'
import { UNITS } from './testing/answer-cases/units.ts'

const FAMILIES = {
  choices: CHOICES,
  'more keys': MORE_KEYS,
  'look-alikes': LOOK_ALIKES,
  formulas: FORMULAS,
  chemistry: CHEMISTRY,
  numbers: NUMBERS,
  results: RESULTS,
  units: UNITS,
  'compound units': COMPOUND_UNITS,
  structures: STRUCTURES,
  'dates and codes': DATES_AND_CODES,
  sequences: SEQUENCES,
  names: NAMES,
  parts: PARTS,
  ranges: RANGES,
  changes: CHANGES,
}
const SURE = 0.9

interface Row {
  question_id: string
  question: string
  reference_answer: string
  student_answer: string
  min: number
  max: number
  open: boolean
}

const rowsOf = (all: AnswerCases[]): Row[] =>
  all.flatMap(({ prompt, key, right = [], wrong = [], partial = [], open = [] }, i) => {
    const row = (answer: string, min: number, max: number, isOpen = false): Row => ({
      question_id: String(i),
      question: prompt,
      reference_answer: key,
      student_answer: answer,
      min,
      max,
      open: isOpen,
    })
    return [
      ...right.map((answer) => row(answer, 1, 1)),
      ...wrong.map((answer) => row(answer, 0, 0.25)),
      ...partial.map(([answer, min, max]) => row(answer, min, max)),
      ...open.map((answer) => row(answer, 0, 1, true)),
    ]
  })

/** Key, answer and share of those outside what is fair and those the judge must not be sure of. */
function offIn(rows: Row[]): string[] {
  const judged = evaluateRows(rows.map((row, id) => ({ ...row, id, alt_references: [] })))
  return rows.flatMap((row, i) => {
    const { score = 0, confidence = 0 } = judged[i] ?? {}
    const off = row.open ? confidence >= SURE : score < row.min - 1e-6 || score > row.max + 1e-6
    return off ? [`${row.reference_answer} <- ${row.student_answer}: ${score} (${confidence})`] : []
  })
}

describe('answers as students write them', () => {
  it.each(Object.entries(FAMILIES))('earn what a fair teacher gives: %s', (_, family) => {
    expect(offIn(rowsOf(family))).toEqual([])
  })
})

it('leaves a key with a condition to the words', () => {
  const key = 'When the string is longer, the pitch will be lower.'
  expect(judgeParts('How would the pitch change?', [key], 'The pitch gets lower.')).toBeNull()
})
