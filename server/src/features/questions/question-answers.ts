import type { Question } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import { type AnswerGroup, groupAnswers, meanShare } from '../../grader/grouping/group-answers.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import { projectAnswers } from './answer-projection.ts'

/** By submission id, with the groups they fall into. */
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

/** Groups hold their texts, so the answers are counted. Grouping 10,000 takes half a second. */
const MAX_CACHED_ANSWERS = 50_000
const groupsByContent = new LRUCache<string, ManualOrFoundGroup[]>({
  maxSize: MAX_CACHED_ANSWERS,
  sizeCalculation: (groups) => 1 + groups.reduce((sum, { size }) => sum + size, 0),
})

/** A teacher's own groups are sorted in by their answers' suggestions. */
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
  const found = groupAnswers(
    given.filter(({ manual }) => manual === null),
    question,
  )
  const manual = Map.groupBy(
    given.filter((one) => one.manual !== null),
    (one) => one.manual ?? '',
  )
  const manualGroups = [...manual].map(
    ([id, members]): ManualOrFoundGroup => ({
      id,
      kind: 'manual',
      // Each is shown with its own words.
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

/** Unreadable first, as in `groupAnswers`; empty ones last. */
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
