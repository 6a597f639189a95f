import type { Rubric } from '@assay/shared/rubrics.ts'

/** What a rubric asks and expects, which names no student; its notes are the teacher's own, and may. */
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
