import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { formatPoints, plural } from '../../../lib/format.ts'
import { suggestedPoints } from './answer-groups.ts'
import type { GroupView } from './useGroupView.ts'

export interface Target {
  answers: QuestionAnswer[]
  groups: number
  words: string
}

export function targetOf(
  { chosen, current, ticked }: Pick<GroupView, 'chosen' | 'current' | 'ticked'>,
  marking: QuestionAnswer[],
): Target {
  if (marking.length > 0) return { answers: marking, groups: 1, words: answersInWords(marking) }
  if (chosen.length > 1) {
    const answers = chosen.flatMap((group) => group.answers)
    return { answers, groups: chosen.length, words: `${chosen.length} groups, ${plural(answers.length, 'answer')}` }
  }
  const some = current.answers.filter(({ submission_id }) => ticked.has(submission_id))
  if (some.length > 0) return { answers: some, groups: 1, words: plural(some.length, 'selected answer') }
  return { answers: current.answers, groups: 1, words: answersInWords(current.answers) }
}

const answersInWords = ({ length }: readonly QuestionAnswer[]) =>
  length === 1 ? 'This answer' : `All ${plural(length, 'answer')}`

export function suggestionWords(answers: readonly QuestionAnswer[], criteria: QuestionToGrade['question']['criteria']) {
  if (answers.every(({ suggested }) => Object.keys(suggested).length === 0)) return null
  const [first = null, ...others] = new Set(answers.map((answer) => suggestedPoints(answer, criteria)))
  return first === null || others.length > 0 ? 'Accept suggestions' : `Accept ${formatPoints(first)}`
}
