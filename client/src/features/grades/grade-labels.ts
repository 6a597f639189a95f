import type { CriterionGrade, Grade, GradebookFormat, PerformanceLevel, UnscoredReason } from '@assay/shared/grades.ts'
import { labelTag } from '@assay/shared/rules/criterion-labels.ts'
import type { GradeBand } from '@assay/shared/rules/letter-grades.ts'
import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import { plural } from '../../lib/format.ts'
import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'

export const gradebookNames: Record<GradebookFormat, string> = {
  canvas: 'Canvas',
  moodle: 'Moodle',
  blackboard: 'Blackboard',
}

export const bandLabels: Record<GradeBand, string> = {
  excellent: 'Excellent',
  good: 'Good',
  satisfactory: 'Satisfactory',
  needsWork: 'Needs work',
  incomplete: 'Incomplete',
}

export const levelLabels: Record<PerformanceLevel, string> = {
  excellent: 'Excellent',
  good: 'Good',
  partial: 'Partial',
  minimal: 'Minimal',
  none: 'No credit',
}

export const unscoredLabels: Record<UnscoredReason, string> = {
  cannot_judge: 'This kind of answer is yours to grade.',
  not_found: 'Couldn’t find this question on the paper.',
  unreadable: 'The answer was not read. Grade it by hand.',
  no_expected_answer: 'The key has no answer to compare with.',
}

export const isUnscored = ({ score, teacher_score }: Pick<CriterionGrade, 'score' | 'teacher_score'>) =>
  score === null && teacher_score === undefined

/** Nobody has given its points, and no score for the whole paper replaces them. */
export const isToGrade = (criterion: Pick<CriterionGrade, 'score' | 'teacher_score'>, grade: Grade) =>
  grade.unscored_points > 0 && isUnscored(criterion)

type Unsure = Pick<Grade, 'criterion_grades_collection' | 'review_reasons'>

/** Unsure criteria, and all of a flagged question that has no unsure one. */
export function unsureCriteria({ criterion_grades_collection: all, review_reasons }: Unsure): ReadonlySet<number> {
  const named = new Set(
    review_reasons.flatMap(({ question_id, question_ids = [] }) => [
      ...question_ids,
      ...(question_id ? [question_id] : []),
    ]),
  )
  const scored = all.filter(({ score }) => score !== null)
  const doubtful = scored.filter(({ confidence }) => confidence < SURE_CONFIDENCE)
  const questions = new Set(doubtful.map(({ question_id }) => question_id))
  const flagged = scored.filter(({ question_id }) => named.has(question_id) && !questions.has(question_id))
  return new Set([...doubtful, ...flagged].map(({ id }) => id))
}

/** `2 of 6 questions to check`; null where nothing is suggested. */
export function confidenceSummary(grade: Unsure): string | null {
  const unsure = unsureCriteria(grade)
  const scored = grade.criterion_grades_collection.filter(({ score }) => score !== null)
  const questions = Map.groupBy(scored, ({ question_id }) => question_id)
  const toCheck = [...questions.values()].filter((criteria) => criteria.some(({ id }) => unsure.has(id))).length
  if (questions.size === 0) return null
  return toCheck === 0 ? 'confident' : `${toCheck} of ${plural(questions.size, 'question')} to check`
}

type Labelled = Pick<CriterionGrade, 'label' | 'criterion_text'>

/** Question numbers; counts where the rubric has none of them any more. */
export function criterionTags(criteria: readonly Labelled[]): string[] {
  const known = criteria.some(({ label }) => label)
  return criteria.map(({ label }, index) => (label ? labelTag(label) : known ? '–' : String(index + 1)))
}

export const criterionTitle = ({ label, criterion_text }: Labelled) => label?.title ?? criterion_text

export const beginsQuestion = (criteria: readonly Labelled[], index: number) =>
  criteria[index]?.label?.letter !== undefined && criteria[index - 1]?.label?.number !== criteria[index].label.number

export const toGradeMark = { 'data-to-grade': true }

/** Focuses the next empty field that only a person can grade, cyclically; false for none. */
export function focusNextToGrade(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-grade-card] [data-to-grade]')]
  const at = fields.findIndex((field) => field.matches(':focus'))
  const next = [...fields.slice(at + 1), ...fields.slice(0, at)].find((field) => field.value.trim() === '')
  if (!next) return false
  scrollWithinContainer(next.closest('li') ?? next)
  next.focus({ preventScroll: true })
  return true
}
