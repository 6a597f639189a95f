import type { CurrentRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'

/** Two questions: short text and a number; 15 points in all. */
export function buildRubric(): Rubric {
  const criterion = { alternatives: [] }
  return {
    questions: [
      {
        id: 'q1',
        number: '1',
        prompt: 'Why does ice float on water?',
        kind: 'text',
        criteria: [{ id: 'q1', text: 'Density', points: 10, expected: 'Its molecules form a lattice.', ...criterion }],
        printed_points: 10,
        regions: [],
      },
      {
        id: 'q2',
        number: '2',
        prompt: 'How much is 12 times 12?',
        kind: 'number',
        criteria: [{ id: 'q2', text: 'The product', points: 5, expected: '144', ...criterion }],
        printed_points: 5,
        regions: [],
      },
    ],
    problems: [],
  }
}

/** Twelve papers are graded by it. */
export function buildCurrentRubric(part: Partial<CurrentRubric> = {}): CurrentRubric {
  const version = part.version ?? 1
  return {
    rubric: buildRubric(),
    version,
    made: {
      version,
      made_by: 'rules',
      made_by_name: null,
      note: '',
      questions: 2,
      points: 15,
      made_at: '2026-01-12T14:02:00Z',
    },
    graded: 12,
    outdated: 0,
    held: false,
    generation: null,
    blank_pages: 2,
    model: null,
    checked: { by_name: 'Martin Keller', at: '2026-01-12T15:00:00Z' },
    ...part,
  }
}
