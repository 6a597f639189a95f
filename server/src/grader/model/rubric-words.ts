import type { Rubric } from '@assay/shared/rubrics.ts'

/** All that a rubric says, which names no student. */
export const rubricWords = (rubric: Rubric): string =>
  rubric.questions
    .flatMap(({ prompt, notes, criteria }) => [
      prompt,
      notes ?? '',
      ...criteria.flatMap(({ text, expected, alternatives, levels }) => [
        text,
        expected,
        ...alternatives,
        ...(levels ?? []).map((level) => level.text),
      ]),
    ])
    .join('\n')
