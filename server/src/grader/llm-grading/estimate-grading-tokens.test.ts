import type { Rubric } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { Answer } from '../grader.ts'
import { estimateGradingTokens } from './estimate-grading-tokens.ts'

const question = (id: string, kind: 'text' | 'choice'): Rubric['questions'][number] => ({
  id,
  number: id.slice(1),
  prompt: 'Why are there tides?',
  kind,
  criteria: [{ id, text: 'Why', points: 4, expected: 'The moon pulls on the water.', alternatives: [] }],
  regions: [],
})
const answer = (question_id: string, text: string, reading = 1): Answer => ({
  question_id,
  text,
  found: true,
  evidence: [],
  reading,
})
const rubric: Rubric = { questions: [question('q1', 'text'), question('q2', 'choice')], problems: [] }

it('counts what is requested, and nothing for what costs nothing', () => {
  expect(estimateGradingTokens(rubric, [answer('q1', ''), answer('q2', 'B')], true)).toEqual({
    input_tokens: 0,
    output_tokens: 0,
  })
  const short = estimateGradingTokens(rubric, [answer('q1', 'The moon.')], false)
  const long = estimateGradingTokens(rubric, [answer('q1', 'The moon pulls. '.repeat(225))], false)
  expect(short.output_tokens).toBeGreaterThan(100)
  expect(long.input_tokens - short.input_tokens).toBeCloseTo(1000, -2)
  expect(long.output_tokens).toBe(short.output_tokens)
})

it('counts pictures of what was scanned alone', () => {
  const typed = estimateGradingTokens(rubric, [answer('q1', 'The moon.')], true)
  const scanned = estimateGradingTokens(rubric, [answer('q1', 'The moon.', 0.6)], true)
  expect(estimateGradingTokens(rubric, [answer('q1', 'The moon.')], false)).toEqual(typed)
  expect(scanned.input_tokens).toBeGreaterThan(typed.input_tokens + 1000)
})
