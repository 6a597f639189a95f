import { expect, it } from 'vitest'
import type { PreparedQuestion } from './grading-prompt.ts'
import { batchQuestions } from './grading-prompt.ts'

const asked = (n: number, rest: Partial<PreparedQuestion> = {}): PreparedQuestion => ({
  question: {
    id: `q${n}`,
    number: `${n}`,
    prompt: 'Why?',
    kind: 'text',
    criteria: [{ id: `q${n}`, text: '', points: 1, expected: '', alternatives: [] }],
    regions: [],
  },
  text: 'Because.',
  reading: 1,
  examples: [],
  earlier: [],
  pictures: [],
  outlierSentences: [],
  ...rest,
})
const many = (count: number, rest: Partial<PreparedQuestion> = {}) =>
  Array.from({ length: count }, (_, n) => asked(n, rest))
const sizes = (all: PreparedQuestion[]) => batchQuestions(all).map((batch) => batch.length)

it('puts a paper of the usual size into one request', () => {
  expect(sizes(many(20))).toEqual([20])
  expect(sizes([])).toEqual([])
})

it('splits very many questions, words or pictures, in order and each once', () => {
  expect(sizes(many(50))).toEqual([24, 24, 2])
  expect(sizes(many(5, { text: 'a'.repeat(15_000) }))).toEqual([2, 2, 1])
  const picture = { bytes: new Uint8Array(), media_type: 'image/png' as const }
  expect(sizes(many(5, { pictures: [picture, picture, picture] }))).toEqual([2, 2, 1])
  const all = many(50)
  expect(batchQuestions(all).flat()).toEqual(all)
})

it('puts what is larger than a batch into a request of its own', () => {
  const wide = asked(1, { text: 'a'.repeat(60_000) })
  expect(sizes([asked(0), wide, asked(2)])).toEqual([1, 1, 1])
})
