import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { expectedErrorAfter } from '../../grader/selection/expected-error.ts'
import type { MarkableAnswer } from '../../grader/selection/markable-answer.ts'
import { selectAnswersToMark } from '../../grader/selection/select-answers-to-mark.ts'
import { termsOf, wordsOf } from '../../grader/text/terms.ts'
import { characterNgrams, dotProduct, tfIdfVectorOf } from '../../grader/text/text-vector.ts'
import { questionPoints } from './question.present.ts'
import { type AnsweredQuestion, suggestedShare } from './question-answers.ts'

/** An answer that several students may have given. */
interface Variant {
  text: string
  ids: number[]
}

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
  const similarity = similarityOf(variants)
  const hasDecided = markable.some(({ decided }) => decided)
  // Answers judged by rule tell nothing of others.
  const chosen = question.kind === 'text' && !hasDecided ? selectAnswersToMark(markable, similarity) : []
  return {
    mark_first: chosen.flatMap((place) => variants[place]?.ids[0] ?? []),
    expected_error: Math.round(100 * questionPoints(question) * expectedErrorAfter(markable, similarity)) / 100,
  }
}

function mean(numbers: number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

/** 0..1, of the words and their spelling; computed for those that are compared. */
function similarityOf(variants: readonly Variant[]): (a: number, b: number) => number {
  const vectors = new Map<
    number,
    { words: ReturnType<typeof tfIdfVectorOf>; pieces: ReturnType<typeof tfIdfVectorOf> }
  >()
  const even = () => 1
  const vectorOf = (place: number) => {
    const text = variants[place]?.text ?? ''
    const known = vectors.get(place) ?? {
      words: tfIdfVectorOf(termsOf(text), even),
      pieces: tfIdfVectorOf(characterNgrams(wordsOf(text)), even),
    }
    vectors.set(place, known)
    return known
  }
  return (a, b) => {
    const [one, other] = [vectorOf(a), vectorOf(b)]
    return (dotProduct(one.words, other.words) + dotProduct(one.pieces, other.pieces)) / 2
  }
}
