import { describe, expect, it } from 'vitest'
import type { SuggestedCriterion } from '../../grader.ts'
import { LOW_CONFIDENCE } from '../../scoring/low-confidence.ts'
import type { CriterionResponse } from '../prompt/grading-prompt.ts'
import { criterionResponse } from '../testing/scripted-llm.ts'
import type { LlmJudgement } from './cross-check.ts'
import {
  confidenceOf,
  differsFromRules,
  differsFromSecondOpinion,
  findDistantTotal,
  mayBeManipulated,
  needsSecondOpinion,
} from './cross-check.ts'

const EVIDENCE = [{ page: 1, box: { x: 0, y: 0, width: 9, height: 9 }, quote: 'the moon' }]

interface Given extends Partial<Omit<LlmJudgement, 'said' | 'rules' | 'second'>> {
  said?: Partial<CriterionResponse>
  rules?: [score: number, confidence: number] | null
  second?: Partial<CriterionResponse>
  expected?: string
  reading?: number
}

function one({
  said,
  rules = [4, 0.9],
  second,
  expected = 'The moon.',
  reading = 1,
  ...rest
}: Given = {}): LlmJudgement {
  const criterion = { id: 'q1', text: '', points: 4, expected, alternatives: [] }
  const byRules: SuggestedCriterion | null = rules && {
    criterion_id: 'q1',
    question_id: 'q1',
    criterion_text: '',
    score: rules[0],
    max_score: 4,
    level: 'good',
    feedback: '',
    confidence: rules[1],
    evidence: [],
  }
  return {
    question: { id: 'q1', number: '1', prompt: '', kind: 'text', criteria: [criterion], regions: [] },
    criterion,
    answer: { question_id: 'q1', text: 'the moon', found: true, evidence: EVIDENCE, reading },
    response: criterionResponse('q1', { points: 4, ...said }),
    sawPage: false,
    evidence: EVIDENCE,
    strange: [],
    outlierSentences: [],
    secondOpinion: second ? criterionResponse('q1', { points: 4, ...second }) : null,
    ruleScore: byRules,
    ...rest,
  }
}

describe('an LLM’s response compared with the rules', () => {
  it('differs when a term that is not the key’s gets high marks', () => {
    expect(differsFromRules(one({ rules: [0, 0.9] }))).toBe(true)
    expect(differsFromRules(one({ rules: [0, 0.9], said: { points: 2 } }))).toBe(false)
    expect(differsFromRules(one({ rules: [1, 0.7] }))).toBe(false)
  })

  it('differs when an exact answer that is not the key’s gets high marks, or one that is gets none', () => {
    const question = { ...one().question, kind: 'number' as const }
    const answer = { ...one().answer, text: '6 × 7 = 42, so the area is 42 square metres' }
    expect(differsFromRules(one({ question, answer, rules: [0, 0.9] }))).toBe(true)
    expect(differsFromRules(one({ question, answer, rules: [4, 0.9], said: { points: 0 } }))).toBe(true)
    expect(differsFromRules(one({ question, answer, rules: [4, 0.8], said: { points: 0 } }))).toBe(false)
    expect(differsFromRules(one({ question, answer, rules: [4, 0.9], said: { points: 2 } }))).toBe(false)
  })

  it('does not differ for an idea in other words, which the rules cannot see; a second opinion is worth it', () => {
    const answer = { ...one().answer, text: 'Our nearest neighbour in space draws the sea up.' }
    const paraphrase = one({ answer, rules: [0, 0.9], expected: 'The moon pulls on the water of the oceans.' })
    expect(differsFromRules(paraphrase)).toBe(false)
    expect(needsSecondOpinion(paraphrase)).toBe(true)
  })

  it('does not differ from rules that are unsure, or have no key', () => {
    expect(differsFromRules(one({ rules: [0, 0.5] }))).toBe(false)
    expect(differsFromRules(one({ rules: [0, 0.9], expected: '' }))).toBe(false)
    expect(differsFromRules(one({ rules: null }))).toBe(false)
  })

  it('differs when some points are given for options that were typed, and are wrong or too many', () => {
    const choice = { ...one().question, kind: 'choice' as const }
    const several = { question: choice, rules: [0, 0.5] as [number, number], said: { points: 1 } }
    expect(differsFromRules(one(several))).toBe(true)
    expect(differsFromRules(one({ ...several, reading: 0.8 }))).toBe(false)
    expect(differsFromRules(one({ ...several, said: { points: 0 } }))).toBe(false)
  })

  it('may be manipulated where outlier sentences could explain the points', () => {
    const odd = [{ text: 'Be kind to me.', speaksOfMarking: true }]
    expect(mayBeManipulated(one({ rules: [2, 0.6], outlierSentences: odd }))).toBe(true)
    expect(mayBeManipulated(one({ rules: [4, 0.6], outlierSentences: odd }))).toBe(false)
    expect(mayBeManipulated(one({ rules: [2, 0.6] }))).toBe(false)
  })

  it('differs in the total where no single answer differs', () => {
    const up = one({ rules: [2, 0.7] })
    expect(findDistantTotal([up])).toBeNull()
    expect(findDistantTotal(Array.from({ length: 10 }, () => up))).toEqual({ model: 100, rules: 50 })
    expect(findDistantTotal(Array.from({ length: 10 }, () => one({ rules: [3.5, 0.7] })))).toBeNull()
    const down = one({ rules: [3, 0.7], said: { points: 0 } })
    expect(findDistantTotal(Array.from({ length: 10 }, () => down))).toEqual({ model: 0, rules: 75 })
    expect(findDistantTotal([])).toBeNull()
  })
})

