import type { Grader } from '../../../grader/grader.ts'
import { createLlmGrader } from '../../../grader/llm-grading/llm-grader.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import type { ChosenLlm } from '../../llm/llm-service.ts'
import type { GradingPool } from '../steps/run-steps.ts'

interface SelectedGrader {
  grader: Grader
  pool: GradingPool
  /** Null: the offline grader. */
  llm: ChosenLlm | null
}

/** By the present settings; calls are recorded for the run and the submission. */
export async function selectGrader(
  { _id: assignment_id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  run: { _id: number },
  submission: Pick<SubmissionDoc, '_id'>,
  { grader, llm }: Pick<Services, 'grader' | 'llm'>,
): Promise<SelectedGrader> {
  const chosen = await llm.chosenFor(course_id)
  if (!chosen) return { grader, pool: 'cpu', llm: chosen }
  const about = { course_id, assignment_id, run_id: run._id, submission_id: submission._id }
  const ask = llm.clientFor(chosen, about)
  return { grader: createLlmGrader({ llm: ask, offline: grader, settings: chosen }), pool: 'llm', llm: chosen }
}

export async function selectGradingPool(
  { course_id }: Pick<AssignmentDoc, 'course_id'>,
  { llm }: Pick<Services, 'llm'>,
): Promise<GradingPool> {
  return (await llm.chosenFor(course_id)) ? 'llm' : 'cpu'
}
