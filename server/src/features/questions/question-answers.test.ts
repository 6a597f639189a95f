import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import { findGroups } from './question.present.ts'

const question: Question = {
  id: 'q1',
  number: '1',
  prompt: 'What does a membrane do?',
  kind: 'text',
  regions: [],
  criteria: [{ id: 'q1', text: '', points: 2, expected: 'It controls what enters the cell.', alternatives: [] }],
}

const answer = (submission_id: number, text: string, state: QuestionAnswerDoc['state'], score: number | null) =>
  ({ submission_id, text, state, criteria: [{ id: 'q1', score, max: 2, confidence: 0.9 }] }) as QuestionAnswerDoc

it('begins with what could not be read, beside a teacher’s own groups, and ends with what has no words', () => {
  const groups = findGroups(question, [
    answer(1, 'controls what enters', 'read', 2),
    { ...answer(2, 'keeps things out', 'read', 1), manual_group: 'mine' },
    answer(3, '', 'empty', 0),
    answer(4, 'x~', 'unreadable', null),
  ])
  expect(groups.map(({ kind }) => kind)).toEqual(['unreadable', 'single', 'manual', 'empty'])
})
