import type { RubricProblem } from '@assay/shared/rubrics.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { changeRubricProblems } from '../assignments/assignment-queries.ts'
import { notifyReleased } from '../grades/release-notification.ts'

/** Others see it, students are mailed, like answers get new suggestions. */
export type AfterDecision = (assignment: AssignmentDoc, questionId: string, changeId: number | null) => Promise<void>

type Notifying = Pick<Services, 'events'>

export function notifyQuestionChanged(
  { _id: assignmentId }: AssignmentDoc,
  questionId: string,
  changeId: number | null,
  { events }: Notifying,
): void {
  events.emit('question_changed', {
    assignmentId,
    payload: { assignment_id: assignmentId, question_id: questionId, change_id: changeId },
  })
}

export const createAfterDecision =
  (
    services: Services,
    carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
  ): AfterDecision =>
  async (assignment, questionId, changeId) => {
    if (changeId !== null) await dismissDoubtfulResult(assignment, questionId)
    notifyQuestionChanged(assignment, questionId, changeId, services)
    // Students whose grade this released and who were not mailed about it.
    await notifyReleased(assignment, null, services, { debounced: true })
    await carryDecisions(assignment, questionId)
  }

/** Who decides answers has looked at what the key says of them. */
async function dismissDoubtfulResult(assignment: AssignmentDoc, questionId: string): Promise<void> {
  const problems = assignment.rubric?.problems ?? []
  const isDoubt = ({ code, question_id }: RubricProblem) => code === 'results_doubtful' && question_id === questionId
  if (!problems.some((problem) => isDoubt(problem) && !problem.dismissed)) return
  await changeRubricProblems(assignment, (now) =>
    now.map((problem) => (isDoubt(problem) ? { ...problem, dismissed: true } : problem)),
  )
}
