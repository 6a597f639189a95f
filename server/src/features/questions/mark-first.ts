import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { meanExpectedError } from '../../grader/selection/expected-error.ts'
import type { MarkableAnswer } from '../../grader/selection/markable-answer.ts'
import { NEXT_TO_MARK, selectAnswersToMark } from '../../grader/selection/select-answers-to-mark.ts'
import { textSimilarity } from '../../grader/selection/text-similarity.ts'
import { mean } from '../../lib/numbers.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import { questionPoints } from './question.present.ts'
import { type AnsweredQuestion, suggestedShare } from './question-answers.ts'

/** The least expected error reduction in the other answers once there are decisions, as a share of the error expected of them. */
const LEAST_REDUCTION = 0.01
/** Where less is expected, as a share of the points, there is nothing left to reduce. */
const SMALL_ERROR = 0.04

/**
 * Which answers a teacher should mark first or next, and how far off the suggestions for the undecided ones are expected to be. `by`: whether
 * decisions tell of answers that are like (the built-in grader), or only of those that say the same.
 */
export function markFirst(
  answered: AnsweredQuestion,
  by: QuestionToGrade['learns_from'],
): Pick<QuestionToGrade, 'mark_first' | 'expected_error'> {
  const { question, answers, groups } = answered
  const open = answers.filter(({ complete }) => !complete)
  if (open.length === 0) return { mark_first: [], expected_error: null }
  const variants = groups.flatMap(({ variants }) => variants)
  const byId = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const markable = variants.map(({ ids }): MarkableAnswer => {
    const all = ids.flatMap((id) => byId.get(id) ?? [])
    const shares = all.map((answer) => suggestedShare(answer)).filter((share) => share !== null)
    const errors = all.map((answer) => 1 - Math.min(1, ...answer.criteria.map(({ confidence }) => confidence)))
    return {
      share: shares.length === 0 ? 0.5 : mean(shares),
      error: shares.length === 0 ? 1 : mean(errors),
      count: all.length,
      comparable: question.kind === 'text' && by === 'like',
      decided: all.every(({ complete }) => complete),
    }
  })
  const expected = meanExpectedError(markable)
  // One decided tells of all of the same words.
  const known = new Set(answers.flatMap(({ complete, submission_id }) => (complete ? [submission_id] : [])))
  const toChoose = markable.map((one, i) => ({
    ...one,
    decided: variants[i]?.ids.some((id) => known.has(id)) ?? false,
  }))
  // A decision on an answer judged by rule reduces no other's error.
  const isReducible = question.kind === 'text' && (known.size === 0 || expected >= SMALL_ERROR)
  return {
    mark_first: isReducible ? chosenFor(groups, toChoose).flatMap((place) => variants[place]?.ids[0] ?? []) : [],
    expected_error: Math.round(100 * questionPoints(question) * expected) / 100,
  }
}

/** What was chosen for groups that are the same as long as the answers are, by what else it depends on. In a large class it takes a quarter of a second. */
const chosenByGroups = new WeakMap<
  AnsweredQuestion['groups'],
  { similarity: ReturnType<typeof textSimilarity>; key: string; chosen: number[] }
>()

function chosenFor(groups: AnsweredQuestion['groups'], markable: MarkableAnswer[]): number[] {
  const key = hashOf(JSON.stringify(markable))
  const known = chosenByGroups.get(groups)
  if (known?.key === key) return known.chosen
  const similarity =
    known?.similarity ?? textSimilarity(groups.flatMap(({ variants }) => variants).map(({ text }) => text))
  const options = markable.some(({ decided }) => decided)
    ? { count: NEXT_TO_MARK, leastReduction: LEAST_REDUCTION }
    : {}
  const chosen = selectAnswersToMark(markable, similarity, options)
  chosenByGroups.set(groups, { similarity, key, chosen })
  return chosen
}
