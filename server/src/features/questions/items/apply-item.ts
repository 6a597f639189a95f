import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { applyRubricItem } from '@assay/shared/rubric-items.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { withItems } from '@assay/shared/rules/item-points.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../../records/grading/question-answer.model.ts'
import type { DecisionChange } from '../../../records/grading/question-change.model.ts'
import type { RubricItemDoc } from '../../../records/grading/rubric-item.model.ts'
import { sameItems } from '../../grades/grade-items.ts'
import { findItems, type ItemsById } from '../../rubric-items/rubric-item.service.ts'
import { projectAnswers, questionAnswerId } from '../answer-projection.ts'
import { type ChangeOutcome, decide } from '../question-changes.ts'

/** As one decision. Answers that others have decided on since are left alone. */
export async function applyItem(
  assignment: AssignmentDoc,
  question: Question,
  item: RubricItemDoc,
  { answers, applied }: BodyOf<typeof applyRubricItem>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<ChangeOutcome> {
  await projectAnswers(assignment)
  const seen = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const [projected, items] = await Promise.all([
    QuestionAnswerModel.find({
      _id: { $in: [...seen.keys()].map((id) => questionAnswerId(id, question.id)) },
      assignment_id: assignment._id,
    }).lean(),
    findItems(assignment._id, question.id),
  ])
  const conflicts: number[] = []
  const changes = projected.flatMap((answer): DecisionChange[] => {
    const saw = seen.get(answer.submission_id)
    if (saw?.items && !sameItems(saw.items, offered(answer, items))) {
      conflicts.push(answer.submission_id)
      return []
    }
    return toggled(answer, item, applied, items).map((change) => ({ ...change, before: saw?.decided ?? null }))
  })
  const outcome = await decide(assignment, question, changes, actor, now)
  const known = new Set(projected.map(({ submission_id }) => submission_id))
  return {
    ...outcome,
    conflicts: [...conflicts, ...outcome.conflicts],
    unavailable: [...outcome.unavailable, ...[...seen.keys()].filter((id) => !known.has(id))],
  }
}

const offered = ({ item_ids = [] }: QuestionAnswerDoc, items: ItemsById): number[] =>
  item_ids.filter((id) => items.get(id)?.removed === false)

function toggled(
  answer: QuestionAnswerDoc,
  item: RubricItemDoc,
  applied: boolean,
  items: ItemsById,
): Omit<DecisionChange, 'before'>[] {
  const before = offered(answer, items)
  const { criterion_id, _id } = item
  const most = answer.criteria.find(({ id }) => id === criterion_id)?.max
  if (before.includes(_id) === applied || most === undefined) return []
  const after = applied ? [...before, _id] : before.filter((id) => id !== _id)
  const own = (ids: number[]) =>
    ids.flatMap((id) => items.get(id) ?? []).filter((one) => one.criterion_id === criterion_id)
  const { [criterion_id]: points, ...others } = answer.decided ?? {}
  const { [criterion_id]: adjustment, ...rest } = answer.adjustments ?? {}
  const now = withItems({ items: own(before), points, adjustment }, own(after), most)
  const decided = now.points === undefined ? others : { ...others, [criterion_id]: now.points }
  return [
    {
      submission_id: answer.submission_id,
      after: Object.keys(decided).length > 0 ? decided : null,
      items: {
        before: { items: answer.item_ids ?? [], adjustments: answer.adjustments ?? {} },
        // Removed items are gone for good once a person has decided again.
        after: {
          items: after,
          adjustments: now.adjustment === undefined ? rest : { ...rest, [criterion_id]: now.adjustment },
        },
      },
    },
  ]
}
