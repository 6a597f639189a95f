import type { SuggestedGrade } from '../../../grader/grader.ts'
import { type Metrics, secondsSince } from '../../../lib/metrics/metrics.ts'

/** Counts grader results, and times them by number of answers. */
export async function measureGrading(
  { gradingSeconds, gradedAnswers }: Pick<Metrics, 'gradingSeconds' | 'gradedAnswers'>,
  grader: 'offline' | 'llm',
  answers: number,
  work: () => Promise<SuggestedGrade>,
): Promise<SuggestedGrade> {
  const end = (outcome: 'done' | 'failed') => gradingSeconds.observe({ grader, outcome }, secondsSince(began))
  const began = performance.now()
  try {
    const grade = await work()
    end('done')
    gradedAnswers.inc({ grader }, answers)
    return grade
  } catch (error) {
    end('failed')
    throw error
  }
}
