import type { Criterion, Rubric } from '@assay/shared/rubrics.ts'

export const criterionTexts = (criteria: readonly Criterion[]): string[] =>
  criteria.flatMap(({ text, expected, alternatives, levels = [] }) => [
    text,
    expected,
    ...alternatives,
    ...levels.map((level) => level.text),
  ])

/** Names no student, as the teacher's notes might. */
export const rubricText = (rubric: Rubric): string =>
  rubric.questions.flatMap(({ prompt, criteria }) => [prompt, ...criterionTexts(criteria)]).join('\n')
