import type { GradeHistory, SuggestionEntry } from '@assay/shared/grade-history.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'

type Criterion = SuggestionEntry['criteria'][number]

/** What a person calls a criterion: “question 1”, with its words where the question has several. */
export function criterionName(criterion: Criterion, others: readonly Criterion[]): string {
  const { question_number, question_id, criterion_text } = criterion
  if (question_number === null) return `“${shorten(criterion_text, 60)}”`
  const several = others.filter((one) => one.question_id === question_id).length > 1
  return several ? `question ${question_number} (“${shorten(criterion_text, 60)}”)` : `question ${question_number}`
}

/** A question by its id, as far as any suggestion knows it. */
export function questionName(id: string, { suggestions }: Pick<GradeHistory, 'suggestions'>): string {
  const known = suggestions
    .flatMap(({ criteria }) => criteria)
    .find(({ question_id, question_number }) => question_id === id && question_number !== null)
  return known ? `question ${known.question_number}` : 'a question'
}
