import {
  type ActiveGrader,
  ANSWER_EXCERPT_LENGTH,
  type AnswerGroup,
  type QuestionAnswer,
  type QuestionProgress,
  type QuestionToGrade,
  type UndoableChange,
} from '@assay/shared/questions.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import type { ShownName } from '@assay/shared/users.ts'
import { mean } from '../../lib/numbers.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { QuestionChangeDoc } from '../../records/grading/question-change.model.ts'
import type { TextMask } from '../anonymous-grading/hidden-names.ts'
import { type AnsweredQuestion, type ManualOrFoundGroup, needsLook, suggestedShare } from './question-answers.ts'

export type Names = ReadonlyMap<number, string>

export interface ShownPapers {
  /** By submission id. */
  labels: ReadonlyMap<number, ShownName>
  mask: TextMask
}

export function presentProgress(
  { question, answers, groups }: AnsweredQuestion,
  { secondsPerGroup, graders }: { secondsPerGroup: number; graders: ActiveGrader[] },
): QuestionProgress {
  const points = questionPoints(question)
  const open = answers.filter(({ complete }) => !complete)
  const openIds = new Set(open.map(({ submission_id }) => submission_id))
  const undecided = groups.filter(({ variants }) => variants.some(({ ids }) => ids.some((id) => openIds.has(id))))
  const shares = answers.map(countingShare).filter((share) => share !== null)
  return {
    question_id: question.id,
    number: question.number,
    prompt: question.prompt,
    kind: question.kind,
    points,
    answers: answers.length,
    decided: answers.length - open.length,
    groups: groups.length,
    undecided_groups: undecided.length,
    flagged: open.filter(needsLook).length,
    by_hand: open.filter((answer) => suggestedShare(answer) === null).length,
    mean: shares.length === 0 ? null : roundPoints(points * mean(shares)),
    minutes_left: Math.ceil((undecided.length * secondsPerGroup) / 60),
    graders,
  }
}

/** People's points where there are any, else the grader's: 0..1, null without. */
export function countingShare({ criteria, decided }: QuestionAnswerDoc): number | null {
  return suggestedShare({
    criteria: criteria.map((criterion) => ({ ...criterion, score: decided?.[criterion.id] ?? criterion.score })),
  })
}

export function presentQuestion(
  { question, answers, groups }: AnsweredQuestion,
  more: Pick<QuestionToGrade, 'mark_first' | 'learns_from' | 'learning' | 'expected_error' | 'graders'>,
  { papers, people, undoable }: { papers: ShownPapers; people: Names; undoable: QuestionChangeDoc | null },
): QuestionToGrade {
  const { id, number, prompt, kind, criteria, notes = null } = question
  return {
    question: { id, number, prompt, kind, points: questionPoints(question), criteria, notes },
    answers: answers.flatMap((answer) => presentAnswer(answer, papers, people)),
    groups: groups.map(presentGroup),
    ...more,
    undo: undoable && presentUndoable(undoable),
  }
}

/** None where the paper was deleted in the meantime. */
function presentAnswer(answer: QuestionAnswerDoc, { labels, mask }: ShownPapers, people: Names): QuestionAnswer[] {
  const student = labels.get(answer.submission_id)
  if (student === undefined) return []
  const presented: QuestionAnswer = {
    submission_id: answer.submission_id,
    student,
    state: answer.state,
    // Masked before it is cut: a name may stand across the end.
    excerpt: mask.hide(answer.text).slice(0, ANSWER_EXCERPT_LENGTH),
    suggested: Object.fromEntries(answer.criteria.flatMap(({ id, score }) => (score === null ? [] : [[id, score]]))),
    confidence: Math.min(1, ...answer.criteria.map(({ confidence }) => confidence)),
    flagged: needsLook(answer),
    decided: answer.decided,
    decided_by: nameOf(answer.decided_by, people),
    ...(answer.item_ids && answer.item_ids.length > 0 ? { items: answer.item_ids } : {}),
    ...(Object.keys(answer.adjustments ?? {}).length > 0 ? { adjustments: answer.adjustments } : {}),
  }
  return [presented]
}

export const nameOf = (id: number | null, people: Names): string | null =>
  id === null ? null : (people.get(id) ?? null)

const presentGroup = ({ id, kind, variants }: ManualOrFoundGroup): AnswerGroup => ({
  id,
  kind,
  variants: variants.map(({ ids }) => ids),
})

export const presentUndoable = ({ _id, kind, changes, at }: QuestionChangeDoc): UndoableChange => ({
  id: _id,
  kind,
  answers: changes.length,
  at: at.toISOString(),
})
