import type { Question } from '@assay/shared/rubrics.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import type { AnswerChange, DecisionChange, QuestionChangeDoc } from '../../records/grading/question-change.model.ts'
import { decideCriteria } from '../grades/decide-criteria.ts'
import { findItems } from '../rubric-items/rubric-item.service.ts'
import { projectDecisions, questionAnswerId } from './answer-projection.ts'

/** By submission id. */
export interface AppliedChange {
  changed: number[]
  conflicts: number[]
  unavailable: number[]
}

export type ChangeAuthor = Pick<QuestionChangeDoc, '_id' | 'actor_id' | 'actor_role' | 'session_id' | 'at'>

export async function applyDecision(
  assignment: AssignmentDoc,
  question: Question,
  changes: DecisionChange[],
  { change, replays }: { change: ChangeAuthor; replays: boolean },
): Promise<AppliedChange> {
  const { _id: changeId, actor_id, actor_role, session_id, at } = change
  const actor = { id: actor_id, role: actor_role, sessionId: session_id } as Actor
  const criteria = new Set(question.criteria.map(({ id }) => id))
  const { changed, conflicts, unavailable } = await decideCriteria(assignment, criteria, changes, {
    actor,
    now: at,
    changeId,
    replays,
  })
  const items = await findItems(assignment._id, question.id)
  await projectDecisions(assignment, question, changed, items)
  return { changed: changed.map(({ _id }) => _id), conflicts, unavailable }
}

export async function applyGrouping(question: Question, changes: AnswerChange<string>[]): Promise<AppliedChange> {
  await QuestionAnswerModel.bulkWrite(
    changes.map(({ submission_id, after }) => ({
      updateOne: {
        filter: { _id: questionAnswerId(submission_id, question.id) },
        update: { $set: { manual_group: after } },
      },
    })),
    { ordered: false },
  )
  return { changed: changes.map(({ submission_id }) => submission_id), conflicts: [], unavailable: [] }
}
