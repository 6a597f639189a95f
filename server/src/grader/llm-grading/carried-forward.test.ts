import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { Answer } from '../grader.ts'
import { earlierAnswers } from './needs-llm.ts'

const question = (number: string, notes = ''): Question => ({
  id: `q${number.replaceAll(' ', '')}`,
  number,
  prompt: 'Work it out.',
  kind: 'number',
  notes,
  criteria: [{ id: number, text: '', points: 2, expected: '12 m', alternatives: [] }],
  regions: [],
})
const answer = (id: string, text: string, more: Partial<Answer> = {}): Answer => ({
  question_id: id,
  text,
  found: true,
  evidence: [],
  reading: 1,
  ...more,
})
const answers = [answer('q1', 'a tree'), answer('q2a', '14 m'), answer('q2b', '7', { unreadable: true })]

it.each(['ecf', 'Allow ecf from (a)', 'FT their (a)', 'error carried forward', 'Follow through.', 'their value of h'])(
  'gives the earlier parts of the question where the scheme says “%s”',
  (notes) => {
    const questions = [question('1'), question('2 a'), question('2 b'), question('2 c', notes)]
    expect(earlierAnswers(question('2 c', notes), questions, answers)).toEqual([
      { number: '2 a', expected: '12 m', text: '14 m' },
    ])
  },
)

it.each(['', 'in ft', 'Accept their own words', 'any two'])('gives nothing where it says “%s”', (notes) => {
  expect(earlierAnswers(question('2 b', notes), [question('2 a'), question('2 b', notes)], answers)).toEqual([])
})

it('gives the question before where it has no parts', () => {
  const questions = [question('1'), question('2', 'ecf')]
  expect(earlierAnswers(question('2', 'ecf'), questions, answers)).toMatchObject([{ number: '1', text: 'a tree' }])
})
