import type { Grader } from '../../grader/grader.ts'
import { createModelGrader } from '../../grader/model/model-grader.ts'
import type { Lane } from '../../lib/jobs.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import type { ChosenModel } from '../model/models.ts'
import type { SubmissionDoc } from '../submissions/submission.model.ts'

/** Who grades a paper, and in which places. */
export interface GradesBy {
  grader: Grader
  lane: Extract<Lane, 'work' | 'model'>
  /** Null: the offline grader does. */
  chosen: ChosenModel | null
}

/** Who grades an assignment's papers now, as settings have it; asks in the run's and the submission's name. */
export async function graderFor(
  { _id: assignment_id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  run: { _id: number },
  submission: Pick<SubmissionDoc, '_id'>,
  { grader, models }: Pick<Services, 'grader' | 'models'>,
): Promise<GradesBy> {
  const chosen = await models.chosenFor(course_id)
  if (!chosen) return { grader, lane: 'work', chosen }
  const about = { course_id, assignment_id, run_id: run._id, submission_id: submission._id }
  const ask = models.askFor(chosen, about)
  return { grader: createModelGrader({ ask, offline: grader, chosen }), lane: 'model', chosen }
}

/** Where an assignment's papers wait for their grades. */
export async function laneFor(
  { course_id }: Pick<AssignmentDoc, 'course_id'>,
  { models }: Pick<Services, 'models'>,
): Promise<GradesBy['lane']> {
  return (await models.chosenFor(course_id)) ? 'model' : 'work'
}
