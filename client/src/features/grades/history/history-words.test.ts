import { expect, it } from 'vitest'
import { buildGradeHistory } from '../../../testing/build-grade-history.ts'
import { askedInVain, callInWords } from './history-words.ts'

const [call] = buildGradeHistory().calls
if (!call) throw new Error('a call')
const failed = { ...call, outcome: 'failed' as const, ms: 400 }

it('says that a run was stopped, not that something failed', () => {
  const stopped = { ...failed, run_stopped: true }
  expect(askedInVain([call, stopped])).toBe('The run was stopped before this paper was graded')
  expect(callInWords(stopped)).toBe('Asked for points: broken off after 0.4 s, as the run was stopped')
})

it('says in words why a model gave no answer', () => {
  const refused = { ...failed, trouble: 'refused' }
  expect(askedInVain([refused])).toBe('The model gave no answer: it refused to answer')
  expect(callInWords(refused)).toBe('Asked for points: no answer after 0.4 s, as it refused to answer')
  expect(askedInVain([{ ...failed, ms: 0 }])).toBe(
    'The question to the model was broken off, and nothing came of it',
  )
  expect(callInWords({ ...failed, ms: 0 })).toBe('Asked for points: broken off')
})

it('says what else became of a question that went into no grade', () => {
  expect(askedInVain([{ ...call, purpose: 'transcribe' }])).toBe('A model read this paper')
  expect(askedInVain([call])).toBe('A model was asked, but no grade was made of its answer')
  expect(askedInVain([{ ...call, outcome: 'asking' }])).toBe('A model is being asked')
})
