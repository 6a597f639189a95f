import { expect, it } from 'vitest'
import { buildGradeHistory } from '../../../testing/build-grade-history.ts'
import { llmCallText, unusedCallsText } from './llm-call-messages.ts'

const [call] = buildGradeHistory().calls
if (!call) throw new Error('a call')
const failed = { ...call, outcome: 'failed' as const, ms: 400 }

it('says that a run was stopped, not that something failed', () => {
  const stopped = { ...failed, run_stopped: true }
  expect(unusedCallsText([call, stopped])).toBe('The run was stopped before this paper was graded')
  expect(llmCallText(stopped)).toBe('Asked for points: broken off after 0.4 s, as the run was stopped')
})

it('says in words why a model gave no answer', () => {
  const refused = { ...failed, trouble: 'refused' }
  expect(unusedCallsText([refused])).toBe('The model gave no answer: it refused to answer')
  expect(llmCallText(refused)).toBe('Asked for points: no answer after 0.4 s, as it refused to answer')
  expect(unusedCallsText([{ ...failed, ms: 0 }])).toBe(
    'The question to the model was broken off, and nothing came of it',
  )
  expect(llmCallText({ ...failed, ms: 0 })).toBe('Asked for points: broken off')
})

it('says what else became of a question that went into no grade', () => {
  expect(unusedCallsText([{ ...call, purpose: 'transcribe' }])).toBe('A model read this paper')
  expect(unusedCallsText([call])).toBe('A model was asked, but no grade was made of its answer')
  expect(unusedCallsText([{ ...call, outcome: 'asking' }])).toBe('A model is being asked')
})
