import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { Answer, SuggestedCriterion } from '../grader.ts'
import { needsLlm, needsPicture } from './needs-llm.ts'

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
const answer = (text: string, found = true): Answer => ({ question_id: 'q1', text, found, evidence: [], reading: 1 })
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
  ['a wrong number alone', false, question('number'), answer('6'), rules(0.97, 0), false],
  ['a wrong number with its working', true, question('number'), answer('2 + 4 = 6'), rules(0.97, 0), false],
  ['a wrong number of a part', true, question('number', { number: '1 b' }), answer('6'), rules(0.97, 0), false],
  ['a wrong option of a part', false, question('choice', { number: '1 b' }), answer('C'), rules(0.97, 0), false],
  ['ticks without words', true, question('text'), answer('✓; ✗'), rules(0.95, 0), false],
  ['what OCR could not read', false, question('text'), { ...answer('bcae'), unreadable: true }, rules(0, 0), false],
  ['what an LLM may yet read', true, question('text'), { ...answer('bcae'), unreadable: true }, rules(0, 0), true],
  [
    'what it could not read either',
    false,
    question('text'),
    { ...answer('b'), unreadable: true, seen: true },
    rules(0, 0),
    true,
  ],
  [
    'circles that are not plainly filled',
    false,
    question('choice'),
    { ...answer(''), unreadable: true, sheet: { separation: 0.1, flag: 'double' } },
    rules(0, 0),
    true,
  ],
  ['a right number with levels', false, question('number', {}, true), answer('5'), rules(0.97), false],
  ['a drawing nobody can show', false, question('drawing'), answer('a label'), rules(0, 0), false],
  ['a drawing the LLM can see', true, question('drawing'), answer(''), rules(0, 0), true],
  ['an essay', true, question('essay'), answer('Once upon a time.'), rules(0, 0), false],
])('%s needs a model: %s', (_, needs, question, answer, rules, canSee) => {
  expect(needsLlm(question, answer, rules, canSee)).toBe(needs)
})

it.each<[string, boolean, Question['kind'], Partial<Answer>]>([
  ['typed words', false, 'text', {}],
  ['a drawing', true, 'drawing', {}],
  ['words read by OCR', true, 'text', { reading: 0.97 }],
  ['words an LLM was sure of', false, 'text', { reading: 0.95, seen: true }],
  ['words an LLM was not sure of', true, 'text', { reading: 0.6, seen: true }],
])('%s need a picture: %s', (_, needs, kind, more) => {
  expect(needsPicture(question(kind), { ...answer('because'), ...more })).toBe(needs)
})
