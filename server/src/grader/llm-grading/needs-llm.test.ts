import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { needsLlm } from './needs-llm.ts'

const levels = [
  { points: 4, text: 'all' },
  { points: 1, text: 'a start' },
]
const question = (kind: Question['kind'], rest: Partial<Question> = {}, stepped = false): Question => ({
  id: 'q1',
  number: '1',
  prompt: 'How much?',
  kind,
  criteria: [{ id: 'q1', text: '', points: 4, expected: '5', alternatives: [], ...(stepped ? { levels } : {}) }],
  regions: [],
  ...rest,
})
const answer = (text: string, found = true): Answer => ({
  question_id: 'q1',
  text,
  found,
  evidence: [],
  reading: 1,
})
const rules = (confidence: number, score = 4): SuggestedCriterion[] => [
  {
    criterion_id: 'q1',
    question_id: 'q1',
    criterion_text: '',
    score,
    max_score: 4,
    level: 'good',
    feedback: '',
    confidence,
    evidence: [],
  },
]

it.each<[string, boolean, Question, Answer | undefined, SuggestedCriterion[], boolean]>([
  ['a written answer', true, question('text'), answer('because'), rules(0.99), false],
  ['nothing written', false, question('text'), answer(' '), rules(0.9, 0), false],
  ['an answer that was not found', false, question('text'), answer('', false), rules(0, 0), false],
  ['no answer at all', false, question('text'), undefined, rules(0, 0), false],
  ['“I do not know”', false, question('text'), answer('I do not know'), rules(0.95, 0), false],
  ['a number the rules are sure of', false, question('number'), answer('5'), rules(0.97), false],
  ['a number they are not sure of', true, question('number'), answer('5 or 6'), rules(0.5), false],
  [
    'a number with notes from the teacher',
    true,
    question('number', { notes: 'Working first.' }),
    answer('5'),
    rules(0.97),
    false,
  ],
  ['a wrong number with levels', true, question('number', {}, true), answer('6'), rules(0.97, 0), false],
  ['a right number with levels', false, question('number', {}, true), answer('5'), rules(0.97), false],
  ['a drawing nobody can show', false, question('drawing'), answer('a label'), rules(0, 0), false],
  ['a drawing the LLM can see', true, question('drawing'), answer(''), rules(0, 0), true],
  ['an essay', true, question('essay'), answer('Once upon a time.'), rules(0, 0), false],
])('%s needs a model: %s', (_, needs, question, answer, rules, canSee) => {
  expect(needsLlm(question, answer, rules, canSee)).toBe(needs)
})
