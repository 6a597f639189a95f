import type { Question } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { WORKED_ANSWERS, type WorkedAnswers } from '../exact/testing/answer-cases/worked-answers.ts'
import { finalResult } from '../rubric/final-result.ts'
import { questionKind } from '../rubric/question-kind.ts'
import { QuestionJudge } from './judge-question.ts'

const criterion = (id: string, expected: string) => ({ id, text: expected, points: 1, expected, alternatives: [] })
const question: Pick<Question, 'prompt' | 'kind' | 'criteria'> = {
  prompt: 'Calculate the time taken.',
  kind: 'number',
  criteria: [criterion('q1.1', 't = 2u/g = 28.0/9.81'), criterion('q1.2', '2.85 s')],
}
const sharesOf = (answer: string, of = question) => {
  const judge = new QuestionJudge(of, [answer], () => 1)
  return of.criteria.map((one) => judge.judge(0, one).share)
}

describe('marks for working', () => {
  it('go with a right result', () => expect(sharesOf('t = 2.85 s')).toEqual([1, 1]))

  it('are given for the working alone, and none for neither', () => {
    const [working = 0, result = 1] = sharesOf('28.0 / 9.81 = 2.58 s')
    expect(working).toBe(1)
    expect(result).toBeLessThan(1)
    expect(sharesOf('12 s')).toEqual([0, 0])
  })

  it('are not given for a result that is to be shown, without a doubt', () => {
    const shown = { ...question, prompt: 'Show that the stone rises to about 10 m.' }
    const judge = new QuestionJudge(shown, ['2.85 s'], () => 1)
    expect(judge.judge(0, question.criteria[0] ?? criterion('', '')).confidence).toBeLessThan(0.6)
  })
})

describe('several points for one number', () => {
  const calculated = {
    prompt: 'Calculate the mass.',
    kind: 'number' as const,
    criteria: [{ ...criterion('q', '18 g'), points: 3 }],
  }
  const judged = (answer: string) => {
    const judge = new QuestionJudge(calculated, [answer], () => 1)
    return judge.judge(0, calculated.criteria[0] ?? criterion('', ''))
  }

  it('are not all lost, for sure, by a working that ends in another', () => {
    expect(judged('0.5 × 34 = 17 g').share).toBeCloseTo(0.4)
    expect(judged('0.5 × 34 = 17 g').confidence).toBeLessThan(0.6)
    expect(judged('30% / 60% = 5%').confidence).toBeLessThan(0.6)
    expect(judged('17 g')).toMatchObject({ share: 0, confidence: 0.95 })
    expect(judged('0.5 × 36 = 18 g').share).toBe(1)
  })
})

/** Answers whose points are not those a fair marker gives, with what was given. */
function offIn({ prompt, points, answers }: WorkedAnswers): string[] {
  const criteria = points.map((text, i) => criterion(`q.${i + 1}`, text))
  const last = criteria.at(-1) ?? criterion('', '')
  const result = finalResult(prompt, last.expected) ?? last.expected
  const exact = questionKind(prompt, result)
  const kind = exact === 'number' || exact === 'formula' ? exact : 'text'
  if (kind === 'number') last.expected = result
  const judge = new QuestionJudge(
    { prompt, kind, criteria },
    answers.map(([answer]) => answer),
    () => 1,
  )
  return answers.flatMap(([answer, ...earned], i) =>
    earned.flatMap((wanted, at) => {
      const { share, confidence } = judge.judge(i, criteria[at] ?? last)
      return wanted === null || Math.abs(share - wanted) < 0.3
        ? []
        : [`${points[at]} <- ${answer}: ${share} (${confidence})`]
    }),
  )
}

describe('marking points that are formulas or numbers', () => {
  it.each(WORKED_ANSWERS)('are earned by what stands in the working: $prompt', (worked) =>
    expect(offIn(worked)).toEqual([]),
  )
})
