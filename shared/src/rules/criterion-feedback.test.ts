import { expect, it } from 'vitest'
import { criterionFeedback } from './criterion-feedback.ts'

const ai = { llm_feedback: 'Close to the expected answer.' }

it('is the AI’s words where people have left them', () => {
  expect(criterionFeedback(ai)).toEqual({ text: 'Close to the expected answer.', by: 'ai' })
  expect(criterionFeedback({ ...ai, item_feedback: [], teacher_feedback: ' ' }).by).toBe('ai')
})

it('is the items’ words in their order, each once, and then the teacher’s own', () => {
  const words = { ...ai, item_feedback: ['No unit.', 'Neat.', 'No unit.'], teacher_feedback: 'See me.' }
  expect(criterionFeedback(words)).toEqual({ text: 'No unit.\nNeat.\nSee me.', by: 'teacher' })
  expect(criterionFeedback({ ...ai, teacher_feedback: 'See me.' })).toEqual({ text: 'See me.', by: 'teacher' })
})
