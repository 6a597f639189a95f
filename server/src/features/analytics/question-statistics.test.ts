import { describe, expect, it } from 'vitest'
import type { ReleasedCriterion } from '../../records/grading/grade.model.ts'
import { analyseQuestions } from './question-statistics.ts'

let id = 0
function criterion(question: string, score: number, max_score: number, feedback = 'Fine.'): ReleasedCriterion {
  id += 1
  return {
    id,
    criterion_id: `${question}.a`,
    question_id: question,
    criterion_text: `About ${question}`,
    score,
    max_score,
    llm_performance_level: score === max_score ? 'excellent' : 'partial',
    llm_feedback: feedback,
  }
}

/** Ten papers: on `q1` and `q2` the first five get all points and the others none. */
const halves = Array.from({ length: 10 }, (_, paper) => {
  const points = paper < 5 ? 4 : 0
  return {
    submissionId: paper + 1,
    criteria: [criterion('q1', points, 4), criterion('q2', points, 4), criterion('q3', 4 - points, 4)],
  }
})

describe('a question', () => {
  it('has the mean share of its points as difficulty', () => {
    const { papers, questions } = analyseQuestions([
      { submissionId: 1, criteria: [criterion('q1', 1, 4), criterion('q1', 1, 1), criterion('q2', 2, 2)] },
      { submissionId: 2, criteria: [criterion('q1', 0, 4), criterion('q1', 0, 1), criterion('q2', 1, 2)] },
    ])
    expect(papers).toBe(2)
    expect(questions).toMatchObject([
      { question_id: 'q1', prompt: 'About q1', papers: 2, average_share: 20, discrimination: null },
      { question_id: 'q2', average_share: 75 },
    ])
  })

  it('discriminates when strong students do well on it, and warns when they do badly', () => {
    const [q1, , q3] = analyseQuestions(halves).questions
    // Where q1 is right, the rest of the paper is always 4 of 8: the other two cancel out.
    expect(q1?.discrimination).toBeNull()
    // Where q3 is right, the rest is all wrong.
    expect(q3?.discrimination).toBe(-1)
    const without = halves.map(({ submissionId, criteria }) => ({ submissionId, criteria: criteria.slice(0, 2) }))
    expect(analyseQuestions(without).questions[0]?.discrimination).toBe(1)
    expect(analyseQuestions(without.slice(1)).questions[0]?.discrimination).toBeNull()
  })
})

describe('common mistakes', () => {
  const missing = (said: string, what: string) => `You bring in ${said}. What is missing is ${what}.`

  it('group papers with the same advice, and show the one that lost most', () => {
    const [question] = analyseQuestions([
      { submissionId: 1, criteria: [criterion('q1', 3, 4, missing('ice', 'density'))] },
      { submissionId: 2, criteria: [criterion('q1', 1, 4, missing('water', 'density'))] },
      { submissionId: 3, criteria: [criterion('q1', 2, 4, missing('ice', 'the lattice'))] },
      { submissionId: 4, criteria: [criterion('q1', 4, 4)] },
    ]).questions
    expect(question?.mistakes).toEqual([
      {
        criterion_text: 'About q1',
        feedback: missing('water', 'density'),
        count: 2,
        points_lost: 2,
        example_submission_id: 2,
      },
    ])
  })

  it('group papers of one level where no two have the same feedback', () => {
    const [question] = analyseQuestions([
      { submissionId: 1, criteria: [criterion('q1', 3, 4, 'One.')] },
      { submissionId: 2, criteria: [criterion('q1', 1, 4, 'Another.')] },
    ]).questions
    expect(question?.mistakes).toMatchObject([{ count: 2, feedback: 'Another.', example_submission_id: 2 }])
  })

  it('are empty where nobody lost a point', () => {
    const papers = [{ submissionId: 1, criteria: [criterion('q1', 4, 4)] }]
    expect(analyseQuestions(papers).questions[0]?.mistakes).toEqual([])
  })
})
