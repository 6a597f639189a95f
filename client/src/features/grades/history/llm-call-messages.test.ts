import { expect, it } from 'vitest'
import { buildGradeHistory } from '../../../testing/build-grade-history.ts'
import { llmCallText, unusedCallsText } from './llm-call-messages.ts'

const [call] = buildGradeHistory().calls
if (!call) throw new Error('a call')
const failed = { ...call, outcome: 'failed' as const, ms: 400 }

it('says that a run was stopped, not that something failed', () => {
  const stopped = { ...failed, run_stopped: true }
  expect(unusedCallsText([call, stopped])).toBe('The run was stopped before this paper was graded')
  expect(llmCallText(stopped)).toBe('Requested points: interrupted after 0.4 s, because the run was stopped')
})

it('says why a model gave no answer', () => {
  const refused = { ...failed, error_code: 'refused' }
  expect(unusedCallsText([refused])).toBe('The AI model gave no answer: it refused to answer')
  expect(llmCallText(refused)).toBe('Requested points: no answer after 0.4 s: it refused to answer')
  expect(unusedCallsText([{ ...failed, ms: 0 }])).toBe('The request to the AI model was interrupted')
  expect(llmCallText({ ...failed, ms: 0 })).toBe('Requested points: interrupted')
})

it('says what else became of a question that went into no grade', () => {
  expect(unusedCallsText([{ ...call, purpose: 'transcribe' }])).toBe('An AI model read this paper')
  expect(unusedCallsText([call])).toBe('The AI model answered, but its answer was not used')
  expect(unusedCallsText([{ ...call, outcome: 'asking' }])).toBe('Waiting for the AI model')
})
