import type { Question, QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { setKind, setPoints } from './rubric-fixes.ts'

/** Questions that are changed together. */
export interface QuestionGroup {
  label: string
  ids: string[]
}

const idsOf = (questions: readonly Question[]) => questions.map(({ id }) => id)

/** All, those whose points the paper does not print, and its sections. */
export function questionGroups({ questions, printed_totals = [] }: Rubric): QuestionGroup[] {
  const unprinted = questions.filter(({ printed_points }) => printed_points === undefined)
  const parts = Map.groupBy(questions, ({ number }) => numberLevels(number).section || '1')
  const sections = printed_totals.flatMap(({ number, question_ids }) => {
    const own = questions.filter(({ id }) => question_ids.includes(id))
    return number?.startsWith('Section ') ? [{ label: number, ids: idsOf(own) }] : []
  })
  return [
    { label: 'All questions', ids: idsOf(questions) },
    ...(unprinted.length < questions.length
      ? [{ label: 'Questions without printed points', ids: idsOf(unprinted) }]
      : []),
    ...sections,
    ...(parts.size > 1 ? [...parts].map(([part, own]) => ({ label: `Part ${part}`, ids: idsOf(own) })) : []),
  ].filter(({ ids }) => ids.length > 0)
}

/** From one question to another as they stand, both included. */
export function questionsBetween({ questions }: Rubric, from: string, to: string): string[] {
  const [first = 0, last = 0] = [from, to].map((id) => idsOf(questions).indexOf(id)).sort((a, b) => a - b)
  return idsOf(questions.slice(first, last + 1))
}

/** Points each and a kind for many questions; null leaves what is there. */
export function changeMany(
  rubric: Rubric,
  ids: readonly string[],
  { points, kind }: { points: number | null; kind: QuestionKind | null },
): Rubric {
  return ids.reduce((now, id) => {
    const withPoints = points === null ? now : setPoints(now, id, points)
    return kind ? setKind(withPoints, id, kind) : withPoints
  }, rubric)
}
