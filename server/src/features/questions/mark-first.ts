import { createHash } from 'node:crypto'
import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { LRUCache } from 'lru-cache'
import { meanExpectedError } from '../../grader/selection/expected-error.ts'
import type { MarkableAnswer } from '../../grader/selection/markable-answer.ts'
import { selectAnswersToMark } from '../../grader/selection/select-answers-to-mark.ts'
import { textSimilarity } from '../../grader/selection/text-similarity.ts'
import { questionPoints } from './question.present.ts'
import { type AnsweredQuestion, suggestedShare } from './question-answers.ts'

/** Which answers a teacher should mark first, and how far off the suggestions for the undecided ones are expected to be. */
export function markFirst(answered: AnsweredQuestion): Pick<QuestionToGrade, 'mark_first' | 'expected_error'> {
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
      share: mean(shares) ?? 0.5,
      error: shares.length === 0 ? 1 : (mean(errors) ?? 1),
      count: all.length,
      comparable: question.kind === 'text',
      decided: all.every(({ complete }) => complete),
    }
  })
  const hasDecided = markable.some(({ decided }) => decided)
  // Answers judged by rule tell nothing of others.
  const texts = variants.map(({ text }) => text)
  const chosen = question.kind === 'text' && !hasDecided ? select(markable, texts) : []
  return {
    mark_first: chosen.flatMap((place) => variants[place]?.ids[0] ?? []),
    expected_error: Math.round(100 * questionPoints(question) * meanExpectedError(markable)) / 100,
  }
}

/** By all that they depend on: until somebody decides, everyone who opens the question is offered the same answers. */
const selected = new LRUCache<string, number[]>({ max: 500 })

function select(markable: MarkableAnswer[], texts: string[]): number[] {
  const key = createHash('sha256')
    .update(JSON.stringify([markable, texts]))
    .digest('base64')
  const known = selected.get(key)
  if (known) return known
  const chosen = selectAnswersToMark(markable, textSimilarity(texts))
  selected.set(key, chosen)
  return chosen
}

function mean(numbers: number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
