import {
  type ActiveGrader,
  ANSWER_EXCERPT_LENGTH,
  type QuestionAnswer,
  type QuestionProgress,
  type QuestionToGrade,
  type UndoableChange,
} from '@assay/shared/questions.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import type { ShownName } from '@assay/shared/users.ts'
import { LRUCache } from 'lru-cache'
import { type AnswerGroup, groupAnswers, meanShare } from '../../grader/grouping/group-answers.ts'
import { mean } from '../../lib/numbers.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import type { QuestionChangeDoc } from '../../records/grading/question-change.model.ts'
import type { TextMask } from '../anonymity/hidden-names.ts'
import { projectAnswers } from './answer-projection.ts'

export interface AnsweredQuestion {
  question: Question
  answers: QuestionAnswerDoc[]
  groups: ManualOrFoundGroup[]
}

export type ManualOrFoundGroup = Pick<AnswerGroup, 'id' | 'share' | 'variants' | 'size'> & {
  kind: AnswerGroup['kind'] | 'manual'
}

export async function findQuestionAnswers(assignment: AssignmentDoc, question: Question): Promise<AnsweredQuestion> {
  await projectAnswers(assignment)
  const answers = await QuestionAnswerModel.find({ assignment_id: assignment._id, question_id: question.id })
    .sort({ submission_id: 1 })
    .lean()
  return { question, answers, groups: findGroups(question, answers) }
}

/** By the answers of the groups' texts. Grouping 10,000 takes half a second. */
const MAX_CACHED_ANSWERS = 50_000
const groupsByContent = new LRUCache<string, ManualOrFoundGroup[]>({
  maxSize: MAX_CACHED_ANSWERS,
  sizeCalculation: (groups) => 1 + groups.reduce((sum, { size }) => sum + size, 0),
})

export function findGroups(question: Question, answers: QuestionAnswerDoc[]): ManualOrFoundGroup[] {
  const given = answers.map((answer) => ({
    id: answer.submission_id,
    text: answer.text,
    state: answer.state,
    share: suggestedShare(answer),
    manual: answer.manual_group ?? null,
  }))
  // Without decisions: the list must not be rearranged while somebody works through it.
  const key = hashOf(JSON.stringify([question, given]))
  const known = groupsByContent.get(key)
  if (known) return known
  const ungrouped = given.filter(({ manual }) => manual === null)
  const found = groupAnswers(ungrouped, question)
  const grouped = given.filter((one) => one.manual !== null)
  const manual = Map.groupBy(grouped, (one) => one.manual ?? '')
  const manualGroups = [...manual].map(
    ([id, members]): ManualOrFoundGroup => ({
      id,
      kind: 'manual',
      variants: [...Map.groupBy(members, ({ text }) => text)].map(([text, same]) => ({
        text,
        ids: same.map((one) => one.id),
      })),
      size: members.length,
      share: meanShare(members.map(({ share }) => share)),
    }),
  )
  const groups = [...found, ...manualGroups].sort((a, b) => rankOf(a) - rankOf(b) || (b.share ?? -1) - (a.share ?? -1))
  groupsByContent.set(key, groups)
  return groups
}

const rankOf = ({ kind }: ManualOrFoundGroup) => {
  if (kind === 'unreadable') return 0
  return kind === 'empty' || kind === 'not_found' ? 2 : 1
}

/** 0..1; null where the grader gave no score for some of it. */
export function suggestedShare({ criteria }: Pick<QuestionAnswerDoc, 'criteria'>): number | null {
  let [points, most] = [0, 0]
  for (const { score, max } of criteria) {
    if (score === null) return null
    points += score
    most += max
  }
  return most > 0 ? points / most : null
}

/** Looking at so certain an answer, a blank or one decided by rule, does not resolve a doubt about the total. */
const KNOWN = 0.9

export const needsLook = ({ flagged, total_in_doubt = false, criteria }: QuestionAnswerDoc): boolean =>
  flagged && !(total_in_doubt && criteria.every(({ confidence }) => confidence >= KNOWN))

export type Names = ReadonlyMap<number, string>

export interface ShownPapers {
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

/** People's points, else the grader's: 0..1, null without. */
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
    groups: groups.map(({ id, kind, variants }) => ({ id, kind, variants: variants.map(({ ids }) => ids) })),
    ...more,
    undo: undoable && presentUndoable(undoable),
  }
}

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

export const presentUndoable = ({ _id, kind, changes, at }: QuestionChangeDoc): UndoableChange => ({
  id: _id,
  kind,
  answers: changes.length,
  at: at.toISOString(),
})
