import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import type { DecisionChange } from '../../records/grading/question-change.model.ts'
import type { AfterDecision } from '../questions/after-decision.ts'
import { decide } from '../questions/question-changes.ts'

/** Gives the marked answers what they got, a question at a time as one decision that can be undone there. What people decided stays. */
export async function applyMarks(
  assignment: AssignmentDoc,
  { answers }: AccuracyCheckDoc,
  actor: Actor,
  now: Date,
  afterDecision: AfterDecision,
): Promise<{ decided: number; left_alone: number }> {
  const marked = answers.filter(({ points }) => points !== null)
  let decided = 0
  for (const question of assignment.rubric?.questions ?? []) {
    const changes = marked
      .filter(({ question_id }) => question_id === question.id)
      .map(({ submission_id, points }): DecisionChange => ({ submission_id, before: null, after: points }))
    if (changes.length === 0) continue
    const outcome = await decide(assignment, question, changes, actor, now)
    decided += outcome.changed.length
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, outcome.change_id)
  }
  return { decided, left_alone: marked.length - decided }
}
