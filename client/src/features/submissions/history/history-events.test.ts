import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { expect, it } from 'vitest'
import { buildGradeHistory } from '../../../testing/build-grade-history.ts'
import { historyEventsOf, llmCallText, unusedCallsText } from './history-events.ts'

const at = (minute: number) => `2026-01-12T14:0${minute}:00Z`

it('puts each question to a model with the suggestion it went into, and what went into none by itself', () => {
  const built = buildGradeHistory()
  const [suggestion] = built.suggestions
  const [call] = built.calls
  if (!suggestion || !call) throw new Error('one of each')
  const history: GradeHistory = {
    ...built,
    events: [],
    // A grade, and an answer of it scored again in the same run.
    suggestions: [
      { ...suggestion, grade_id: 1, at: at(2) },
      { ...suggestion, grade_id: 2, at: at(6) },
    ],
    calls: [
      { ...call, id: 11, at: at(1) },
      { ...call, id: 12, at: at(5) },
      { ...call, id: 13, at: at(7), outcome: 'failed' },
      { ...call, id: 14, run_id: 6, at: at(8), run_stopped: true },
      { ...call, id: 15, run_id: 6, at: at(9), run_stopped: true, outcome: 'failed' },
    ],
  }
  const events = historyEventsOf(history).map((event) => [
    event.key,
    event.kind === 'audit' ? [] : event.calls.map(({ id }) => id),
  ])
  expect(events).toEqual([
    ['grade 1', [11]],
    ['grade 2', [12]],
    ['call 13', [13]],
    ['run 6', [14, 15]],
  ])
})

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