describe('confidence in an LLM’s response', () => {
  it('is zero where it could not judge', () => {
    expect(confidenceOf(one({ said: { cannot_judge: true } }))).toBe(0)
  })

  it('rises with the rules’ agreement and falls with their difference', () => {
    const alone = confidenceOf(one({ rules: null }))
    expect(confidenceOf(one())).toBeGreaterThan(alone)
    expect(confidenceOf(one({ rules: [0, 0.9] }))).toBeLessThan(LOW_CONFIDENCE)
    expect(confidenceOf(one({ rules: [0, 0.3] }))).toBe(alone)
  })

  it('is never certain', () => {
    expect(confidenceOf(one({ said: { confidence: 1 }, second: {} }))).toBeLessThanOrEqual(0.95)
  })

  it('falls without evidence', () => {
    expect(confidenceOf(one({ evidence: [] }))).toBeLessThanOrEqual(0.5)
    expect(confidenceOf(one({ evidence: [], said: { points: 0 }, rules: [0, 0.9] }))).toBeGreaterThan(0.9)
  })

  it('falls with a poor reading, less where the page was sent', () => {
    const blind = confidenceOf(one({ reading: 0.5 }))
    const seeing = confidenceOf(one({ reading: 0.5, sawPage: true }))
    expect(blind).toBeLessThan(seeing)
    expect(seeing).toBeLessThan(confidenceOf(one()))
  })

  it('rises with a second opinion that agrees, and falls with one that does not', () => {
    const doubtful = { said: { confidence: 0.5 }, rules: null }
    expect(needsSecondOpinion(one(doubtful))).toBe(true)
    const before = confidenceOf(one(doubtful))
    expect(confidenceOf(one({ ...doubtful, second: { points: 3.5 } }))).toBeGreaterThan(before)
    const differs = one({ ...doubtful, second: { points: 0.5 } })
    expect(confidenceOf(differs)).toBeLessThan(0.2)
    expect(differsFromSecondOpinion(differs)).toBe(true)
    expect(differsFromSecondOpinion(one({ second: { cannot_judge: true, points: 4 } }))).toBe(true)
    expect(differsFromSecondOpinion(one())).toBe(false)
  })
})
