import type { CriterionPoints, DecisionResult, QuestionToGrade } from '@assay/shared/questions.ts'
import { formatPoints, plural } from '../../../lib/format.ts'
import type { Given, GroupOfAnswers } from './answer-groups.ts'

type Question = Pick<QuestionToGrade['question'], 'points' | 'criteria'>

const sumOf = (points: CriterionPoints) => Object.values(points).reduce((sum, one) => sum + one, 0)

/** `4 of 5 points`; of some criteria, their points only. */
export function pointsInWords(points: CriterionPoints, { criteria }: Question): string {
  const most = criteria.filter(({ id }) => points[id] !== undefined).reduce((sum, one) => sum + one.points, 0)
  return `${formatPoints(sumOf(points))} of ${plural(most, 'point')}`
}

export function decisionInWords(count: number, given: Given, question: Question): string {
  const answers = plural(count, 'answer')
  if (given === null) return `${answers}: points withdrawn`
  if (given === 'suggested') return `${answers}: suggestions accepted`
  return `${answers}: ${pointsInWords(given, question)}`
}

export function conflictSentences({ conflicts }: Pick<DecisionResult, 'conflicts'>): string[] {
  const kinds = Map.groupBy(
    conflicts,
    ({ decided, decided_by }) =>
      `${decided_by ?? 'Someone'} ${decided ? `gave ${givenWords(decided)} to` : 'withdrew the points of'}`,
  )
  return [...kinds].map(([words, { length }]) => {
    const left = length === 1 ? 'it was left as it is' : 'they were left as they are'
    return `${words} ${length} of these; ${left}.`
  })
}

const givenWords = (points: CriterionPoints) => plural(Number(formatPoints(sumOf(points))), 'point')

const kindWords: Partial<Record<GroupOfAnswers['kind'], string>> = {
  empty: 'Left blank',
  not_found: 'Answer not found on the page',
  unreadable: 'Could not be read',
}

export const groupTitle = (kind: GroupOfAnswers['kind'], excerpt: string) => kindWords[kind] ?? (excerpt || 'No words')

export function groupKind({ kind, variants }: Pick<GroupOfAnswers, 'kind' | 'variants'>): string {
  if (kind === 'same') return 'Same answer'
  if (kind === 'similar') return `Similar answers, ${plural(variants.length, 'wording')}`
  if (kind === 'manual') return 'Grouped by a teacher'
  return kind === 'single' ? 'One answer' : (kindWords[kind] ?? '')
}

/** `error` is in points, null where it is not known. */
export function movedSentence(moved: number, error: number | null, learning: boolean): string {
  const words =
    moved === 0
      ? `Saved. ${learning ? 'Suggestions for like answers follow.' : 'No suggestion has changed.'}`
      : `${plural(moved, 'suggestion has', 'suggestions have')} changed.`
  return error === null ? words : `${words} ${expectedSentence(error)}`
}

/** `error` is in points. */
export function expectedSentence(error: number): string {
  const off = formatPoints(error < 0.05 ? error : Math.round(error * 10) / 10)
  return `Suggestions are now expected to be off by about ${off} ${off === '1' ? 'point' : 'points'} on average.`
}
