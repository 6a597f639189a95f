import type { Rubric } from '@assay/shared/rubrics.ts'

/** Names no student, as the teacher's notes might. */
export const rubricText = (rubric: Rubric): string =>
  rubric.questions
    .flatMap(({ prompt, criteria }) => [
      prompt,
      ...criteria.flatMap(({ text, expected, alternatives, levels }) => [
        text,
        expected,
        ...alternatives,
        ...(levels ?? []).map((level) => level.text),
      ]),
    ])
    .join('\n')
